"""A record beside its prediction, line by line, up to where they part."""

import json
from collections.abc import Iterator

from react_tck.judges.oracle.positions import Position
from react_tck.model.record import Event
from react_tck.model.report import Beat, Lane
from react_tck.record.course import describe_deed
from react_tck.reference import loop

_WIDTH = 52
#: Events shown before the first departure.
_BEFORE = 6


def draw_side_by_side(agreed: tuple[Event, ...], positions: tuple[Position, ...], event: Event) -> str:
    """Return the last events on which both agree, and the first on which they don't."""
    expected = " or ".join(dict.fromkeys(_describe_due_action(position) for position in positions)) or "nothing"
    return "\n".join(_draw_lines(agreed, expected, event))


def list_due_beats(positions: tuple[Position, ...]) -> tuple[Beat, ...]:
    """Return what was to happen next, one of these, as it is drawn."""
    return tuple(
        dict.fromkeys(Beat(lane=_pick_lane(position), does=_describe_due_action(position)) for position in positions)
    )


def _pick_lane(position: Position) -> Lane:
    if position.stage in ("suspended", "over", "refusing"):
        return "agent"
    match position.action:
        case loop.AskStep() | loop.AskExtraction() | loop.AskSummary():
            return "LM"
        case loop.RunTool():
            return "tools"
    return "LM" if position.stage == "repeating" else "agent"


def _draw_lines(agreed: tuple[Event, ...], expected: str, event: Event) -> Iterator[str]:
    yield f"   {'expected':<{_WIDTH}} actual"
    if len(agreed) > _BEFORE:
        yield f"   … {len(agreed) - _BEFORE} events before"
    for each in agreed[-_BEFORE:]:
        yield f"   {_cut_text(describe_deed(each)):<{_WIDTH}} {describe_deed(each)}"
    first, *more = _split_alternatives(expected)
    yield f">> {first:<{_WIDTH}} {describe_deed(event)}"
    yield from (f"   {line}" for line in more)


def _describe_due_action(position: Position) -> str:
    match position.stage:
        case "suspended" | "over":
            return "nothing"
        case "refusing":
            return "refuses the response"
        case "repeating":
            return "asks once more for the step that was responded to"
        case "retrying":
            return "asks once more for the step"
    match position.action:
        case loop.AskStep():
            return "asks for a step"
        case loop.AskExtraction():
            return "asks for the extraction"
        case loop.AskSummary():
            return "asks for a summary"
        case loop.RunTool(call=call):
            return f"runs {call.name}({_write_json(call.args)})"
        case loop.End(error=None):
            return "ends with what the LM answered"
        case loop.AwaitResponse(call=call):
            return f"waits for a response to {call.name}({_write_json(call.args)})"
        case loop.End():
            return "ends with an error"


def _write_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cut_text(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


def _split_alternatives(text: str) -> list[str]:
    parts = text.split(" or ")
    return [part if number == 0 else f"or {part}" for number, part in enumerate(parts)]
