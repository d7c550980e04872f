"""What the LM says through an episode, in each of the systems."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from react_tck.fakes.strategies.draws import among
from react_tck.fakes.strategies.replies import (
    FAULTS,
    answer_replies,
    draw_answer,
    draw_finish,
    draw_submit,
    step_replies,
    turn_replies,
)
from react_tck.model.intent import Answer, Attempts, Empty, Fault, Finish, Garbled, Intent, Reply, Script, Submit
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

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
