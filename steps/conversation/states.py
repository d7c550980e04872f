"""Then: the machine states, what the messages of each show and ask for (CNV-004 to CNV-008, CNV-013)."""

import re
from typing import Literal

from parse import with_pattern
from pytest_bdd import parsers, then

from react_tck.dialects import machina
from react_tck.dialects.machina import (
    HEADING,
    STEP_FIELDS,
    STEP_STATES,
    Layout,
    read_layouts,
    read_requirements,
    state_of,
    value_of,
)
from react_tck.judges.conversations import find_other_fields, find_unmasked_fields
from react_tck.judges.verdict import Violation, check
from react_tck.model.lm import Message
from react_tck.model.record import Asked, ToolRan
from react_tck.record.reactions import holds_value, strip_mark
from react_tck.record.visibility import hides_value, is_small
from react_tck.steps.language import sentence
from react_tck.steps.world import World

_REASONING = "reasoning"
#: From each state, where S0 lets the machine go; `user_query` to `finish` is a choice.
_LEGAL = {
    None: ("user_query",),
    "user_query": ("tool_result", "finish"),
    "tool_result": ("tool_result", "interrupted", "finish"),
}


@then(sentence("the LM was asked in the states {names:Names}"))
def asked_in_states(world: World, names: tuple[str, ...]) -> None:
    """In this order, in the last call."""
    found = [str(read_state(asked)) for asked in _last_call(world)]
    check(found == [*names], f"the states are {', '.join(names)}", f"they are {', '.join(found)}")


@then("the machine took only legal transitions")
def only_legal(world: World) -> None:
    """Every call begins with `user_query`; a tool that ran in between is the state `tool_result`."""
    for number in range(world.record.call_count):
        _only_legal(world, number)


@then(sentence('the system prompt gives the state "{name}" the inputs {names:Names}'))
def documents_inputs(world: World, name: str, names: tuple[str, ...]) -> None:
    """The state has exactly these inputs, in any order."""
    for asked in world.record.requests:
        found = _find_layout(asked, name).inputs
        expected = f"{name!r} has the inputs {', '.join(names)}"
        check(sorted(found) == sorted(names), expected, f"it has {', '.join(found)}", asked)


@then(sentence('the system prompt gives the state "{name}" the outputs {names:Names}'))
def documents_outputs(world: World, name: str, names: tuple[str, ...]) -> None:
    """These in order; `reasoning` may stand before them."""
    for asked in world.record.requests:
        found = list(_find_layout(asked, name).outputs)
        holds = found in ([*names], [_REASONING, *names])
        check(holds, f"{name!r} has the outputs {', '.join(names)}", f"it has {', '.join(found)}", asked)


@then("every request asks for exactly the fields of its state, in order, and then for the completed marker")
def asks_for_fields(world: World) -> None:
    """`reasoning` may stand before them."""
    for asked in world.record.requests:
        fields_of_state(world, last_message(asked), asked)
        for violation in find_other_fields(asked, _list_outputs(world)):
            raise violation


@then("every request names the fields of the other states as not to be generated")
def names_masked_fields(world: World) -> None:
    """All of them, and no other."""
    for asked in world.record.requests:
        fields_of_state(world, last_message(asked), asked)
        for violation in find_unmasked_fields(asked, _list_outputs(world)):
            raise violation


@with_pattern("shows|asks for")
def shows_or_asks(text: str) -> str:
    """What a message does with its fields."""
    return text


@then(sentence('every message in the state "{name}" {does:Does} exactly {names:Names}', Does=shows_or_asks))
def has_exactly(world: World, name: str, does: Literal["shows", "asks for"], names: tuple[str, ...]) -> None:
    """It shows these input fields, `machine_state` first, or asks for these outputs, in order."""
    for asked in _in_state(world, name):
        if does == "shows":
            found = shown_fields(last_message(asked))
            holds = found[:1] == ["machine_state"] and sorted(found) == sorted(names)
        else:
            found = read_requirements(last_message(asked))[0]
            holds = found == [*names]
        check(holds, f"the message in the state {name!r} {does} {', '.join(names)}", f"{', '.join(found)}", asked)


