"""A record cut into turns: what the LM said, and what happens between that and the next request."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import FINISH, THOUGHT, TOOL_ARGS, TOOL_NAME, ParseError
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool, Finish, Raw
from react_tck.model.record import Asked, Record, Resumed, ToolRan
from react_tck.runner.consent import agreed

_STEP: Mapping[str, JsonObject] = {
    THOUGHT: {"type": "string"},
    TOOL_NAME: {"type": "string"},
    TOOL_ARGS: {"type": "object"},
}


@dataclass(frozen=True)
class Turn:
    """A request with what follows it; `asked` is None for what happened before any request."""

    asked: Asked | None
    runs: tuple[ToolRan, ...]
    #: What a person said to the call, where it was suspended.
    responses: tuple[Resumed, ...] = ()

    @property
    def call(self) -> CallTool | None:
        """The tool call to be made: the LM's, or what a person made of it; `finish` is a call like others."""
        return self.agreed or self._said

    @property
    def agreed(self) -> CallTool | None:
        """The call that a person agreed to."""
        return agreed(self._said, self.responses) if self._said else None

    @property
    def _said(self) -> CallTool | None:
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
    after: list[ToolRan | Resumed] = []
    for event in record.events:
        if isinstance(event, Asked):
            yield _turn(asked, after)
            asked, after = event, []
        elif isinstance(event, ToolRan | Resumed):
            after.append(event)
    yield _turn(asked, after)


def _turn(asked: Asked | None, after: list[ToolRan | Resumed]) -> Turn:
    runs = tuple(event for event in after if isinstance(event, ToolRan))
    return Turn(asked, runs, tuple(event for event in after if isinstance(event, Resumed)))


def _read(asked: Asked) -> CallTool | None:
    if asked.ask is None or asked.ask.phase != "step" or asked.completion is None:
        return None
    try:
        said = DIALECTS[asked.ask.dialect].parse(asked.completion, _STEP)
    except ParseError:
        return None
    return CallTool.model_validate({"tool": said[TOOL_NAME], "args": said[TOOL_ARGS], "thought": said[THOUGHT]})
