"""How a conversation is written: one system prompt for all states, messages masked by state (CNV-003, CNV-007)."""

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import add
from typing import Any

import dspy
from dspy.adapters.types.base_type import split_message_content_for_custom_types
from dspy.adapters.utils import format_field_value, get_field_description_string, translate_field_type
from pydantic.fields import FieldInfo

from react_tck.reference.loop.views.conversation import MACHINE_STATE, TOOL_ARGS, MachineState
from react_tck.reference.signatures.conversation import HISTORY
from react_tck.reference.signatures.react import SignatureType

#: How many signatures are remembered, of all agents.
SIGNATURES = 64
#: And how many messages of no more than so many characters.
_MESSAGES, _LONG = 256, 4000
#: What no prompt says.
_GAP = "\0gap\0"


@dataclass(frozen=True)
class Content:
    """A signature as prompts show it: two are equal if they say the same."""

    said: Hashable
    signature: SignatureType = field(compare=False)


def system_message(adapter: Any, signature: Any) -> str:
    """Return the system message of an adapter of dspy's own, which follows from its class and the signature."""
    kind: Any = type(adapter)
    return _system_message(kind, read_content(signature))


def assistant_message(
    adapter: Any, signature: Any, outputs: dict[str, Any], missing_field_message: str | None = None
) -> str:
    """Return what the assistant said as such an adapter writes it: a turn's is written with every request."""
    texts = {name: said for name, said in outputs.items() if isinstance(said, str)}
    if len(texts) == len(outputs) and sum(map(len, texts.values())) < _LONG:
        kind: Any = type(adapter)
        said = (*texts.items(),)
        return _assistant_message(kind, read_content(signature), said, missing_field_message)
    text: str = adapter.format_assistant_message_content(signature, outputs, missing_field_message)
    return text


def user_message(
    adapter: Any, signature: Any, inputs: dict[str, Any], prefix: str = "", suffix: str = "", main_request: bool = False
) -> str:
    """Return what the user says as such an adapter writes it, which makes a class for every text that it writes."""
    asked = {name: inputs[name] for name in signature.input_fields if name in inputs}
    if {*map(type, asked.values())} != {str}:
        text: str = adapter.format_user_message_content(signature, inputs, prefix, suffix, main_request)
        return text
    kind: Any = type(adapter)
    first, *between = _split_user_message(kind, read_content(signature), (*asked,), prefix, suffix, main_request)
    return "".join([first, *map(add, asked.values(), between)]).strip()


def drop_fields(signature: Any, *names: str) -> SignatureType:
    """Return the signature without these fields."""
    return _drop_fields(read_content(signature), names)


def replace_instructions(signature: Any, instructions: str) -> SignatureType:
    """Return the signature with other instructions."""
    return _replace_instructions(read_content(signature), instructions)


def read_content(signature: SignatureType) -> Content:
    """Return what the signature says: annotations also as they are written, for `int | str` equals `str | int`."""
    fields = [
        (name, each.annotation, repr((each.annotation, each.default, each.metadata, each.json_schema_extra)))
        for name, each in signature.model_fields.items()
    ]
    said = (signature.__doc__, *fields)
    try:
        hash(said)
    except TypeError:  # an annotation that holds what can't be hashed
        return Content((signature, repr(said)), signature)
    return Content(said, signature)


@lru_cache(maxsize=SIGNATURES)
def _system_message(kind: type[dspy.Adapter], content: Content) -> str:
    text: str = kind().format_system_message(content.signature)
    return text


@lru_cache(maxsize=_MESSAGES)
def _assistant_message(kind: type[dspy.Adapter], content: Content, said: tuple[Any, ...], missing: str | None) -> str:
    text: str = kind().format_assistant_message_content(content.signature, dict(said), missing)
    return text


@lru_cache(maxsize=SIGNATURES)
def _split_user_message(kind: type[dspy.Adapter], content: Content, names: tuple[str, ...], *how: Any) -> list[str]:
    """Return what stands around the inputs of these names."""
    text: str = kind().format_user_message_content(content.signature, dict.fromkeys(names, _GAP), *how)
    return text.split(_GAP)


@lru_cache(maxsize=SIGNATURES)
def _drop_fields(content: Content, names: tuple[str, ...]) -> SignatureType:
    signature = content.signature
    for name in names:
        signature = signature.delete(name)
    return signature


@lru_cache(maxsize=SIGNATURES)
def _replace_instructions(content: Content, instructions: str) -> SignatureType:
    made: SignatureType = content.signature.with_instructions(instructions)
    return made


_INTRODUCTION = (
    "This agent operates as a state machine. The `machine_state` field determines which function (inputs → outputs) "
    "is active."
)
_COMPLETED = "[[ ## completed ## ]]"
#: A turn of another module's history has no state: it has the user's inputs and outputs.
_PLAIN: tuple[MachineState, MachineState] = ("user_query", "finish")

Fields = dict[str, FieldInfo]


