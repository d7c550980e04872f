"""A record cut into turns: what the LM said, and the tool runs between that and the next request."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import FINISH, THOUGHT, TOOL_ARGS, TOOL_NAME, ParseError
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool, Finish, Raw
from react_tck.model.record import Asked, Record, ToolRan

_STEP: Mapping[str, JsonObject] = {
    THOUGHT: {"type": "string"},
    TOOL_NAME: {"type": "string"},
    TOOL_ARGS: {"type": "object"},
}


@dataclass(frozen=True)
class Turn:
    """A request with the tool runs after it; `asked` is None for what happened before any request."""

    asked: Asked | None
    runs: tuple[ToolRan, ...]

    @property
    def call(self) -> CallTool | None:
        """The tool call that the LM's reply makes, if it makes one; `finish` is a call like others."""
        match self.asked:
            case Asked(intent=CallTool() as call):
                return call
            case Asked(intent=Finish(args=args, thought=thought)):
                return CallTool(tool=FINISH, args=args, thought=thought)
            case Asked(intent=Raw()) as asked:
                return _read(asked)
        return None

    @property
    def is_scripted(self) -> bool:
        """Whether the script means a call, rather than a text that happens to read as one."""
        return self.asked is not None and isinstance(self.asked.intent, CallTool | Finish)


def turns(record: Record) -> Iterator[Turn]:
    """The turns of a record, in order."""
    asked: Asked | None = None
    runs: list[ToolRan] = []
    for event in record.events:
        if isinstance(event, Asked):
            yield Turn(asked, tuple(runs))
            asked, runs = event, []
        elif isinstance(event, ToolRan):
            runs.append(event)
    yield Turn(asked, tuple(runs))


def _read(asked: Asked) -> CallTool | None:
    if asked.ask is None or asked.ask.phase != "step" or asked.completion is None:
        return None
    try:
        said = DIALECTS[asked.ask.dialect].parse(asked.completion, _STEP)
    except ParseError:
        return None
    return CallTool.model_validate({"tool": said[TOOL_NAME], "args": said[TOOL_ARGS], "thought": said[THOUGHT]})
