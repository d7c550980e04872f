"""A transcript as callers hold it: a `dspy.History`, whose messages are the entries as JSON (TRN-001, TRN-010)."""

from collections.abc import Iterator
from typing import Any

import dspy
from pydantic_core import to_jsonable_python

from react_tck.model.base import JsonObject
from react_tck.reference.loop_entries import Answer, Call, Entries, Entry, Observation, Request, Turn, dumped, loaded
from react_tck.reference.signatures import SignatureType
from react_tck.reference.transcript_signatures import THOUGHT, TOOL_CALLS


def public(entries: Entries) -> dspy.History:
    """The entries as the caller gets them; the caller's to keep or to write to a file."""
    return dspy.History(messages=dumped(entries))


def entries_of(history: Any, task: SignatureType) -> Entries:
    """The entries of a history that a caller passes on: one of ours, its JSON, or turns as `dspy` keeps them.

    Raises:
        ValueError: if it is none of these.
    """
    if history is None:
        return ()
    messages = dspy.History.model_validate(history).messages
    return tuple(entry for message in messages for entry in _entries(message, task))


def as_json(values: dict[str, Any]) -> JsonObject:
    """Values as JSON; what that can't hold becomes text."""
    made: JsonObject = to_jsonable_python(values, fallback=str)
    return made


def _entries(message: dict[str, Any], task: SignatureType) -> Iterator[Entry]:
    if "role" in message:
        yield from loaded([message])
        return
    inputs, outputs = (_named(message, fields) for fields in (task.input_fields, task.output_fields))
    if inputs:
        yield Request(inputs=inputs)
    if message.get(TOOL_CALLS):
        yield from _turn(message)
    if outputs:
        yield Answer(outputs=outputs)


def _named(message: dict[str, Any], fields: dict[str, Any]) -> JsonObject:
    return as_json({name: message[name] for name in fields if name in message})


def _turn(message: dict[str, Any]) -> Iterator[Entry]:
    """A turn as `dspy.ReActV2` keeps it. Its JSON has no ids of calls: these stand with the results, in order."""
    made = dspy.ToolCalls.model_validate(message[TOOL_CALLS])
    kept = to_jsonable_python(made.tool_call_results, fallback=str) or {}
    results = kept.get("tool_call_results", [])
    ids = [result["call_id"] for result in results] or [call.id for call in made.tool_calls]
    calls = (
        Call(id=call_id or "", name=call.name, args=as_json(call.args))
        for call_id, call in zip(ids, made.tool_calls, strict=True)
    )
    yield Turn(thought=str(message.get(THOUGHT) or ""), tool_calls=tuple(calls))
    for result in results:
        found = {name: result[name] for name in ("name", "value", "is_error")}
        yield Observation(tool_call_id=result["call_id"] or "", **found)