class ConversationAdapter(dspy.ChatAdapter):
    """Writes every message as it was written first, so that each request extends the one before it.

    Args:
        states: the signature of each machine state.
    """

    def __init__(self, states: Mapping[MachineState, SignatureType]) -> None:
        # Another adapter has another system prompt: a reply that can't be read is the loop's to absorb.
        super().__init__(use_json_adapter_fallback=False)
        self.states = states

    def format(self, signature: SignatureType, demos: list[Any], inputs: dict[str, Any]) -> list[dict[str, Any]]:
        """As dspy's adapters do it, without making a class for it with every request."""
        shown, asked = drop_fields(signature, HISTORY), dict(inputs)
        earlier = self.format_conversation_history(shown, HISTORY, asked)
        system = {"role": "system", "content": self.format_system_message(signature)}
        now = {"role": "user", "content": self.format_user_message_content(shown, asked, main_request=True)}
        messages = [system, *self.format_demos(signature, demos), *earlier, now]
        written: list[dict[str, Any]] = split_message_content_for_custom_types(messages)
        return written

    def format_system_message(self, signature: SignatureType) -> str:  # noqa: ARG002 - one for all states
        """Return the fields, the structure of each state's messages, and the task: the same whatever the state."""
        states: dict[MachineState, Any] = {**self.states}
        return _describe_states((*((state, read_content(made)) for state, made in states.items()),))

    def format_user_message_content(
        self,
        _signature: SignatureType,
        inputs: dict[str, Any],
        prefix: str = "",
        suffix: str = "",
        main_request: bool = False,  # noqa: ARG002 - an earlier message stays as it was
    ) -> str:
        """Return the inputs of the message's state, and what is asked for."""
        state = inputs.get(MACHINE_STATE, _PLAIN[0])
        parts = [
            prefix,
            _format_fields(_shown_inputs(self.states[state]), {MACHINE_STATE: state, **inputs}),
            self._described_requests[state],
            suffix,
        ]
        return "\n\n".join(part for part in parts if part)

    def format_assistant_message_content(
        self,
        _signature: SignatureType,
        outputs: dict[str, Any],
        missing_field_message: str | None = None,  # noqa: ARG002 - what isn't there isn't shown
    ) -> str:
        """Return the outputs that the message has, of whatever state."""
        fields = self._output_fields[outputs.get(MACHINE_STATE, _PLAIN[1])]
        return f"{_format_fields(fields, outputs)}\n\n{_COMPLETED}\n"

    @cached_property
    def _output_fields(self) -> dict[MachineState, Fields]:
        return {state: made.output_fields for state, made in self.states.items()}

    @cached_property
    def _described_requests(self) -> dict[MachineState, str]:
        """What is asked for in each state."""
        return {
            state: _describe_request(own, self._output_fields.values()) for state, own in self._output_fields.items()
        }


@lru_cache(maxsize=SIGNATURES)
def _describe_states(states: tuple[tuple[MachineState, Content], ...]) -> str:
    """Return the fields of all states, the structure of each one's messages, and the task."""
    signatures = {state: content.signature for state, content in states}
    inputs = _merge_fields(map(_shown_inputs, signatures.values()))
    outputs = _merge_fields(made.output_fields for made in signatures.values())
    fields = [
        _INTRODUCTION,
        f"These are possible input fields:\n\n{get_field_description_string(inputs)}",
        f"These are possible output fields:\n\n{get_field_description_string(outputs)}",
    ]
    structures = (_describe_structure(state, made) for state, made in signatures.items())
    return "\n\n---\n\n".join(["\n\n".join(fields), *structures, signatures["user_query"].instructions])


def _describe_structure(state: MachineState, signature: SignatureType) -> str:
    return "\n\n".join(
        [
            f"For the `{state}` state, messages are structured as:",
            f"Input fields:\n\n{_format_template(_shown_inputs(signature))}",
            f"Output fields:\n\n{_format_template(signature.output_fields)}\n\n{_COMPLETED}",
        ]
    )


def _shown_inputs(signature: SignatureType) -> Fields:
    return {name: field for name, field in signature.input_fields.items() if name != HISTORY}


def _merge_fields(parts: Iterable[Fields]) -> Fields:
    """By name, in order; the first of a name counts."""
    found: Fields = {}
    for fields in parts:
        found |= {name: field for name, field in fields.items() if name not in found}
    return found


def _format_fields(fields: Fields, values: Mapping[str, Any]) -> str:
    given = {name: field for name, field in fields.items() if name in values}
    return "\n\n".join(
        f"[[ ## {name} ## ]]\n{_format_value(name, field, values[name])}" for name, field in given.items()
    )


def _format_value(name: str, field: FieldInfo, value: Any) -> str:
    """As dspy has it, which makes a class to write what is text or JSON already."""
    if isinstance(value, str):
        return value
    text: str = json.dumps(value, ensure_ascii=False) if name == TOOL_ARGS else format_field_value(field, value)
    return text


def _describe_request(own: Fields, all_outputs: Iterable[Fields]) -> str:
    required = ", then ".join(map(_format_marker, own))
    request = (
        "Respond using the exact field format `[[ ## field_name ## ]]`. "
        f"Required fields in order: {required}, ending with `{_COMPLETED}`."
    )
    masked = ", ".join(_format_marker(name) for name in _merge_fields(all_outputs) if name not in own)
    return f"{request} Do NOT generate the following fields for this state: {masked}." if masked else request


def _format_template(fields: Fields) -> str:
    return "\n\n".join(f"[[ ## {name} ## ]]\n{translate_field_type(name, field)}" for name, field in fields.items())


def _format_marker(name: str) -> str:
    return f"`[[ ## {name} ## ]]`"
