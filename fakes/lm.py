"""The scripted LM: says what a script means in the dialect each request asks for, and keeps a journal.

It has no clock, no I/O and no randomness. A request the script doesn't provide for is refused, and the refusal
stands in the journal even if the subject swallows it.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import NamedTuple, assert_never

from react_tck.adapter.lm import LMFault, LMRefusal
from react_tck.dialects import render_reply
from react_tck.dialects.fields import FINISH, SUBMIT, THOUGHT
from react_tck.dialects.markup import as_text
from react_tck.dialects.reading import RequestReader, RequestReading
from react_tck.fakes.conversation import StrictRequest
from react_tck.fakes.journal import Journal, Moment
from react_tck.fakes.malformed import bad_args, garble_reply
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import (
    Answer,
    Attempts,
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
from react_tck.model.lm import Ask, Completion, LMRequest, Message
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked
from react_tck.model.requirement import variants_of


class WrittenReply(NamedTuple):
    """A reply as it was sent."""

    #: What the script means, in the words that the request has for it.
    reply: Reply
    #: What of the request it answers; of a broken reply, the form in which it is broken.
    ask: Ask
    #: None where the provider fails.
    completion: Completion | None


class ReplyWriter:
    """Writes the replies of one episode."""

    def __init__(self) -> None:
        #: What was last written in a phase: sticky replies and retries are asked for again and again.
        self._last: dict[str, WrittenReply] = {}

    def write_reply(self, reply: Reply, reading: RequestReading) -> WrittenReply:
        """Return the reply as the request asks for it."""
        answered = _choose_form(reading, reply)
        if answered.takes_submit:
            reply = _turn_into_submit(reply)
        if answered.ask.dialect == "native" and answered.phase == "step" and THOUGHT not in answered.ask.fields:
            reply = _leave_out_thought(reply)
        last = self._last.get(answered.phase)
        if last is None or last.reply is not reply or last.ask is not answered.ask:
            last = self._last[answered.phase] = WrittenReply(
                reply, answered.ask, _write_completion(reply, answered.ask)
            )
        return last


def _choose_form(reading: RequestReading, reply: Reply) -> RequestReading:
    """Return the request as the reply answers it; a broken answer is one in the form that the request has for it."""
    match reply:
        case Answer() if form := reading.answer_ask:
            return reading.with_ask(form)
        case Garbled(meant=Answer()) if (form := reading.answer_ask) and form.dialect != "native":
            return reading.with_ask(form.model_copy(update={"phase": reading.phase}))
    return reading


def _turn_into_submit(reply: Reply) -> Reply:
    """Return an answer as one says it who has to call `submit`."""
    match reply:
        case Answer(outputs=outputs, reasoning=reasoning):
            return Submit(outputs=outputs, thought=reasoning)
        case Garbled(meant=Answer(outputs=outputs, reasoning=reasoning)):
            return reply.model_copy(update={"meant": Submit(outputs=outputs, thought=reasoning)})
    return reply


def _leave_out_thought(reply: Reply) -> Reply:
    """Return a step as one says it who may say nothing beside its calls."""
    match reply:
        case CallTool() | Calls() | Finish() | Submit() | BadArgs():
            return reply.model_copy(update={"thought": ""})
        case Garbled(meant=CallTool() | Finish() | Submit() as meant):
            return reply.model_copy(update={"meant": _leave_out_thought(meant)})
    return reply


def _write_completion(reply: Reply, ask: Ask) -> Completion | None:
    match reply:
        case Garbled():
            return garble_reply(reply, ask)
        case BadArgs():
            return bad_args(reply, ask)
        case CallTool() | Calls() | Finish() | Submit() | Answer():
            return render_reply(reply, ask)
        case Raw(text=text):
            return Completion(content=text)
        case Empty():
            return Completion(content="")
        case Fault():
            return None
    assert_never(reply)


def breaks_off(reply: Reply, case: Case, manifest: Manifest) -> bool:
    """Tell whether nothing but the answer follows such a reply to a step, if no tool has run by it."""
    choice = _find_choice(reply, case, manifest)
    variants = variants_of(manifest.choices.get(choice, "")) if choice else [""]
    return all(variant.endswith(("extract", "error")) for variant in variants)


def _find_choice(reply: Reply, case: Case, manifest: Manifest) -> str | None:
    """Return the choice that says what follows, by its name; None of a reply that can be followed."""
    match reply:
        case Fault(fault=fault) if fault != "context-window":
            return "lm-fault"
        case Garbled():
            return "malformed-reply"
        case BadArgs():
            return "malformed-args"
        case CallTool(tool=tool) | Calls(calls=(CallTool(tool=tool), *_)):
            known = (FINISH, SUBMIT, manifest.clarification_tool, *(each.name for each in case.tools))
            return None if tool in known else "unknown-tool"
    return None


@dataclass(slots=True)
class AskedTurn:
    """What is said at one turn, to whoever asks first and to whoever asks again: a retry never eats the next turn's."""

    reading: RequestReading
    moment: Moment
    intent: Intent
    attempt: int = 0

    def is_like(self, reading: RequestReading, moment: Moment) -> bool:
        """Tell whether these are the same messages again, or fields in another dialect, as adapters of dspy's ask."""
        if moment != self.moment:
            return False
        now, before = reading.ask, self.reading.ask
        if now.dialect != before.dialect and set(now.fields) == set(before.fields):
            return True
        return self.has_same_messages(reading)

    def has_same_messages(self, reading: RequestReading) -> bool:
        """Tell whether the request is this turn's, word for word."""
        messages, known = reading.request.messages, self.reading.request.messages
        return _read_prompt_end(messages) == _read_prompt_end(known) and messages == known

    @property
    def phase(self) -> str:
        """What it was asked for as: a step, or the answer."""
        return self.reading.phase

    @property
    def reply(self) -> Reply:
        """What is said to the latest attempt."""
        if not isinstance(self.intent, Attempts):
            return self.intent
        return self.intent.replies[min(self.attempt, len(self.intent.replies) - 1)]


