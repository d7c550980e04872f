"""A record cut into turns: what the LM said, and the tool runs between that and the next request."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import FINISH, THOUGHT, TOOL_ARGS, TOOL_NAME, ParseError, strict_json
from react_tck.fakes.garble import reading
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, BadArgs, CallTool, Finish, Garbled, Raw
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
    #: Whether it was asked for again, so that this reply didn't count.
    is_retried: bool = False

    @property
    def call(self) -> CallTool | None:
        """The tool call that the LM's reply makes, if it makes one; `finish` is a call like others."""
        match self.asked:
            case Asked(intent=CallTool() | Finish() as step):
                return _as_call(step)
            case Asked(intent=Garbled() as garbled, ask=ask) if ask:
                return _as_call(reading(garbled, ask))
            case Asked(intent=BadArgs() as step):
                return _read_args(step)
            case Asked(intent=Raw()) as asked:
                return _read(asked)
        return None

    @property
    def named(self) -> str | None:
        """The tool that the LM's reply names, whether or not its args can be read; quotes around it apart."""
        name = self._named
        return undecorated(name) if name else name

    @property
    def _named(self) -> str | None:
        match self.asked:
            case Asked(intent=BadArgs(tool=tool)):
                return tool
            case Asked(intent=Garbled(form="truncated" | "missing-args", meant=CallTool(tool=tool))):
                return tool
        return self.call.tool if self.call else None

    @property
    def is_scripted(self) -> bool:
        """Whether the script means a call, rather than a text that happens to read as one."""
        return self.asked is not None and isinstance(self.asked.intent, CallTool | Finish)


def undecorated(name: str) -> str:
    """A tool's name without the blank space, quotes or backticks an LM may have put around it."""
    return name.strip().strip("\"'`*").strip()


def turns(record: Record) -> Iterator[Turn]:
    """The turns of a record, in order."""
    asked: Asked | None = None
    runs: list[ToolRan] = []
    for event in record.events:
        if isinstance(event, Asked):
            yield Turn(asked, tuple(runs), is_retried=event.attempt > 0)
            asked, runs = event, []
        elif isinstance(event, ToolRan):
            runs.append(event)
    yield Turn(asked, tuple(runs))


def _as_call(step: CallTool | Finish | Answer | None) -> CallTool | None:
    if isinstance(step, Finish):
        return CallTool(tool=FINISH, args=step.args, thought=step.thought)
    return step if isinstance(step, CallTool) else None


def _read_args(step: BadArgs) -> CallTool | None:
    """The call, if its args are an object after all, or the JSON text of one."""
    try:
        args = strict_json(step.text)
        args = strict_json(args) if isinstance(args, str) else args
    except ValueError:
        return None
    return CallTool(tool=step.tool, args=args, thought=step.thought) if isinstance(args, dict) else None


def _read(asked: Asked) -> CallTool | None:
    if asked.ask is None or asked.ask.phase != "step" or asked.completion is None:
        return None
    try:
        said = DIALECTS[asked.ask.dialect].parse(asked.completion, _STEP)
    except ParseError:
        return None
    return CallTool.model_validate({"tool": said[TOOL_NAME], "args": said[TOOL_ARGS], "thought": said[THOUGHT]})
