"""The scripted LM: says what a script means in the dialect each request asks for, and keeps a journal.

It has no clock, no I/O and no randomness. A request the script doesn't provide for is refused, and the refusal
stands in the journal even if the subject swallows it.
"""

from collections import deque
from collections.abc import Iterable
from threading import Lock
from typing import assert_never

from react_tck.dialects import classify, render
from react_tck.fakes.journal import Journal
from react_tck.model.intent import Answer, CallTool, Empty, Fault, Finish, Intent, Raw, Script
from react_tck.model.lm import Ask, Completion, LMRequest
from react_tck.model.record import Asked

#: More requests than any scenario needs: a subject that never stops is cut off here.
BUDGET = 100


class LMRefusal(Exception):
    """The kit won't answer: unexpected request, script exhausted, or budget spent."""


class LMFault(Exception):
    """A scripted failure of the provider; `fault` says which."""

    def __init__(self, fault: str) -> None:
        super().__init__(f"scripted LM fault: {fault}")
        self.fault = fault


class ScriptedLM:
    """Answers the requests of one episode by its script."""

    def __init__(self, script: Script, dialects: Iterable[str], journal: Journal, *, budget: int = BUDGET) -> None:
        self._queues: dict[str, deque[Intent]] = {
            "step": deque(script.steps),
            "extraction": deque(script.answers),
        }
        self._dialects = tuple(dialects)
        self._journal = journal
        self._budget = budget
        self._served = 0
        self._lock = Lock()

    @property
    def left_over(self) -> tuple[Intent, ...]:
        """The intents that were never said; sticky ones may remain."""
        return tuple(i for queue in self._queues.values() for i in queue if not i.sticky)

    def complete(self, request: LMRequest) -> Completion:
        """The reply to a request.

        Raises:
            LMRefusal: if the script doesn't provide for the request.
            LMFault: if the script says that the provider fails here.
        """
        with self._lock:
            return self._complete(request)

    def _complete(self, request: LMRequest) -> Completion:
        ask = classify(request, self._dialects)
        seen = Asked(invocation=self._journal.invocation, request=request, ask=ask)
        try:
            intent = self._next(ask)
        except LMRefusal as refusal:
            self._journal.add(seen.model_copy(update={"refusal": str(refusal)}))
            raise
        completion = _say(intent, ask) if ask else None
        self._journal.add(seen.model_copy(update={"intent": intent, "completion": completion}))
        if completion is None:
            raise LMFault(intent.fault if isinstance(intent, Fault) else "")
        return completion

    def _next(self, ask: Ask | None) -> Intent:
        self._served += 1
        if self._served > self._budget:
            raise LMRefusal(f"LM budget spent: more than {self._budget} requests in one episode")
        if ask is None:
            raise LMRefusal(f"unexpected request: it asks for nothing known in {', '.join(self._dialects)}")
        queue = self._queues[ask.phase]
        if not queue:
            raise LMRefusal(f"script exhausted: no {ask.phase} intent left for this request")
        return queue[0] if queue[0].sticky else queue.popleft()


def _say(intent: Intent, ask: Ask) -> Completion | None:
    match intent:
        case CallTool() | Finish() | Answer():
            return render(intent, ask)
        case Raw(text=text):
            return Completion(content=text)
        case Empty():
            return Completion(content="")
        case Fault():
            return None
    assert_never(intent)
