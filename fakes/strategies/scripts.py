"""Scripts that are complete, whatever the subject does."""

from collections.abc import Callable

from hypothesis import strategies as st

from react_tck.fakes.strategies.picking import among, counts
from react_tck.fakes.strategies.replies import answer, answer_reply, finish, step_reply
from react_tck.model.intent import Attempts, Intent, Reply, Script
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

_MOST_STEPS = 4


@st.composite
def scripts(draw: st.DrawFn, signature: Signature, tools: tuple[Tool, ...], calls: int = 1) -> Script:
    """Steps for as many calls of the instance, and answers; each queue ends with a good reply that stays for ever."""
    return script(draw, signature, tools, calls)


def script(draw: st.DrawFn, signature: Signature, tools: tuple[Tool, ...], calls: int) -> Script:
    """The same, inside another strategy."""
    steps: list[Intent] = []
    for call in range(calls):
        steps += [_turn(draw, lambda: step_reply(draw, tools)) for _ in range(draw(counts(0, _MOST_STEPS)))]
        steps.append(finish(draw).model_copy(update={"sticky": call == calls - 1}))
    faulty = [_turn(draw, lambda: answer_reply(draw, signature)) for _ in range(draw(counts(0, 1)))]
    last = answer(draw, signature).model_copy(update={"sticky": True})
    return Script(steps=tuple(steps), answers=(*faulty, last))


def _turn(draw: st.DrawFn, reply: Callable[[], Reply]) -> Intent:
    """A reply; or one, and another to who asks again (ERR-006)."""
    first = reply()
    return Attempts(replies=(first, reply())) if draw(among((False, False, False, True))) else first
