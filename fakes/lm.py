"""The scripted LM: says what a script means in the dialect each request asks for, and keeps a journal.

It has no clock, no I/O and no randomness. A request the script doesn't provide for is refused, and the refusal
stands in the journal even if the subject swallows it.
"""

from collections import deque
from collections.abc import Iterable
from functools import partial
from threading import Lock
from typing import assert_never

from react_tck.dialects import classify, classify_answer, render
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
    """Answers the requests of one episode by its script.

    A native subject without an extraction is given the answer where the script means the loop to finish.
    """

    def __init__(
        self,
        script: Script,
        dialects: Iterable[str],
        journal: Journal,
        *,
        budget: int = BUDGET,
        has_extraction: bool = True,
    ) -> None:
        self._queues: dict[str, deque[Intent]] = {
            "step": deque(script.steps),
            "extraction": deque(script.answers),
        }
        self._dialects = tuple(dialects)
        self._journal = journal
        self._budget = budget
        self._has_extraction = has_extraction
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
        seen = partial(Asked, invocation=self._journal.invocation, request=request, ask=ask)
        try:
            intent, answered = self._next(request, ask)
        except LMRefusal as refusal:
            self._journal.add(partial(seen, refusal=str(refusal)))
            raise
        completion = _say(intent, answered)
        self._journal.add(partial(seen, intent=intent, completion=completion))
        if completion is None:
            raise LMFault(intent.fault if isinstance(intent, Fault) else "")
        return completion

    def _next(self, request: LMRequest, ask: Ask | None) -> tuple[Intent, Ask]:
        """What to say, and what of the request it is the reply to."""
        self._served += 1
        if self._served > self._budget:
            raise LMRefusal(f"LM budget spent: more than {self._budget} requests in one episode")
        if ask is None:
            raise LMRefusal(f"unexpected request: it asks for nothing known in {', '.join(self._dialects)}")
        return self._for(request, ask)

    def _for(self, request: LMRequest, ask: Ask) -> tuple[Intent, Ask]:
        # A text dialect asks for `next_tool_name`, and so can be told `finish`.
        is_one_phase = ask.dialect == "native" and not self._has_extraction
        is_over = isinstance(next(iter(self._queues["step"]), None), Finish)
        answer_ask = classify_answer(request, self._dialects) if is_one_phase and is_over else None
        if answer_ask is None:
            return self._take(ask.phase), ask
        intent = self._take("extraction")
        if isinstance(intent, Answer):
            self._take("step")  # the answer ended the loop, and was all there is to finish
        return intent, answer_ask

    def _take(self, phase: str) -> Intent:
        queue = self._queues[phase]
        if not queue:
            raise LMRefusal(f"script exhausted: no {phase} intent left for this request")
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
