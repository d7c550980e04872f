"""What the LM says through an episode, in each of the systems."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.fakes.strategies.cases import Reach, values_of
from react_tck.fakes.strategies.replies import (
    FAULTS,
    answer_replies,
    draw_answer,
    draw_args,
    draw_finish,
    draw_submit,
    step_replies,
    turn_replies,
)
from react_tck.fakes.strategies.texts import among, counts, injections, texts, unencodable_texts
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Mode, Resumption
from react_tck.model.intent import Answer, Attempts, Empty, Fault, Finish, Garbled, Intent, Reply, Script, Submit
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

#: Limits of a loop; the first leaves it to the subject.
MAX_STEPS = (None, None, 5, 3, 2, 1, 0)
PLAIN_INPUTS: st.SearchStrategy[JsonValue] = st.one_of(texts(), texts(), texts(), injections())
#: The same, and texts with blank space that a resumed call may lose.
INDENTED_INPUTS = st.one_of(PLAIN_INPUTS, PLAIN_INPUTS, PLAIN_INPUTS, st.just("    indented,  two  blanks  "))
#: The same, and texts that no encoding can carry; on a wire it is the harness's JSON library that meets half a pair.
_ANY_INPUTS = {halves: st.one_of(PLAIN_INPUTS, unencodable_texts(halves=halves)) for halves in (True, False)}


def draw_invocation(
    draw: st.DrawFn,
    reach: Reach,
    signature: Signature,
    limits: tuple[int | None, ...] = MAX_STEPS,
    *,
    adapters: tuple[str | None, ...] = (None,),
    texts: st.SearchStrategy[JsonValue] = PLAIN_INPUTS,
) -> Invocation:
    """One call, with earlier turns where the signature has a history; under one of the adapters (ADP-005)."""
    own = (None, None, None, *limits) if reach.has("call-max-steps") else (None,)
    return Invocation(
        inputs=_draw_inputs(draw, signature, texts),
        history=_draw_history(draw, signature) if signature.history_field else None,
        mode=draw_mode(draw, reach),
        max_steps=draw(among(own)),
        adapter=draw(among(adapters)),
    )


def any_inputs(reach: Reach) -> st.SearchStrategy[JsonValue]:
    """Texts for inputs, those that no encoding can carry among them."""
    return _ANY_INPUTS[reach.has("caller-objects")]


def draw_mode(draw: st.DrawFn, reach: Reach) -> Mode:
    """Mostly the synchronous entry point."""
    modes: tuple[Mode, ...] = ("sync", "sync", "async") if reach.has("async") else ("sync",)
    return draw(among(modes))


def chain_calls(draw: st.DrawFn, calls: tuple[Invocation, ...]) -> tuple[Invocation, ...]:
    """Draw the same calls, each going on with the history of one before it: mostly the last, sometimes none."""
    followed = (_chain_call(draw, call, number) for number, call in enumerate(calls))
    return tuple(followed)


def _chain_call(draw: st.DrawFn, call: Invocation, number: int) -> Invocation:
    earlier = (number - 1, number - 1, number - 1, 0, None) if number else (None,)
    return call.model_copy(update={"follows": draw(among(earlier))})


def _draw_inputs(draw: st.DrawFn, signature: Signature, texts: st.SearchStrategy[JsonValue]) -> JsonObject:
    """Return a value of each input; now and then one too few, or one that the signature doesn't have (SIG-007)."""
    own = [each for each in signature.inputs if not each.history]
    inputs = {each.name: draw(texts if each.is_text else values_of(each)) for each in own}
    match draw(among(_FORMS_OF_INPUTS)):
        case "one too few" if own:
            del inputs[own[-1].name]
        case "one too many":
            inputs[_UNKNOWN_INPUT] = draw(texts)
    return inputs


def _draw_history(draw: st.DrawFn, signature: Signature) -> tuple[JsonObject, ...]:
    fields = [field for field in (*signature.inputs, *signature.outputs) if not field.history]
    return tuple({field.name: draw(values_of(field)) for field in fields} for _ in range(draw(counts(0, 2))))


#: Seldom, since such a call ends where it begins.
_FORMS_OF_INPUTS = (*("all",) * 38, "one too few", "one too many")
#: No field and no option of anybody's is called so.
_UNKNOWN_INPUT = "lighthouse"
_RESPONSES = {
    "plain": ("yes", "yes", "yes", "y", "no", "n"),
    "words": ("Not now.", "Yes, but only the FIRST page", "no, look it up", "Rome", "braces {}, no edit"),
    # What looks like an edit and is none; and nothing at all (CNF-012).
    "unreadable": ('{"edit": {"name": ', '{"edit": "add"}', '{"edit": {"args": [1]}}', '{"edit": {}}', "{}", ""),
}
_KINDS = ("plain",) * 5 + ("edit",) * 3 + ("words", "words", "unreadable")
#: What a person says; who does what is asked gets further: to the second suspension, to the end.
_PERSONS = (_KINDS, _KINDS, ("plain",), ("plain", "edit"))
#: What an edit gives; what it doesn't stays as the LM has it.
_EDITED = (("name", "args"), ("name", "args"), ("args",), ("name",))
#: How often a person responds: mostly often enough for a call to come to its end.
_TIMES = (0, 1, 2, 3, 4, 6, 6, 6)
#: An id that nothing was ever asked under.
_UNKNOWN_ID = "an-id-of-nobodys"


