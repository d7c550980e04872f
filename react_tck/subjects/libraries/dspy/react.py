"""The real `dspy.ReAct` as a subject, connected as a user would connect it."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import dspy

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS
from react_tck.subjects.libraries.dspy import bridge
from react_tck.subjects.libraries.dspy.instance import ReActSubject

_CHOICES = {
    "unknown-tool": "error",
    # NaN is a number to it, which then doesn't fit the tool.
    "malformed-args": "error, or observe",
    "schema-mismatch": "observe",
    # The chat and XML adapters ask once more, by the JSON adapter.
    "malformed-reply": "retries 1, then error",
    "tool-error": "observe",
    # A name that has to be one of several is read without quotes, yet not without backticks or asterisks.
    "tool-name-matching": "exact, or quotes and space ignored",
    # json_repair mends most; a fence or a comment around args is refused.
    "args-notation": "repaired when certain, or JSON only",
    "empty-args": "error",
    # The first section of a name, and the last value of a key.
    "repeated-field": "first in chat, or last in chat",
    "cut-off-answer": "returned",
    "lm-fault": "retries 3, then error",
    "steps-exhausted": "extract",
    "step-adapter": "same as extraction",
    "trajectory-format": "mapping",
    "finish-recorded": "yes",
    "max-steps-default": "20",
    "max-steps-zero": "extract at once",
    "extraction": "chain-of-thought",
}
#: By which type of error an adapter refuses a reply: older releases had none of their own.
_PARSE_ERROR = getattr(getattr(dspy.utils, "exceptions", None), "AdapterParseError", ValueError)
_RETRIES = bridge.count_retries()


@react_tck.subject(
    "dspy.ReAct",
    version=version("dspy"),
    homepage="https://dspy.ai",
    dialects=bridge.DIALECTS,
    capabilities=[
        "class-signature",
        "value-signature",
        "typed-fields",
        "nested-fields",
        "async-tools",
        "opaque-results",
        "tool-interruptions",
        "callable-tools",
        "declared-tools",
        "trajectory",
        "extraction",
        "step-signature",
        "truncation",
        "caller-objects",
        "concurrent-calls",
    ],
    without=bridge.find_lacks(dspy.ReAct),
    choices=bridge.select_choices(_CHOICES, "max-steps-default", "extraction"),
    deviations=DEVIATIONS["dspy"] if bridge.HAS_ENGINES else DEVIATIONS["dspy without engines"],
    default_max_steps=bridge.find_default(dspy.ReAct),
    retries=_RETRIES,
    parse_errors=[_PARSE_ERROR],
)
class DspyReAct(ReActSubject):
    """`dspy.ReAct`, and its adapters as parsers."""

    kind = dspy.ReAct

    def parse(self, text: str, fields: dict[str, Any], dialect: str = "chat") -> dict[str, Any]:
        """Return what the adapter of the dialect makes of a reply."""
        adapter = bridge.make_adapter(dialect)
        assert adapter is not None
        found: dict[str, Any] = adapter.parse(_make_signature(json.dumps(fields)), text)
        return found


# The same few signatures are parsed for thousands of times.
@lru_cache(maxsize=256)
def _make_signature(schemas: str) -> Any:
    fields = {
        name: (react_tck.annotation_of(schema), dspy.OutputField()) for name, schema in json.loads(schemas).items()
    }
    return dspy.Signature({"question": (str, dspy.InputField()), **fields}, "Answer the question.")