@then(sentence('every message in the state "{name}" gives a value for "{field}"'))
def gives_value(world: World, name: str, field: str) -> None:
    """The message has the field, whatever its value is."""
    for asked in _in_state(world, name):
        found = value_of(last_message(asked), field)
        check(bool(found), f"the message in the state {name!r} gives its {field!r}", "it gives none", asked)


@then(sentence('every message in the state "{name}" gives the result of the last tool for "{field}"'))
def gives_last_result(world: World, name: str, field: str) -> None:
    """The result is that of the last of all tools that ran."""
    for asked in _in_state(world, name):
        runs = world.record.tool_runs
        check(bool(runs), "a tool ran", "none did", asked)
        found = value_of(last_message(asked), field)
        result, told = runs[-1].result, strip_mark(found, runs[-1].tool)
        is_shown = (
            any(holds_value(each, result) for each in told) if is_small(result) else not hides_value(found, result)
        )
        check(is_shown, f"its {field!r} is {result!r}", f"it is {found!r}", asked)


@then(parsers.re("(?P<which>every|no) request asks for reasoning"))
def asks_for_reasoning(world: World, which: Literal["every", "no"]) -> None:
    """In every state, and first; or not at all, nor is it shown or documented as a field anywhere."""
    for asked in world.record.requests:
        if which == "every":
            found = read_requirements(last_message(asked))[0]
            check(found[:1] == [_REASONING], "reasoning is asked for first", f"asked for: {', '.join(found)}", asked)
        else:
            has_field = re.search(rf"`{_REASONING}`|## {_REASONING} ##", asked.request.text) is not None
            check(not has_field, "no field `reasoning` is asked for or shown", "there is one", asked)


def fields_of_state(world: World, text: str, asked: Asked) -> list[str]:
    """What a user message in its state has to be answered with, reasoning apart.

    Raises:
        Violation: if it names no state.
    """
    name = state_of(text)
    if name is None:
        raise Violation("every user message begins with its machine_state", f"one begins {text[:60]!r}", asked)
    return [*STEP_FIELDS] if name in STEP_STATES else _list_outputs(world)


def _list_outputs(world: World) -> list[str]:
    return [field.name for field in world.arrangement.signature.outputs]


def _last_call(world: World) -> tuple[Asked, ...]:
    return world.record.of_call(world.last_call).requests


def _in_state(world: World, name: str) -> list[Asked]:
    found = [asked for asked in world.record.requests if read_state(asked) == name]
    if not found:
        raise Violation(f"the LM is asked in the state {name!r}", "it never was")
    return found


def _find_layout(asked: Asked, name: str) -> Layout:
    documented = read_layouts(asked.request.system_text)
    if name not in documented:
        raise Violation(f"the system prompt documents the state {name!r}", "it does not", asked)
    return documented[name]


def _only_legal(world: World, number: int) -> None:
    now: str | None = None
    for event in world.record.of_call(number).events:
        if isinstance(event, ToolRan):
            now = "tool_result"
        if isinstance(event, Asked):
            following = read_state(event)
            legal = _LEGAL.get(now, ())
            expected = f"from {now or 'the start'} the machine goes to {' or '.join(legal) or 'no other state'}"
            check(following in legal, expected, f"it went to {following}", event)
            now = following


_COMPLETED = "completed"


def read_state(asked: Asked) -> str | None:
    """The machine state in which the LM is asked."""
    return machina.machine_state(asked.request)


def list_messages(asked: Asked) -> tuple[Message, ...]:
    """The messages of the conversation: all but the system prompt."""
    return tuple(m for m in asked.request.messages if m.role not in ("system", "developer"))


def list_texts(asked: Asked, role: str) -> list[str]:
    """What the messages of a role say."""
    return [message.content or "" for message in list_messages(asked) if message.role == role]


def last_message(asked: Asked) -> str:
    """What the last message says: it asks."""
    return asked.request.messages[-1].content or ""


def shown_fields(text: str) -> list[str]:
    """The fields that a message gives, in order; `completed` is none."""
    return [name for name in HEADING.findall(text) if name != _COMPLETED]


def pair_messages(asked: Asked) -> list[tuple[str, str]]:
    """Each earlier user message with the assistant message after it."""
    messages = list_messages(asked)
    return [(one.content or "", two.content or "") for one, two in zip(messages[::2], messages[1::2], strict=False)]
