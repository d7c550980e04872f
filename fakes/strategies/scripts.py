"""Scripts that are complete, whatever the subject does."""

from hypothesis import strategies as st

from react_tck.fakes.strategies.replies import answer_replies, answers, finishes, step_replies
from react_tck.model.intent import Attempts, Intent, Reply, Script
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

_MOST_STEPS = 4


@st.composite
def scripts(draw: st.DrawFn, signature: Signature, tools: tuple[Tool, ...], calls: int = 1) -> Script:
    """Steps for as many calls of the instance, and answers; each queue ends with a good reply that stays for ever."""
    replies, extractions = step_replies(tools), answer_replies(signature)
    steps: list[Intent] = []
    for call in range(calls):
        steps += draw(st.lists(_turns(replies), max_size=_MOST_STEPS))
        steps.append(draw(finishes()).model_copy(update={"sticky": call == calls - 1}))
    faulty = draw(st.lists(_turns(extractions), max_size=1))
    last = draw(answers(signature)).model_copy(update={"sticky": True})
    return Script(steps=tuple(steps), answers=(*faulty, last))


@st.composite
def _turns(draw: st.DrawFn, replies: st.SearchStrategy[Reply]) -> Intent:
    """A reply; or one, and another to who asks again (ERR-006)."""
    first = draw(replies)
    if not draw(st.sampled_from((False, False, False, True))):
        return first
    return Attempts(replies=(first, draw(replies)))
