"""Shows a transcript to the LM as the messages it is, in the dialect of whatever adapter is in force."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import dspy
from dspy.adapters.types.base_type import split_message_content_for_custom_types

from react_tck.model.base import JsonObject
from react_tck.reference.adapters.conversation import drop_fields, replace_instructions
from react_tck.reference.adapters.strict_reading import make_strict, set_fallback
from react_tck.reference.loop import (
    AssistantTurn,
    Entries,
    Entry,
    FinalAnswer,
    Observation,
    Policy,
    Remark,
    Request,
    Summary,
)
from react_tck.reference.loop.views.trajectory import load_entries
from react_tck.reference.signatures.react import SignatureType
from react_tck.reference.signatures.transcript import HISTORY, THOUGHT, TOOL_CALLS, TOOLS, read_description
from react_tck.reference.tools import bind_tool

Message = dict[str, Any]

_TURN: SignatureType = dspy.Signature(
    {"turn": (str, dspy.InputField()), THOUGHT: (str, dspy.OutputField()), TOOL_CALLS: (str, dspy.OutputField())}, ""
)
_NO_MORE_TOOLS = "No more tools can be called. Give the answer from what is known."


def make_transcript_adapter(adapter: dspy.Adapter | None, task: SignatureType, policy: Policy) -> dspy.Adapter:
    """Return an adapter like this or dspy's default that shows transcripts of the task and reads by the policy."""
    plain: Any = adapter or dspy.settings.adapter or dspy.ChatAdapter()
    made: Any = copy.copy(make_strict(plain, policy))
    kind: Any = type(plain)
    made.__class__ = _make_transcript_class(kind)
    set_fallback(made, plain, lambda other: make_transcript_adapter(other, task, policy))
    made.task = task
    shown: dspy.Adapter = made
    return shown


@cache
def _make_transcript_class(kind: Any) -> Any:
    return type(f"Transcript{kind.__name__}", (TranscriptFormat, kind), {})


class TranscriptFormat:
    """Mixed into an adapter: what it does with a request that has a transcript's history."""

    task: SignatureType
    use_native_function_calling: bool

    def format(self, signature: SignatureType, demos: list[Any], inputs: dict[str, Any]) -> list[Message]:
        """Return the system message, then one for every entry; one more where it isn't a turn that is asked for."""
        adapter: Any = self
        entries = load_entries(inputs[HISTORY].messages)
        shown = self._reduce_signature(signature, inputs)
        told = adapter.format_system_message(shown) if shown.output_fields else _describe_natively(shown)
        system = {"role": "system", "content": told}
        style = _Style(adapter, self.task, shown, is_native=not shown.output_fields)
        said = [*adapter.format_demos(shown, demos), *style.write_messages(entries)]
        # What is no text, such as an image, is a part of its own (TRN-016).
        return [system, *split_message_content_for_custom_types(said), *self._write_closing(shown)]

    def _reduce_signature(self, signature: SignatureType, inputs: dict[str, Any]) -> SignatureType:
        """Return the signature without what is shown otherwise: history as messages, tools as instructions."""
        if TOOLS not in signature.input_fields:
            return drop_fields(signature, HISTORY)
        listed = [bind_tool(tool).describe_tool() for tool in inputs[TOOLS]]
        instructions = "\n".join([signature.instructions, "", "The tools:", *listed])
        return replace_instructions(drop_fields(signature, HISTORY, TOOLS), instructions)

    def _write_closing(self, shown: SignatureType) -> Iterator[Message]:
        if THOUGHT in shown.output_fields or not shown.output_fields:
            return
        adapter: Any = self
        content = adapter.format_user_message_content(shown, {}, prefix=_NO_MORE_TOOLS, main_request=True)
        yield {"role": "user", "content": content}

    def _call_preprocess(self, lm: Any, lm_kwargs: dict[str, Any], signature: Any, inputs: dict[str, Any]) -> Any:
        """Where calls are native, the thought is the text beside them."""
        made = super()._call_preprocess(lm, lm_kwargs, signature, inputs)  # type: ignore[misc]
        return (
            drop_fields(made, THOUGHT)
            if THOUGHT in made.output_fields and TOOL_CALLS not in made.output_fields
            else made
        )

    def _call_postprocess(self, processed: Any, original: Any, outputs: list[Any], *rest: Any) -> list[dict[str, Any]]:
        values: list[dict[str, Any]] = super()._call_postprocess(processed, original, outputs, *rest)  # type: ignore[misc]
        if THOUGHT in original.output_fields and THOUGHT not in processed.output_fields:
            for value, output in zip(values, outputs, strict=True):
                value[THOUGHT] = (output.get("text") if isinstance(output, dict) else output) or ""
        return values


class _Style(NamedTuple):
    """How the entries of one request are shown."""

    adapter: Any
    task: SignatureType
    shown: SignatureType
    is_native: bool

    def write_messages(self, entries: Entries) -> Iterator[Message]:
        """Yield a message for every entry."""
        yield from map(self._write_message, entries)

    def _write_message(self, entry: Entry) -> Message:
        match entry:
            case Request(inputs=inputs):
                return {"role": "user", "content": self._write_request(inputs)}
            case AssistantTurn():
                return self._write_turn(entry)
            case Observation():
                return self._write_observation(entry)
            case FinalAnswer(outputs=outputs):
                return self._write_reply(self.task, outputs)
            case Remark(remark=remark):
                return {"role": "user", "content": remark}
            case Summary(summary=summary):
                return {"role": "user", "content": f"Summary of what was said here before:\n{summary}"}

    def _write_request(self, inputs: JsonObject) -> str:
        asks_for_turn = THOUGHT in self.shown.output_fields
        signature = self.shown if asks_for_turn else self.task
        made: str = self.adapter.format_user_message_content(signature, inputs, main_request=asks_for_turn)
        return made

    def _write_turn(self, turn: AssistantTurn) -> Message:
        if self.is_native:
            native = [_format_native_call(call) for call in turn.tool_calls]
            return {"role": "assistant", "content": turn.thought or None, "tool_calls": native}
        calls = [{"id": call.id, "name": call.name, "args": call.args} for call in turn.tool_calls]
        values: JsonObject = {THOUGHT: turn.thought, TOOL_CALLS: _encode_json({TOOL_CALLS: calls})}
        return self._write_reply(_TURN, values)

    def _write_reply(self, signature: SignatureType, values: JsonObject) -> Message:
        return {"role": "assistant", "content": self.adapter.format_assistant_message_content(signature, values)}

    def _write_observation(self, entry: Observation) -> Message:
        if self.is_native:
            content = entry.value if isinstance(entry.value, str) else _encode_json(entry.value)
            return {"role": "tool", "tool_call_id": entry.tool_call_id, "name": entry.name, "content": content}
        outcome = {"error" if entry.is_error else "result": entry.value}
        return {
            "role": "user",
            "content": _encode_json({"tool_call_id": entry.tool_call_id, "name": entry.name, **outcome}),
        }


def _describe_natively(signature: SignatureType) -> str:
    """Return the instructions: where calls are native, no form of a reply has to be described."""
    described = {name: read_description(field) for name, field in signature.input_fields.items()}
    inputs = [f"{name}: {text}" for name, text in described.items() if text]
    return "\n".join([signature.instructions, *(["", "The inputs:", *inputs] if inputs else [])])


def _format_native_call(call: Any) -> JsonObject:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": _encode_json(call.args)}}


def _encode_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
