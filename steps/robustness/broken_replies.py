"""Given: replies of the LM that name no tool, whose args are no object, or whose form is broken."""

from typing import cast, get_args

from parse import with_pattern
from pytest_bdd import given, parsers

from react_tck.judges.verdict import Unsupported
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, Attempts, BadArgs, CallTool, Finish, Garbled, GarbledForm, Intent
from react_tck.steps.language import json_object, sentence
from react_tck.steps.world import World

_FORMS: tuple[str, ...] = get_args(GarbledForm)


@with_pattern("(?: at first)?")
def at_first(text: str) -> bool:
    """Whether who asks for it again gets it in good form."""
    return bool(text)


@with_pattern("calls|keeps calling")
def once_or_for_ever(text: str) -> bool:
    """Whether the same step is taken for ever."""
    return text.startswith("keeps")


@given(
    parsers.re(
        r"the LM (?P<keeps>keeps selecting|selects) the (?:unknown tool \"(?P<unknown>[^\"]*)\"|tool (?P<written>.+?))"
        r"(?: with (?P<args>\{.*\}))?"
    )
)
def lm_selects(world: World, keeps: str, unknown: str | None, written: str | None, args: str | None) -> None:
    """A step, or all further ones, that name a tool there isn't, or a tool in exactly this writing, quotes included."""
    given_args: JsonObject = json_object(args) if args else {}
    tool = written if unknown is None else unknown
    sticky = keeps == "keeps selecting"
    world.arrangement.steps.append(CallTool(tool=tool or "", args=given_args, thought=world.thought(), sticky=sticky))


@given(sentence('the LM {keeps:Keeps} "{tool:Quoted}" with the args text "{text:Text}"', Keeps=once_or_for_ever))
def lm_writes_args(world: World, keeps: bool, tool: str, text: str) -> None:
    """A step, or all further ones, whose args are written exactly so."""
    world.arrangement.steps.append(BadArgs(tool=tool, text=text, thought=world.thought(), sticky=keeps))


@given(sentence("that {phase:Phase} is garbled{first:AtFirst}: {form}", AtFirst=at_first))
def is_garbled(world: World, phase: str, first: bool, form: str) -> None:
    """However often it is asked for, an answer in whatever turn; or only at first."""
    queue = world.arrangement.queue(phase)
    if not first:
        _break(queue, form, keeps=phase == "extraction")
        return
    meant = queue.pop()
    queue.append(Attempts(replies=(_garbled(meant, form, 0.5), _meant(meant)), sticky=meant.sticky))


@given(sentence("that {phase:Phase} is cut off after {percent:d} percent"))
def is_cut_off(world: World, phase: str, percent: int) -> None:
    """However often it is asked for, an answer in whatever turn."""
    _break(world.arrangement.queue(phase), "truncated", percent / 100, keeps=phase == "extraction")


@given("the agent asks again where a reply can't be read")
def asks_again(world: World) -> None:
    """Not every agent does; one that does says so in its manifest."""
    if not world.manifest.retries:
        raise Unsupported(f"{world.manifest.name} declares no retries")


def _break(queue: list[Intent], form: str, cut: float = 0.5, *, keeps: bool) -> None:
    garbled = _garbled(queue.pop(), form, cut)
    queue.append(garbled.model_copy(update={"sticky": keeps or garbled.sticky}))


def _garbled(meant: Intent, form: str, cut: float) -> Garbled:
    assert form in _FORMS, f"there is no form {form!r}"
    return Garbled(form=cast(GarbledForm, form), meant=_meant(meant), cut=cut, sticky=meant.sticky)


def _meant(intent: Intent) -> CallTool | Finish | Answer:
    assert isinstance(intent, CallTool | Finish | Answer)
    return intent
