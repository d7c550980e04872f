"""Scripts that are complete, whatever the subject does."""

from hypothesis import strategies as st

from react_tck.fakes.strategies.picking import among
from react_tck.fakes.strategies.replies import answer, answer_replies, finish, step_replies
from react_tck.model.intent import Attempts, Intent, Reply, Script
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

_MOST_STEPS = 4
#: How often the last step before the end is said, now and then more often than most loops go round.
_SAID = (1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6)


@st.composite
def scripts(draw: st.DrawFn, signature: Signature, tools: tuple[Tool, ...], calls: int = 1) -> Script:
    """Steps for as many calls of the instance, and answers; each queue ends with a good reply that stays for ever."""
    return script(draw, signature, tools, calls)


def script(draw: st.DrawFn, signature: Signature, tools: tuple[Tool, ...], calls: int) -> Script:
    """The same, inside another strategy."""
    steps: list[Intent] = []
    for call in range(calls):
        # Lists, because Hypothesis knows how to leave items of a list out.
        turns = draw(st.lists(_turns(step_replies(tools)), max_size=_MOST_STEPS))
        steps += [*turns[:-1], *turns[-1:] * draw(among(_SAID))]
        steps.append(finish(draw).model_copy(update={"sticky": call == calls - 1}))
    faulty = draw(st.lists(_turns(answer_replies(signature)), max_size=1))
    last = answer(draw, signature).model_copy(update={"sticky": True})
    return Script(steps=tuple(steps), answers=(*faulty, last))


@st.composite
def _turns(draw: st.DrawFn, replies: st.SearchStrategy[Reply]) -> Intent:
    """A reply; or one, and another to who asks again (ERR-006)."""
    first = draw(replies)
    return Attempts(replies=(first, draw(replies))) if draw(among((False, False, False, True))) else first
