"""The messages between the kit and a harness: JSON-RPC 2.0, one JSON object a line (docs/PROTOCOL.md)."""

import json
from collections.abc import Mapping
from typing import Literal

from pydantic import JsonValue

from react_tck.model.base import JsonObject, Value
from react_tck.model.case import Case, Mode, Options
from react_tck.model.cue import CueSheet
from react_tck.model.episode import Episode
from react_tck.model.lm import Completion, Recording
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure, Outcome
from react_tck.model.record import Record
from react_tck.model.report import Finding, Report
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

#: Raised when a harness written for the old one can't serve the new one.
VERSION = "1"

#: The error code with which a harness says that the subject refuses the case.
CONSTRUCTION_REFUSED = -32001
#: The error code with which a harness says that the subject fails an operation that has no outcome.
OPERATION_REFUSED = -32002
#: Error code of the kit's own adapters for a class that did what no outcome describes.
ADAPTER_BROKEN = -32003


class Endpoint(Value):
    """An OpenAI-compatible chat-completions endpoint that is the LM of one episode."""

    base_url: str
    api_key: str
    model: str


class InitializeParams(Value):
    """The first request: which protocol the kit speaks. Answered by the manifest."""

    protocol: str = VERSION


class ConstructParams(Value):
    """Build an instance. Answered by `Constructed`, or by the error CONSTRUCTION_REFUSED."""

    signature: Signature
    tools: tuple[Tool, ...]
    options: Options
    lm: Endpoint
    #: A tool runs by `POST {tools_url}/{name}` with its args object.
    tools_url: str


class Constructed(Value):
    """The instance, under a name of the harness's choosing."""

    instance: str


class CallParams(Value):
    """Call an instance. Answered by an outcome."""

    instance: str
    inputs: JsonObject
    history: tuple[JsonObject, ...] | None = None
    follows: int | None = None
    max_steps: int | None = None
    adapter: str | None = None
    mode: Mode = "sync"


class CallsParams(Value):
    """Call an instance several times at once (ISO-002). Answered by `Outcomes`."""

    calls: tuple[CallParams, ...]


class Outcomes(Value):
    """How each of the calls ended, in their order."""

    outcomes: tuple[Outcome, ...]


class DumpParams(Value):
    """Save an instance's program. Answered by `Dumped`."""

    instance: str


class Dumped(Value):
    """The saved program, as JSON of the subject's own choosing."""

    state: JsonValue


class LoadParams(Value):
    """Load a saved program into an instance. Answered by `Loaded`."""

    instance: str
    state: JsonValue


class Loaded(Value):
    """The instance has what was saved."""


class ResumeParams(Value):
    """Go on with a suspended call. Answered by an outcome."""

    instance: str
    #: As an outcome told it, of this instance or of one that another process had.
    suspension: JsonObject
    response: str
    mode: Mode = "sync"


class StatusParams(Value):
    """Ask what became of a confirmation. Answered by `ConfirmationStatus`, or by the error OPERATION_REFUSED."""

    instance: str
    confirmation_id: str


class ConfirmationStatus(Value):
    """`pending`, `approved`, `rejected`, `edited` or `feedback`; whatever word the subject has for it."""

    status: str


class DescribeParams(Value):
    """Inspect an instance. Answered by a description."""

    instance: str


class Parsing(Value):
    """A reply in a dialect, and the fields asked for, each with its JSON Schema, in the order of the request."""

    dialect: str
    reply: Completion
    fields: dict[str, JsonObject]


class Parsed(Value):
    """What came of it: the fields, or the error that the parser raised."""

    fields: JsonObject | None = None
    error: Failure | None = None


class RpcRequest(Value):
    """What the kit writes on the harness's standard input."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: int
    method: Literal["initialize", "construct", "call", "calls", "resume", "status", "describe", "dump", "load", "parse"]
    params: JsonObject


class RpcError(Value):
    """The error of a failed request, as JSON-RPC 2.0 has it."""

    code: int
    message: str
    data: JsonValue = None


class RpcResponse(Value):
    """What the harness writes on its standard output: exactly one of result and error."""

    jsonrpc: Literal["2.0"]
    id: int | None
    result: JsonValue = None
    error: RpcError | None = None


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
