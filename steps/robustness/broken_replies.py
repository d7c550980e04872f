"""Given: replies of the LM that name no tool, whose args are no object, or whose form is broken."""

from typing import cast, get_args

from pytest_bdd import given, parsers

from react_tck.judges.verdict import Unsupported
from react_tck.model.base import JsonObject
from react_tck.model.intent import (
    Answer,
    Attempts,
    BadArgs,
    CallTool,
    Finish,
    Garbled,
    GarbledForm,
    Intent,
)
from react_tck.steps.language import TYPES
from react_tck.steps.world import World

_FORMS: tuple[str, ...] = get_args(GarbledForm)


@given(parsers.parse('the LM selects the unknown tool "{tool:Quoted}" with {args:Object}', extra_types=TYPES))
def lm_selects_unknown(world: World, tool: str, args: JsonObject) -> None:
    """One step that names a tool there isn't."""
    world.arrangement.steps.append(CallTool(tool=tool, args=args, thought=world.thought()))


@given(parsers.parse("the LM selects the tool {tool:Text} with {args:Object}", extra_types=TYPES))
def lm_selects_written(world: World, tool: str, args: JsonObject) -> None:
    """One step that names a tool in exactly this writing, quotes included."""
    world.arrangement.steps.append(CallTool(tool=tool, args=args, thought=world.thought()))


@given(parsers.parse('the LM keeps selecting the unknown tool "{tool:Quoted}"', extra_types=TYPES))
def lm_keeps_selecting(world: World, tool: str) -> None:
    """The same step for ever."""
    world.arrangement.steps.append(CallTool(tool=tool, thought=world.thought(), sticky=True))


@given(parsers.parse('the LM calls "{tool:Quoted}" with the args text "{text:Text}"', extra_types=TYPES))
def lm_writes_args(world: World, tool: str, text: str) -> None:
    """One step whose args are written exactly so."""
    world.arrangement.steps.append(BadArgs(tool=tool, text=text, thought=world.thought()))


@given(parsers.parse('the LM keeps calling "{tool:Quoted}" with the args text "{text:Text}"', extra_types=TYPES))
def lm_keeps_writing_args(world: World, tool: str, text: str) -> None:
    """The same step for ever."""
    world.arrangement.steps.append(BadArgs(tool=tool, text=text, thought=world.thought(), sticky=True))


@given(parsers.parse("that step is garbled: {form}"))
def step_is_garbled(world: World, form: str) -> None:
    """However often it is asked for."""
    _break(world.arrangement.steps, form)


@given(parsers.parse("that step is garbled at first: {form}"))
def step_is_garbled_at_first(world: World, form: str) -> None:
    """Whoever asks for it again gets it in good form."""
    _break_first(world.arrangement.steps, form)


@given(parsers.parse("that step is cut off after {percent:d} percent"))
def step_is_cut_off(world: World, percent: int) -> None:
    """However often it is asked for."""
    _break(world.arrangement.steps, "truncated", percent / 100)


@given(parsers.parse("that answer is garbled: {form}"))
def answer_is_garbled(world: World, form: str) -> None:
    """However often it is asked for, and in whatever turn."""
    _break(world.arrangement.answers, form, sticky=True)


@given(parsers.parse("that answer is garbled at first: {form}"))
def answer_is_garbled_at_first(world: World, form: str) -> None:
    """Whoever asks for it again gets it in good form."""
    _break_first(world.arrangement.answers, form)


@given(parsers.parse("that answer is cut off after {percent:d} percent"))
def answer_is_cut_off(world: World, percent: int) -> None:
    """However often it is asked for, and in whatever turn."""
    _break(world.arrangement.answers, "truncated", percent / 100, sticky=True)


@given("the agent asks again where a reply can't be read")
def asks_again(world: World) -> None:
    """Not every agent does; one that does says so in its manifest."""
    if not world.manifest.retries:
        raise Unsupported(f"{world.manifest.name} declares no retries")


def _break(queue: list[Intent], form: str, cut: float = 0.5, *, sticky: bool = False) -> None:
    garbled = _garbled(queue.pop(), form, cut)
    queue.append(garbled.model_copy(update={"sticky": sticky or garbled.sticky}))


def _break_first(queue: list[Intent], form: str) -> None:
    meant = queue.pop()
    assert isinstance(meant, CallTool | Finish | Answer)
    queue.append(Attempts(replies=(_garbled(meant, form, 0.5), meant), sticky=meant.sticky))


def _garbled(meant: Intent, form: str, cut: float) -> Garbled:
    assert isinstance(meant, CallTool | Finish | Answer)
    assert form in _FORMS, f"there is no form {form!r}"
    return Garbled(form=cast(GarbledForm, form), meant=meant, cut=cut, sticky=meant.sticky)
