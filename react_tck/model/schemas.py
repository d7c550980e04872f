"""The JSON Schemas of the model: setup.py puts them into a wheel, and docs_site on the site."""

import json
from collections.abc import Mapping

from react_tck.model.base import Value
from react_tck.model.case import Case
from react_tck.model.cue import CueSheet
from react_tck.model.episode import Episode
from react_tck.model.lm import Recording
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.protocol import Parsed, Parsing
from react_tck.model.record import Record
from react_tck.model.report import Finding, Report

_MODELS: Mapping[str, type[Value]] = {
    "case": Case,
    "cue-sheet": CueSheet,
    "episode": Episode,
    "found-case": Finding,
    "manifest": Manifest,
    "outcome": Outcome,
    "parsed": Parsed,
    "parsing": Parsing,
    "record": Record,
    "recording": Recording,
    "report": Report,
}


def schema_texts() -> dict[str, str]:
    """Return the text of each schema file, by file name."""
    return {f"{name}.schema.json": _render_schema(model) for name, model in _MODELS.items()}


def _render_schema(model: type[Value]) -> str:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **model.model_json_schema(mode="serialization"),
    }
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
