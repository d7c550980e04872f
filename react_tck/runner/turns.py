"""A record cut into turns: what the LM said, and the tool runs between that and the next request."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import FINISH, STEPS, ParseError
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool, Finish, Raw
from react_tck.model.record import Asked, Record, ToolRan

#: Of thought, tool and args.
_TYPES = ("string", "string", "object")


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
    # What a request has no name for isn't in the reply: S0's reasoning is optional.
    names = next((names for names in STEPS if set(names[1:]) <= set(asked.ask.fields)), STEPS[0])
    schemas: Mapping[str, JsonObject] = {
        name: {"type": type_} for name, type_ in zip(names, _TYPES, strict=True) if name in asked.ask.fields
    }
    try:
        said = DIALECTS[asked.ask.dialect].parse(asked.completion, schemas)
    except ParseError:
        return None
    thought, tool, args = (said.get(name, "") for name in names)
    return CallTool.model_validate({"tool": tool, "args": args, "thought": thought})
