"""A record cut into turns: what the LM said, and what happens between that and the next request."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import BaseModel, ValidationError

from react_tck.dialects import find_dialect as dialect_of
from react_tck.dialects.fields import REASONING, TOOL_CALLS, ParseError, calls_of, step_names
from react_tck.dialects.markup import find_markup, has_markup
from react_tck.dialects.notations import parse_certain_args, read_both_values
from react_tck.fakes.malformed import both_readings, read_leniently
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, BadArgs, Calls, CallTool, Finish, Garbled, Raw, Submit
from react_tck.model.lm import Completion
from react_tck.model.record import Asked, Event, Record, Resumed, Returned, ToolRan
from react_tck.record.approvals import Question, collect_questions, match_agreements
from react_tck.record.visibility import read_name

#: Forms that name the tool, though nobody can tell for sure that it is to be run.
_NAMING = ("truncated", "missing-args", "contradicted-field", "null-thought", "listed-tool")
#: Forms of args with a key more, or one that is written in another way.
_KEYS = ("unknown-field", "wrong-case", "extra-spaces", "renamed-args", "flat-args")
#: Forms with a key twice, which is a key more where there are no args.
_TWICE = ("repeated-field", "contradicted-field")
#: Of thought, tool and args.
_TYPES = ("string", "string", "object")


class _Written(BaseModel):
    name: str
    args: JsonObject


class _Reply(BaseModel):
    tool_calls: tuple[_Written, ...]


@dataclass(frozen=True)
class Turn:
    """A request with what follows it; `asked` is None for what happened before any request.

    What the reply says is read once: every judge asks for it.
    """

    asked: Asked | None
    runs: tuple[ToolRan, ...]
    #: The calls of it that were suspended, with what a person said to them.
    questions: tuple[Question, ...] = ()
    #: Whether it was asked for again, so that this reply didn't count.
    is_retried: bool = False

    @cached_property
    def calls(self) -> tuple[CallTool, ...]:
        """The tool calls to be made: the LM's, or what a person made of it; `finish` and `submit` are calls too."""
        return tuple(agreed or call for call, agreed in zip(self.reply_calls, self.agreed_calls, strict=True))

    @cached_property
    def agreed_calls(self) -> tuple[CallTool | None, ...]:
        """Of each call that the LM's reply makes, what a person agreed to; None where nobody has."""
        return match_agreements(self.reply_calls, self.questions)

    @property
    def is_waiting(self) -> bool:
        """Whether one of several calls waits for a person, so that nobody knows when the others will run."""
        return len(self.reply_calls) > 1 and any(question.is_open for question in self.questions)

    @cached_property
    def reply_calls(self) -> tuple[CallTool, ...]:
        """The tool calls that the LM's reply makes; `finish` and `submit` are calls like others."""
        match self.asked:
            case Asked(intent=CallTool() | Calls() | Finish() | Submit() as intent):
                return calls_of(intent)
            case Asked(intent=Garbled() as garbled, ask=ask) if ask:
                first, _ = both_readings(garbled, ask) or (read_leniently(garbled, ask), None)
                return _list_calls(first)
            case Asked(intent=BadArgs() as step):
                return _read_args(step)
            case Asked(intent=Raw()) as asked:
                return _read_raw_reply(asked)
        return ()

    @cached_property
    def readings(self) -> tuple[CallTool, ...]:
        """The calls; and where a field or key stands twice, what it is by the first value and by the last."""
        match self.asked:
            case Asked(intent=Garbled() as garbled, ask=ask) if ask and (both := both_readings(garbled, ask)):
                return tuple(call for meant in both for call in _list_calls(meant))
            case Asked(intent=BadArgs(tool=tool, thought=thought, text=text)) if both_args := read_both_values(text):
                return tuple(CallTool(tool=tool, args=args, thought=thought) for args in both_args)
        return (*self.calls, *self.as_written)

    @property
    def as_written(self) -> tuple[CallTool, ...]:
        """The calls of a native reply whose args are broken by their keys: they are JSON objects as they stand."""
        match self.asked:
            case Asked(intent=Garbled() as garbled, completion=Completion(tool_calls=written)) if _has_keys(garbled):
                read = ((call.name, parse_certain_args(call.arguments)) for call in written)
                return tuple(CallTool(tool=name, args=args) for name, args in read if args is not None)
        return ()

    @property
    def reply_call(self) -> CallTool | None:
        """The tool call that the LM's reply makes, if it makes one."""
        return self.calls[0] if len(self.calls) == 1 else None

    def names_tool(self, tool: str, among: Iterable[str] = ()) -> bool:
        """Whether the LM's reply names this tool of several, exactly or nearly, whether or not its args can be read.

        So does a person who puts the tool in the place of the one that was asked about.
        """
        match self.asked:
            case Asked(intent=BadArgs(tool=written)):
                written_names: tuple[str, ...] = (written,)
            case Asked(intent=Garbled(form=form, meant=CallTool(tool=written))) if form in _NAMING:
                written_names = (written,)
            case _:
                written_names = tuple(call.tool for call in self.calls)
        put = (str(name) for question in self.questions for name in question.tools)
        known = (tool, *(self.asked.list_shown(among) if self.asked else among))
        return any(read_name(written, known).tool == tool for written in (*written_names, *put))

    @property
    def is_broken(self) -> bool:
        """Whether the script means args, or a whole reply, that may be read in more ways than one, or in none."""
        return self.asked is not None and isinstance(self.asked.intent, BadArgs | Garbled)

    @property
    def is_scripted(self) -> bool:
        """Whether the script means a call, rather than a text that happens to read as one."""
        return self.asked is not None and isinstance(self.asked.intent, CallTool | Calls | Finish | Submit)

    def find_runs(self, tool: str) -> list[ToolRan]:
        """Return the runs of one of the tools that the reply calls."""
        return [run for run in self.runs if run.tool == tool and any(call.tool == tool for call in self.calls)]

    def pair_runs(self) -> Iterator[tuple[CallTool, ToolRan | None]]:
        """Yield each call with what came of it; of the calls of one tool, the runs are in the order of the calls."""
        left = {call.tool: iter(self.find_runs(call.tool)) for call in self.calls}
        yield from ((call, next(left[call.tool], None)) for call in self.calls)


