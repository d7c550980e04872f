"""A transcript as `dspy.ReActV2` keeps it, which callers hold and files keep: a mapping a turn, and back (TRN-010).

A turn has the request it began with, the thought, the calls with their results, and the outputs it ended with. What no
turn says, a remark or a summary, stands as a thought, so that whoever reads on is told; beside it, as it is.
"""

from collections.abc import Iterator
from typing import Any

import dspy
from dspy.adapters.types.tool import ToolCallResults
from pydantic_core import to_jsonable_python

from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.loop.entries import as_json
from react_tck.reference.loop.views.trajectory import dump_entries, load_entries
from react_tck.reference.signatures.react import SignatureType
from react_tck.reference.signatures.transcript import HISTORY, THOUGHT, TOOL_CALLS

Turn = dict[str, Any]


def write_history(entries: loop.Entries) -> dspy.History:
    """Return the entries as a `dspy.History` with a mapping for each turn; `entries_of` reads it back."""
    results = {entry.tool_call_id: entry for entry in entries if isinstance(entry, loop.Observation)}
    turns: list[Turn] = []
    for entry in entries:
        match entry:
            case loop.Request(inputs=inputs):
                turns.append(dict(inputs))
            case loop.FinalAnswer(outputs=outputs):
                turns.append({**(turns.pop() if turns else {}), **outputs})
            case loop.AssistantTurn(thought=thought, tool_calls=calls):
                found = [results[call.id] for call in calls if call.id in results]
                turns.append(_pop_open_turn(turns) | {THOUGHT: thought, TOOL_CALLS: _write_calls(calls, found)})
            case loop.Remark(remark=said) | loop.Summary(summary=said):
                noted = {THOUGHT: said, TOOL_CALLS: dspy.ToolCalls(tool_calls=[]), HISTORY: dump_entries((entry,))}
                turns.append(_pop_open_turn(turns) | noted)
    return dspy.History(messages=[turn for turn in turns if turn])


def entries_of(history: Any, task: SignatureType) -> loop.Entries:
    """Return the entries of what a caller passes on: a history of ours or of `dspy.ReActV2`, or its JSON.

    Raises:
        ValueError: if it is none of these.
    """
    if history is None:
        return ()
    messages = dspy.History.model_validate(history).messages
    return tuple(entry for message in messages for entry in _read_entries(message, task))


def _pop_open_turn(turns: list[Turn]) -> Turn:
    """Return the turn that has a request alone, taken off, if the last one has; else a new one."""
    return turns.pop() if turns and TOOL_CALLS not in turns[-1] else {}


def _write_calls(calls: tuple[loop.Call, ...], found: list[loop.Observation]) -> dspy.ToolCalls:
    made = dspy.ToolCalls(tool_calls=[dspy.ToolCalls.ToolCall(**call.model_dump()) for call in calls])
    if found:
        results = [{"call_id": each.tool_call_id, **_pick_result(each.model_dump())} for each in found]
        made.tool_call_results = ToolCallResults.model_validate(results)
    return made


def _read_entries(message: Turn, task: SignatureType) -> Iterator[loop.Entry]:
    inputs, outputs = (_pick_fields(message, fields) for fields in (task.input_fields, task.output_fields))
    if not (inputs or outputs or message.keys() & {TOOL_CALLS, HISTORY}):
        known = ", ".join([*task.fields, TOOL_CALLS])
        raise ValueError(f"the history has a turn with none of {known}, but {', '.join(message) or 'nothing'}")
    if inputs:
        yield loop.Request(inputs=inputs)
    yield from load_entries(message.get(HISTORY, ()))
    if message.get(TOOL_CALLS):
        yield from _read_turn(message)
    if outputs:
        yield loop.FinalAnswer(outputs=outputs)


def _pick_fields(message: Turn, fields: dict[str, Any]) -> JsonObject:
    return as_json({name: message[name] for name in fields if name in message})


def _read_turn(message: Turn) -> Iterator[loop.Entry]:
    """Of a turn's JSON the calls have no ids: these stand with the results, in order."""
    made = dspy.ToolCalls.model_validate(message[TOOL_CALLS])
    if not made.tool_calls:
        return
    stored = to_jsonable_python(made.tool_call_results, fallback=str) or {}
    results = stored.get("tool_call_results", [])
    is_whole = len(results) == len(made.tool_calls)
    ids = [result["call_id"] for result in results] if is_whole else [call.id for call in made.tool_calls]
    calls = (
        loop.Call(id=call_id or "", name=call.name, args=as_json(call.args))
        for call_id, call in zip(ids, made.tool_calls, strict=True)
    )
    yield loop.AssistantTurn(thought=str(message.get(THOUGHT) or ""), tool_calls=tuple(calls))
    for result in results:
        yield loop.Observation(tool_call_id=result["call_id"] or "", **_pick_result(result))


def _pick_result(stored: Any) -> dict[str, Any]:
    return {name: stored[name] for name in ("name", "value", "is_error")}