def _read_prompt_end(messages: Sequence[Message]) -> list[str | None]:
    """Return what a prompt ends with, which tells most of them apart."""
    return [message.content for message in messages[-1:]]


#: The LM runs out of tokens in the middle of a sentence.
CUT_TEXT = "This reply would have gone on to say what is to be done next, but it is cut off right in the mid"
#: What is asked for where a history is summarised to fit (TRN-014).
SUMMARY = "summary"
#: More requests than any scenario needs: a subject that never stops is cut off here.
BUDGET = 100
#: How a refusal begins where the script has no reply left.
EXHAUSTED = "script exhausted"
#: How a refusal begins once there have been more.
SPENT = "LM budget spent"


class EpisodeLM:
    """Answers the requests of one episode by its script.

    A subject that asks for no extraction is given the answer where the script means the loop to finish.
    """

    def __init__(
        self,
        script: Script,
        dialects: Iterable[str],
        journal: Journal,
        *,
        budget: float = BUDGET,
        has_extraction: bool = True,
        answer_tool: str | None = None,
        breaks_off: Callable[[Reply], bool] = lambda _: False,
        count_steps: Callable[[Invocation], int | None] = lambda _: None,
    ) -> None:
        self._breaks_off = breaks_off
        self._count_steps = count_steps
        self._queues: dict[str, deque[Intent]] = {
            "step": deque(script.steps),
            "extraction": deque(script.answers),
        }
        self._reader = RequestReader(tuple(dialects), has_extraction, answer_tool)
        self._journal = journal
        self._budget = budget
        self._turn: AskedTurn | None = None
        self._writer = ReplyWriter()
        self._served = 0
        self._steps_allowed: int | None = None
        #: The latest turns of the call that were steps when they were asked for; a server's call has no end.
        self._steps: list[AskedTurn] = []
        #: The steps of the call that are said again to who shows nothing of them; none once a prompt didn't fit.
        self._until_shown: list[CallTool] = []
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

    def begin_call(self, call: Invocation) -> None:
        """Begin a call: who can submit has as many steps as it allows; the request after them is for the answer.

        Nothing in such a request says so where the calls are written as text. Who never forces a submit says in each
        request what it asks for.
        """
        self._steps_allowed, self._steps, self._until_shown = self._count_steps(call), [], []

    def complete(self, request: LMRequest) -> Completion:
        """Return the reply to a request.

        Raises:
            LMRefusal: if the script doesn't provide for the request.
            LMFault: if the script says that the provider fails here.
        """
        with self._lock, self._journal.faults.note_failure():
            return self._complete_request(request)

    def _complete_request(self, request: LMRequest) -> Completion:
        reading, again = self._read_request(request)
        seen = partial(Asked, invocation=self._journal.invocation, request=request)
        ask = reading.ask if reading else None
        try:
            self._count_request()
            if isinstance(request, StrictRequest):
                request.check_calls()
            if reading is None:
                raise LMRefusal(f"unexpected request: it asks for nothing known in {', '.join(self._reader.dialects)}")
            turn = self._next_turn(reading, again)
        except LMRefusal as refusal:
            self._journal.add_request(partial(seen, ask=ask, refusal=str(refusal)))
            raise
        reply, answered, completion = self._writer.write_reply(turn.reply, reading)
        if isinstance(reply, Garbled):  # what may be read in it depends on the dialect in which it is broken
            ask = answered
        self._journal.add_request(partial(seen, ask=ask, intent=reply, attempt=turn.attempt, completion=completion))
        if completion is None:
            fault = reply.fault if isinstance(reply, Fault) else ""
            if fault == "context-window":
                self._until_shown.clear()
            raise LMFault(fault)
        return completion

    def _read_request(self, request: LMRequest) -> tuple[RequestReading | None, AskedTurn | None]:
        """Return what the request asks for, where the episode stands; and the turn that it asks for again."""
        reading, turn = self._reader.read(request), self._turn
        if reading is None:
            return None, None
        again = turn if turn and turn.is_like(reading, self._journal.moment) else self._find_restart(reading)
        if self._has_no_step_left() and reading.takes_submit and not (again and again.phase == reading.phase):
            reading = reading.with_ask(reading.ask.model_copy(update={"phase": "extraction"}))
        return reading, again if again and again.phase == reading.phase else None

    def _find_restart(self, reading: RequestReading) -> AskedTurn | None:
        """Return the step to which a call goes back behind a response, to begin anew: all said since is said again."""
        if not self._journal.is_responded_to:
            return None
        number = next((n for n, turn in enumerate(self._steps) if turn.has_same_messages(reading)), None)
        if number is None:
            return None
        since = [turn.intent for turn in self._steps[number + 1 :] if not turn.intent.sticky]
        self._queues["step"].extendleft(reversed(since))
        del self._steps[number + 1 :]
        self._turn = self._steps[number]
        self._turn.moment = self._journal.moment
        return self._turn

    def _has_no_step_left(self) -> bool:
        """Tell whether a step is over without a reply: a turn of which nothing was heard in the end was none."""
        if self._steps_allowed is None:
            return False
        taken = sum(not isinstance(turn.reply, Fault) for turn in self._steps)
        return taken >= self._steps_allowed or self._has_broken_off()

    def _has_broken_off(self) -> bool:
        """Tell whether what was said last was the last step, though more are allowed."""
        turn = self._steps[-1] if self._steps else None
        return turn is not None and turn.moment == self._journal.moment and self._breaks_off(turn.reply)

    def _count_request(self) -> None:
        """Count a request. Raises LMRefusal once there are more than the budget has."""
        self._served += 1
        if self._served > self._budget:
            raise LMRefusal(f"{SPENT}: more than {self._budget} requests in one episode")

    def _next_turn(self, reading: RequestReading, again: AskedTurn | None) -> AskedTurn:
        """Return the turn whose reply is due. Raises LMRefusal if the script has none left."""
        if again:
            again.attempt += 1
            return again
        turn = self._turn = AskedTurn(reading, self._journal.moment, self._find_intent(reading))
        if reading.phase == "step":
            self._steps = [*self._steps[1 - BUDGET :], turn]
        return turn

    def _find_intent(self, reading: RequestReading) -> Intent:
        """Return what the script means to be said to a request that comes for the first time."""
        if reading.phase == "step" and (unshown := self._find_unshown_step(reading.request)):
            return unshown
        if reading.ask.fields == (SUMMARY,) and not self._has_said_summary():
            return Answer(outputs={SUMMARY: "so far so good"})
        # Who asks for `next_tool_name` can be told `finish`.
        if not self._is_over() or reading.answer_ask is None:
            return self._take_intent(reading.phase)
        intent = self._take_intent("extraction")
        if isinstance(intent, Answer) and self._queues["step"]:
            self._take_intent("step")  # the answer ended the loop, and was all there is to finish
        return intent

    def _find_unshown_step(self, request: LMRequest) -> CallTool | None:
        """Return the first of the steps that are said until their results are shown of which the request shows none."""
        return next((step for step in self._until_shown if not self._shows_result(request, step.tool)), None)

    def _shows_result(self, request: LMRequest, tool: str) -> bool:
        shown = (as_text(observation) for observation in self._journal.list_observations(tool))
        return any(text in request.text or json.dumps(text)[1:-1] in request.text for text in shown)

    def _has_said_summary(self) -> bool:
        """Tell whether the script says what is summarised; where it doesn't, the answer is kept for who asks for it."""
        answer = next(iter(self._queues["extraction"]), None)
        return not isinstance(answer, Answer) or SUMMARY in answer.outputs

    def _is_over(self) -> bool:
        """Whether the script means the loop to end, or to have ended with an answer that is given again and again."""
        steps, answers = self._queues["step"], self._queues["extraction"]
        return isinstance(steps[0], Finish) if steps else bool(answers) and answers[0].sticky

    def _take_intent(self, phase: str) -> Intent:
        queue = self._queues[phase]
        if not queue:
            missing = "the LM finishes" if phase == "step" else "the LM answers"
            raise LMRefusal(f"{EXHAUSTED}: no {phase} intent left for this request; is `{missing} …` missing?")
        intent = queue[0] if queue[0].sticky else queue.popleft()
        if isinstance(intent, CallTool) and intent.until_shown:
            self._until_shown.append(intent)
        return intent


def scripted_lm(episode: Episode, manifest: Manifest, journal: Journal) -> EpisodeLM:
    """Return the LM of an episode, for a subject with this manifest."""
    return EpisodeLM(
        episode.script,
        manifest.dialects,
        journal,
        has_extraction="extraction" in manifest.capabilities,
        answer_tool=manifest.answer_tool,
        breaks_off=lambda reply: breaks_off(reply, episode.case, manifest),
        count_steps=lambda call: manifest.steps_before_submit(call, episode.case.options),
    )