def draw_resumptions(
    draw: st.DrawFn, reach: Reach, tools: tuple[Tool, ...], *, elsewhere: bool
) -> tuple[Resumption, ...]:
    """Return what a person responds, time and again; `elsewhere`, now and then to another instance."""
    kinds = draw(among(_PERSONS))
    return tuple(_draw_resumption(draw, reach, tools, kinds, elsewhere=elsewhere) for _ in range(draw(among(_TIMES))))


def _draw_resumption(
    draw: st.DrawFn, reach: Reach, tools: tuple[Tool, ...], kinds: tuple[str, ...], *, elsewhere: bool
) -> Resumption:
    moves = (False, False, False, elsewhere and reach.has("portable-state"))
    return Resumption(
        response=_draw_response(draw, tools, kinds),
        mode=draw_mode(draw, reach),
        confirmation_id=draw(among((None,) * 9 + (_UNKNOWN_ID,))),
        elsewhere=draw(among(moves)),
    )


def _draw_response(draw: st.DrawFn, tools: tuple[Tool, ...], kinds: tuple[str, ...]) -> str:
    match draw(among(kinds)):
        case "edit" if tools:
            return _draw_edit(draw, tools[draw(counts(0, len(tools) - 1))])
        case kind:
            said: str = draw(among(_RESPONSES.get(kind, _RESPONSES["plain"])))
            return said


def _draw_edit(draw: st.DrawFn, tool: Tool) -> str:
    """Of both keys or of one; now and then without the args that the tool doesn't need, which the LM may have given."""
    args = draw_args(draw, tool, is_sparing=draw(among((False, True))))
    edit = {"name": tool.name, "args": args}
    return json.dumps({"edit": {key: edit[key] for key in draw(among(_EDITED))}})


_MOST_STEPS = 4
#: How often the last step before the end is said, now and then more often than most loops go round.
_SAID = (1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6)
#: What there is for who asks for a turn again: nothing of its own, any other reply, or a provider that fails.
_FOLLOWED = ("", "", "", "reply")
_FOLLOWED_IF_UNREAD = ("", "", "reply", "fault")
#: The same, up to more often than some loops do by default: a record of the last ten steps is short of some then.
SAID_LONG = (*_SAID[:-1], 12)


@dataclass(frozen=True)
class Talk:
    """What may be said at a turn, how a call is brought to its end, and what may be answered then."""

    steps: st.SearchStrategy[Reply]
    end: Callable[[st.DrawFn], Finish | Submit]
    answers: st.SearchStrategy[Reply]
    answer: Callable[[st.DrawFn], Answer]
    said: tuple[int, ...] = _SAID

    def saying_too(self, replies: st.SearchStrategy[Reply]) -> "Talk":
        """Return the same, and now and then one of these at a turn."""
        return replace(self, steps=st.one_of(self.steps, self.steps, replies))


def make_step_talk(signature: Signature, steps: st.SearchStrategy[Reply], answers: st.SearchStrategy[Reply]) -> Talk:
    """Return steps up to `finish`, then an answer."""
    return Talk(steps, draw_finish, answers, lambda draw: draw_answer(draw, signature))


def make_submit_talk(
    signature: Signature, tools: tuple[Tool, ...], *, at_once: bool, more: tuple[str, ...] = ()
) -> Talk:
    """Return turns up to a `submit` of the outputs (S2)."""
    turns = turn_replies(tools, signature, at_once=at_once, more=more)
    return Talk(
        turns, lambda draw: draw_submit(draw, signature), answer_replies(signature), lambda d: draw_answer(d, signature)
    )


@st.composite
def scripts(draw: st.DrawFn, signature: Signature, tools: tuple[Tool, ...], calls: int = 1) -> Script:
    """Draw steps for as many calls, and answers; each queue ends with a good reply that stays for ever."""
    return draw_script(draw, make_step_talk(signature, step_replies(tools), answer_replies(signature)), calls)


def draw_script(draw: st.DrawFn, talk: Talk, calls: int) -> Script:
    """Return the same in any system, inside another strategy."""
    steps: list[Intent] = []
    for call in range(calls):
        # Lists, because Hypothesis knows how to leave items of a list out.
        turns = draw(st.lists(_draw_turns(talk.steps), max_size=_MOST_STEPS))
        steps += [*turns[:-1], *turns[-1:] * draw(among(talk.said))]
        steps.append(talk.end(draw).model_copy(update={"sticky": call == calls - 1}))
    faulty = draw(st.lists(_draw_turns(talk.answers), max_size=1))
    last = talk.answer(draw).model_copy(update={"sticky": True})
    return Script(steps=tuple(steps), answers=(*faulty, last))


@st.composite
def _draw_turns(draw: st.DrawFn, replies: st.SearchStrategy[Reply]) -> Intent:
    """Draw a reply; or one, and another to who asks again, as who can't read the first may (ERR-006)."""
    first = draw(replies)
    is_asked_for_again = isinstance(first, Garbled | Empty)
    followed = draw(among(_FOLLOWED_IF_UNREAD if is_asked_for_again else _FOLLOWED))
    if followed == "fault":
        return Attempts(replies=(first, Fault(fault=draw(among(FAULTS)))))
    return Attempts(replies=(first, draw(replies))) if followed else first
