"""The scripted LM: says what a script means in the dialect each request asks for, and keeps a journal.

It has no clock, no I/O and no randomness. A request the script doesn't provide for is refused, and the refusal
stands in the journal even if the subject swallows it.
"""

from collections import deque
from collections.abc import Iterable
from functools import partial
from threading import Lock
from typing import assert_never

from react_tck.dialects import classify, classify_answer, classify_last, render, takes_submit
from react_tck.dialects.fields import FINAL_ANSWER
from react_tck.fakes.journal import Journal
from react_tck.fakes.malformed.forms import bad_args, garbled
from react_tck.fakes.retries import AskedTurn
from react_tck.model.episode import Episode
from react_tck.model.intent import (
    Answer,
    BadArgs,
    Calls,
    CallTool,
    Empty,
    Fault,
    Finish,
    Garbled,
    Intent,
    Raw,
    Reply,
    Script,
    Submit,
)
from react_tck.model.lm import Ask, Completion, LMRequest
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked

#: The LM runs out of tokens in the middle of a sentence.
CUT_TEXT = "This reply would have gone on to say what is to be done next, but it is cut off right in the mid"
#: What is asked for where a history is summarised to fit (TRN-014).
SUMMARY = "summary"
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

    A subject that asks for no extraction is given the answer where the script means the loop to finish.
    """

    def __init__(
        self,
        script: Script,
        dialects: Iterable[str],
        journal: Journal,
        *,
        budget: int = BUDGET,
        has_extraction: bool = True,
        answer_tool: str | None = None,
    ) -> None:
        self._queues: dict[str, deque[Intent]] = {
            "step": deque(script.steps),
            "extraction": deque(script.answers),
        }
        self._dialects = tuple(dialects)
        self._journal = journal
        self._budget = budget
        self._has_extraction = has_extraction
        self._answer_tool = answer_tool
        self._turn: AskedTurn | None = None
        #: What was last said in a phase, to what, and how.
        self._said: dict[str, tuple[Reply, Ask, Completion | None]] = {}
        self._served = 0
        self._steps_allowed: int | None = None
        #: The turns of the call that were steps when they were asked for.
        self._steps: list[AskedTurn] = []
        self._lock = Lock()

    @property
    def left_over(self) -> tuple[Intent, ...]:
        """The intents that were never said; sticky ones may remain."""
        return tuple(i for queue in self._queues.values() for i in queue if not i.sticky)

    @property
    def is_silent(self) -> bool:
        """Whether the last that it did was to say nothing, as a provider that times out."""
        turn = self._turn
        if turn is None or turn.moment.invocation != self._journal.invocation:
            return False
        return isinstance(turn.reply, Fault) and turn.reply.fault == "timeout"

    def allow_steps(self, steps: int | None) -> None:
        """From now on, who can submit has so many steps; the request after them is for the answer.

        Nothing in such a request says so where the calls are written as text. None is for those who never force a
        submit: each of their requests says what it asks for.
        """
        self._steps_allowed, self._steps = steps, []

    def complete(self, request: LMRequest) -> Completion:
        """The reply to a request.

        Raises:
            LMRefusal: if the script doesn't provide for the request.
            LMFault: if the script says that the provider fails here.
        """
        with self._lock:
            return self._complete(request)

    def _complete(self, request: LMRequest) -> Completion:
        ask = self._classify(request)
        seen = partial(Asked, invocation=self._journal.invocation, request=request, ask=ask)
        try:
            turn, answered = self._next(request, ask)
        except LMRefusal as refusal:
            self._journal.asked(partial(seen, refusal=str(refusal)))
            raise
        reply = turn.reply
        if isinstance(reply, Garbled):  # what may be read in it depends on the dialect in which it is broken
            seen = partial(seen, ask=answered)
        if takes_submit(request, answered):
            reply = _submitted(reply)
        completion = self._say(reply, answered)
        self._journal.asked(partial(seen, intent=reply, attempt=turn.attempt, completion=completion))
        if completion is None:
            raise LMFault(reply.fault if isinstance(reply, Fault) else "")
        return completion

    def _say(self, reply: Reply, ask: Ask) -> Completion | None:
        """The reply as the request asks for it; sticky ones and retries are asked for again and again."""
        said = self._said.get(ask.phase)
        if said is None or said[0] is not reply or said[1] is not ask:
            said = self._said[ask.phase] = (reply, ask, _say(reply, ask))
        return said[2]

    def _classify(self, request: LMRequest) -> Ask | None:
        ask = classify(request, self._dialects)
        if ask is None and not self._has_extraction:
            return classify_last(request, self._dialects)
        if ask and self._has_no_step_left() and takes_submit(request, ask) and not self._repeated(request, ask):
            return ask.model_copy(update={"phase": "extraction"})
        return ask

    def _has_no_step_left(self) -> bool:
        """A turn of which nothing was heard in the end was no step: what comes after it asks for the same one."""
        if self._steps_allowed is None:
            return False
        return sum(not isinstance(turn.reply, Fault) for turn in self._steps) >= self._steps_allowed

    def _repeated(self, request: LMRequest, ask: Ask) -> AskedTurn | None:
        """The turn that is asked for again, if one is."""
        turn = self._turn
        return turn if turn and turn.is_asked_again(request, ask, self._journal.moment) else None

    def _next(self, request: LMRequest, ask: Ask | None) -> tuple[AskedTurn, Ask]:
        """The turn whose reply is due, and what of the request it is the reply to."""
        self._served += 1
        if self._served > self._budget:
            raise LMRefusal(f"LM budget spent: more than {self._budget} requests in one episode")
        if ask is None:
            raise LMRefusal(f"unexpected request: it asks for nothing known in {', '.join(self._dialects)}")
        if turn := self._repeated(request, ask):
            turn.attempt += 1
        else:
            turn = AskedTurn(request, ask, self._journal.moment, self._for(request, ask))
            self._turn = turn
            if ask.phase == "step":
                self._steps.append(turn)
        return turn, self._answered(request, ask, turn.reply)

    def _for(self, request: LMRequest, ask: Ask) -> Intent:
        if ask.fields == (SUMMARY,) and not self._has_said_summary():
            return Answer(outputs={SUMMARY: "so far so good"})
        # Who asks for `next_tool_name` can be told `finish`.
        if not self._is_over() or self._answer_ask(request, ask) is None:
            return self._take(ask.phase)
        intent = self._take("extraction")
        if isinstance(intent, Answer) and self._queues["step"]:
            self._take("step")  # the answer ended the loop, and was all there is to finish
        return intent

    def _has_said_summary(self) -> bool:
        """Whether the script says what is summarised; where it doesn't, the answer is kept for who asks for it."""
        answer = next(iter(self._queues["extraction"]), None)
        return not isinstance(answer, Answer) or SUMMARY in answer.outputs

    def _is_over(self) -> bool:
        """Whether the script means the loop to end, or to have ended with an answer that is given again and again."""
        steps, answers = self._queues["step"], self._queues["extraction"]
        return isinstance(steps[0], Finish) if steps else bool(answers) and answers[0].sticky

    def _answered(self, request: LMRequest, ask: Ask, reply: Reply) -> Ask:
        """What of the request the reply fills in; a broken answer is one in the form that the request has for it."""
        match reply:
            case Answer():
                return self._answer_ask(request, ask) or ask
            case Garbled(meant=Answer()):
                form = self._answer_ask(request, ask) or ask
                return ask if form.dialect == "native" else form.model_copy(update={"phase": ask.phase})
        return ask

    def _answer_ask(self, request: LMRequest, ask: Ask) -> Ask | None:
        """What a request for a step says of an answer, where the subject has no extraction that would ask for it."""
        if self._has_extraction:
            return None
        if takes_submit(request, ask) or FINAL_ANSWER in ask.fields:
            return ask
        return classify_answer(request, self._dialects, self._answer_tool) if ask.dialect == "native" else None

    def _take(self, phase: str) -> Intent:
        queue = self._queues[phase]
        if not queue:
            raise LMRefusal(f"script exhausted: no {phase} intent left for this request")
        return queue[0] if queue[0].sticky else queue.popleft()


def scripted_lm(episode: Episode, manifest: Manifest, journal: Journal) -> ScriptedLM:
    """The LM of an episode, for a subject with this manifest."""
    return ScriptedLM(
        episode.script,
        manifest.dialects,
        journal,
        has_extraction="extraction" in manifest.capabilities,
        answer_tool=manifest.answer_tool,
    )


def _submitted(reply: Reply) -> Reply:
    """An answer as one says it who has to call `submit`."""
    match reply:
        case Answer(outputs=outputs, reasoning=reasoning):
            return Submit(outputs=outputs, thought=reasoning)
        case Garbled(meant=Answer(outputs=outputs, reasoning=reasoning)):
            return reply.model_copy(update={"meant": Submit(outputs=outputs, thought=reasoning)})
    return reply


def _say(intent: Reply, ask: Ask) -> Completion | None:
    match intent:
        case Garbled():
            return garbled(intent, ask)
        case BadArgs():
            return bad_args(intent, ask)
        case CallTool() | Calls() | Finish() | Submit() | Answer():
            return render(intent, ask)
        case Raw(text=text):
            return Completion(content=text)
        case Empty():
            return Completion(content="")
        case Fault():
            return None
    assert_never(intent)
