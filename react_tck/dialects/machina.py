"""`machina`: chat markers under one constant system prompt; the last user message says which state asks (S0)."""

import re
from collections.abc import Mapping
from functools import lru_cache

from react_tck.dialects import chat
from react_tck.dialects.field_lists import output_fields
from react_tck.model.base import JsonObject, Value
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest

STEP_STATES = ("user_query", "tool_result")
STATES = (*STEP_STATES, "interrupted", "finish")
#: What the state `interrupted` is told besides the last result.
INTERRUPTION = "interruption_instructions"
#: What a state of a step is answered with, `reasoning` apart.
STEP_FIELDS = ("tool_name", "tool_args", "response")

_LISTED = re.compile(r"^\d+\. `machine_state`", re.MULTILINE)
_STATE = re.compile(r"\A\[\[ ## machine_state ## \]\][^\S\n]*\n(\w+)[^\S\n]*$", re.MULTILINE)
_SECTION = re.compile(
    r"^For the (?P<states>`[^\n]*`) state, messages are structured as:(?P<form>.*?)(?:^---$|\Z)", re.M | re.S
)
_OUTPUTS = re.compile(r"^Output fields:[^\S\n]*$", re.MULTILINE)
_MARKER = re.compile(r"^\[\[ ## (\w+) ## \]\]", re.MULTILINE)
_COMPLETED = "completed"
#: A marker that stands alone in its line, before what a message gives for the field.
HEADING = re.compile(r"^\[\[ ## (\w+) ## \]\][^\S\n]*$", re.MULTILINE)
_ASKED = re.compile(r"\[\[ ## (\w+) ## \]\]")
#: How a request names the markers in general (S0).
_EXAMPLE = "field_name"


class Layout(Value):
    """The fields of a state's messages, in order."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def classify_request(request: LMRequest) -> Ask | None:
    """Return a system message that lists `machine_state` among its fields, and a last user message that begins with it.

    Where the subject falls back to JSON, the system message lists the fields of the one state only.
    """
    state = machine_state(request)
    if state is None:
        return None
    layout = read_layouts(request.system_text).get(state)
    fields = layout.outputs if layout else output_fields(request.system_text)
    phase = "step" if state in STEP_STATES else "extraction"
    made = {"phase": phase, "dialect": "machina" if layout else "json", "fields": fields}
    return Ask.model_validate(made) if fields else None


def render_reply(intent: Move, ask: Ask) -> Completion:
    """Return the fields of the state under their markers."""
    return chat.render_reply(intent, ask)


def parse_reply(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """Return the text under each marker.

    Raises:
        ParseError: if a field is missing, comes twice, or doesn't fit its schema.
    """
    return chat.parse_reply(completion, schemas)


def machine_state(request: LMRequest) -> str | None:
    """Return the state that the last user message names first; None if the machine isn't what asks."""
    last = request.messages[-1] if request.messages else None
    if last is None or last.role != "user" or not _has_states(request.system_text):
        return None
    found = state_of(last.content or "")
    return found if found in STATES else None


def state_of(text: str) -> str | None:
    """Return the state with which a user message begins."""
    found = _STATE.search(text)
    return found[1] if found else None


def value_of(text: str, field: str) -> str:
    """Return what a message gives for a field, up to the next marker or to what is asked for; empty if it has none."""
    _, found, rest = text.partition(f"[[ ## {field} ## ]]\n")
    return HEADING.split(_cut_request(rest))[0].strip() if found else ""


def _cut_request(text: str) -> str:
    before, _, last = text.rpartition("\n\n")
    return before if _ASKED.search(last) else text


def read_requirements(text: str) -> tuple[list[str], bool, list[str]]:
    """Return what a user message asks for: fields in order, whether `completed` ends them, fields after that."""
    names = _ASKED.findall(text.rpartition("\n\n")[2])
    if names[:1] == [_EXAMPLE]:
        names = names[1:]
    if _COMPLETED not in names:
        return names, False, []
    end = names.index(_COMPLETED)
    return names[:end], True, names[end + 1 :]


# The same system message comes with every step of an episode.
@lru_cache(maxsize=256)
def _has_states(system: str) -> bool:
    return _LISTED.search(system) is not None


@lru_cache(maxsize=256)
def read_layouts(system: str) -> Mapping[str, Layout]:
    """Return the states that a system message documents, with their fields. The user's own instructions come last."""
    found: dict[str, Layout] = {}
    for section in _SECTION.finditer(system):
        for state in re.findall(r"`(\w+)`", section["states"]):
            found.setdefault(state, _read_layout(section["form"]))
    return found


def _read_layout(form: str) -> Layout:
    inputs, *outputs = _OUTPUTS.split(form, maxsplit=1)
    names = _MARKER.findall(outputs[0]) if outputs else []
    return Layout(inputs=tuple(_MARKER.findall(inputs)), outputs=tuple(n for n in names if n != _COMPLETED))