def split_turns(record: Record) -> Iterator[Turn]:
    """Yield the turns of a record, in order."""
    turns: list[Turn] = []
    asked: Asked | None = None
    after: list[Event] = []
    # What a person said to a call that isn't made again yet.
    said: list[Event] = []
    for event in record.events:
        if isinstance(event, Asked):
            is_retried = event.attempt > 0
            turns.append(_make_turn(asked, after, is_retried=is_retried))
            # What a person said to a call holds for the same call when it is asked for again.
            said = [*said, *(e for e in after if is_retried and not isinstance(e, ToolRan))]
            if is_retried:
                turns = _drop_superseded(turns, event)
            asked, after = event, []
            if said and _makes_call(event, collect_questions(said)):
                after, said = said, []
        elif isinstance(event, ToolRan | Resumed | Returned):
            after.append(event)
    yield from (*turns, _make_turn(asked, after))


def _drop_superseded(turns: list[Turn], again: Asked) -> list[Turn]:
    """Return the turns, up to one that is asked for again: behind a response a call may begin anew."""
    same = (n for n, turn in enumerate(turns) if turn.asked and turn.asked.request.messages == again.request.messages)
    first = next(same, len(turns))
    return [*turns[:first], *(replace(turn, is_retried=True) for turn in turns[first:])]


def _makes_call(asked: Asked, questions: tuple[Question, ...]) -> bool:
    """Tell whether the reply makes one of the calls that a person was asked about, as far as anybody can tell."""
    made = {call.tool for call in _make_turn(asked, []).reply_calls}
    return not made or any(question.name is None or question.name in made for question in questions)


def _make_turn(asked: Asked | None, after: list[Event], *, is_retried: bool = False) -> Turn:
    runs = tuple(event for event in after if isinstance(event, ToolRan))
    return Turn(asked, runs, collect_questions(after), is_retried)


def _list_calls(step: CallTool | Finish | Submit | Answer | None) -> tuple[CallTool, ...]:
    return () if step is None or isinstance(step, Answer) else calls_of(step)


def _read_args(step: BadArgs) -> tuple[CallTool, ...]:
    """Return the call, if its args can be read with certainty, whatever their notation."""
    args = parse_certain_args(step.text)
    return () if args is None else (CallTool(tool=step.tool, args=args, thought=step.thought),)


def _read_raw_reply(asked: Asked) -> tuple[CallTool, ...]:
    if asked.ask is None or asked.ask.phase != "step" or asked.completion is None:
        return ()
    several = TOOL_CALLS in asked.ask.fields
    names, types = ((TOOL_CALLS,), ("object",)) if several else (step_names(asked.ask.fields), _TYPES)
    # S0's reasoning is optional.
    asked_for = [name for name in names if name != REASONING or name in asked.ask.fields]
    schemas: Mapping[str, JsonObject] = {name: {"type": types[names.index(name)]} for name in asked_for}
    said = _parse_fields(asked.ask.dialect, asked.completion, schemas)
    if said is None:
        return ()
    return _read_several_calls(said) if several else _read_one_call(said, *names)


def _parse_fields(dialect: str, completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject | None:
    """Return the fields of a reply; a reader may do without the mark that ends it."""
    end = find_markup(dialect).end if has_markup(dialect) else ""
    ended = completion.model_copy(update={"content": f"{completion.content or ''}{end}"})
    for reply in (completion, ended):
        with suppress(ParseError):
            return dialect_of(dialect).parse_reply(reply, schemas)
    return None


def _read_one_call(said: JsonObject, thought: str, tool: str, args: str) -> tuple[CallTool, ...]:
    call = {"tool": said[tool], "args": said[args], "thought": said.get(thought, "")}
    return (CallTool.model_validate(call),)


def _read_several_calls(said: JsonObject) -> tuple[CallTool, ...]:
    try:
        written = _Reply.model_validate(said[TOOL_CALLS]).tool_calls
    except ValidationError:
        return ()
    return tuple(CallTool(tool=call.name, args=call.args) for call in written)


def _has_keys(garbled: Garbled) -> bool:
    """Tell whether args in this form are broken by their keys alone."""
    is_bare = isinstance(garbled.meant, CallTool) and not garbled.meant.args
    return garbled.form in _KEYS or (is_bare and garbled.form in _TWICE)
