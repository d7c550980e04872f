"""What may follow what: from the positions before an event to those after it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from react_tck.dialects.markup import is_encodable
from react_tck.dialects.reading import takes_submit
from react_tck.judges.oracle.positions import Position, Reason, done, failed, unique
from react_tck.judges.oracle.replies import Reader
from react_tck.judges.oracle.responses import responded
from react_tck.judges.oracle.rules import Rules
from react_tck.judges.reply_choices import PASSING
from react_tck.judges.sanitizers import as_the_lm_answered
from react_tck.judges.truncation import SHORTENING
from react_tck.model.intent import Answer, CallTool, Fault, Garbled, Submit
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked, Event, Resumed, Returned, ToolRan
from react_tck.record.answers import is_answer, is_text_answer, read_text
from react_tck.record.approvals import Question
from react_tck.record.evidence import Scene
from react_tck.record.values import arrives_intact
from react_tck.reference import loop

_CONTEXT_WINDOW = "context-window"
_RECOVERIES = frozenset({"error", "retries", "observe", "extract"})


@dataclass(frozen=True)
class Predictor:
    """Follows one call through its record."""

    scene: Scene
    rules: Rules

    @cached_property
    def reader(self) -> Reader:
        """The reader of this call's replies from the LM, by what the subject declares."""
        return Reader(self.scene, self.rules)

    def begin(self) -> tuple[Position, ...]:
        """The first positions of the call."""
        reader, scene = self.reader, self.scene
        state = loop.start(reader.tools, scene.max_steps, awaited=reader.awaited, ending=reader.ending)
        first = Position(state, self.rules.manifest.retries)
        may_be_refused = not is_encodable(scene.invocation.inputs)
        if scene.max_steps:
            return (first, failed(first, "no text")) if may_be_refused else (first,)
        allowed = self.rules.allows
        may_refuse = may_be_refused or allowed("max-steps-zero", "refuse") or self._is_conversation
        extracting = (self.rules.at(state, "begun"),) if allowed("max-steps-zero", "extract") else ()
        return (*extracting, failed(first)) if may_refuse else extracting

    @property
    def _is_conversation(self) -> bool:
        return self.scene.case.options.system == "conversation"

    def after(self, position: Position, event: Event) -> tuple[Position, ...]:
        """The positions to which the event may lead; none if it isn't what is due there."""
        found = (after for each in self.rules.orders(position) for after in self._after(each, event))
        return unique(settled for after in found for settled in self._settled(after))

    def _after(self, position: Position, event: Event) -> Iterator[Position]:
        match event:
            case Resumed():
                if position.stage in ("suspended", "over"):
                    yield from responded(self.rules, position, event)
            case Asked(attempt=attempt) if position.stage == "repeating" and attempt > 0:
                yield replace(position, stage="running")
            case Asked(attempt=attempt) if position.stage == "retrying" and attempt > 0:
                yield from self._asked(replace(position, stage="running"), event)
            case Returned(outcome=outcome) if position.stage == "refusing":
                if outcome.status == "error":
                    yield replace(position, stage=position.left)
            case Returned(outcome=outcome) if position.is_running:
                yield from self._returned(position, outcome)
            case Asked() if position.is_running:
                yield from self._asked(position, event)
            case ToolRan() if position.is_running:
                yield from self._ran(position, event)

    # The LM is asked.

    def _asked(self, position: Position, asked: Asked) -> Iterator[Position]:
        phase = asked.ask.phase if asked.ask else None
        match position.action:
            case loop.AskStep() if phase == "step" or self._is_told_by_count(asked):
                yield from self._replied(position, asked)
            case loop.AskStep() if self._asks_at_once():
                yield from self._answered(position, asked)
            case loop.AskExtraction() if phase == "extraction":
                yield from self._answered(position, asked)
            case loop.AskExtraction() if self._may_be_forced(position, asked):
                yield from self._forced(position, asked)
            case loop.AskSummary(then=then) if phase == "extraction":
                if isinstance(asked.intent, Fault):
                    yield failed(position)
                if not isinstance(asked.intent, Answer):
                    yield position
                yield position.put(action=then)

    def _is_told_by_count(self, asked: Asked) -> bool:
        """Whether only the kit's own count says that it isn't a step: who counts otherwise is none the worse for it."""
        is_counted = takes_submit(asked) and asked.request.tool_choice != loop.SUBMIT
        return is_counted and self.rules.allows("fallback", "forced submit")

    def _asks_at_once(self) -> bool:
        """Without tools there is no step to choose for who asks for the answer among the steps."""
        return not self.rules.has_extraction and not self.scene.case.tools

    def _may_be_forced(self, position: Position, asked: Asked) -> bool:
        """Whether it may be a submit that is asked for; at the limit the kit knows, unless answers were all it said."""
        is_known = asked.attempt == 0 and not isinstance(asked.intent, Submit)
        is_told = position.reason == "steps ran out" and is_known
        return position.state.ending == "submit" and not is_told

    def _forced(self, position: Position, asked: Asked) -> Iterator[Position]:
        """Where calls are written as text, nothing in a request says that only `submit` is left to call (TRN-006)."""
        if not self.rules.allows("fallback", "forced submit"):
            return
        submits = [call for calls in self.reader.readings(asked) for call in calls if call.tool == loop.SUBMIT]
        if any(self.reader.may_commit(call.args) for call in submits):
            yield done(position)
        if not any(self.reader.fits(call.args) for call in submits):
            yield position
            yield failed(position, "answer unreadable")

    def _replied(self, position: Position, asked: Asked) -> Iterator[Position]:
        """A step was asked for, and this is what the LM said."""
        if position.state.ending == "finish" and is_answer(asked, self.scene.manifest):
            yield done(position)
        if isinstance(asked.intent, Answer):
            yield from self._refused(position, asked, asked.intent)
            return
        if self.reader.owes_retry(asked, position.retries):
            yield from self.rules.again(position, "retry owed")
            return
        for calls in self.reader.readings(asked):
            yield from self._chosen(position, calls)
        for fault in self.reader.faults(asked):
            if fault == "lm-fault":
                yield from self._broke_down(position, asked)
            else:
                yield from self.rules.absorbed(position, fault)
        if isinstance(asked.intent, Garbled) and isinstance(asked.intent.meant, Answer):
            # Said where steps are, it may be refused as an answer is (ERR-011).
            yield failed(position, "answer unreadable")
        if isinstance(asked.intent, Garbled) and isinstance(asked.intent.meant, Submit):
            # Whatever is read in it may be refused as a submit is.
            yield self.rules.after(position, loop.StepMalformed(reason=""), "answer unreadable")

    def _refused(self, position: Position, asked: Asked, answer: Answer) -> Iterator[Position]:
        """An answer that may not fit is told the LM, or ends the call; an empty text may be no answer at all."""
        is_empty = is_text_answer(asked, self.scene.manifest) and not read_text(asked).strip()
        if is_empty or not self.reader.is_sure(answer):
            yield position
            yield failed(position, "answer unreadable")

    def _chosen(self, position: Position, calls: tuple[CallTool, ...]) -> Iterator[Position]:
        made = tuple(loop.Call(name=call.tool, args=call.args) for call in calls)
        after = self.rules.after(position, loop.StepChosen(thought=calls[0].thought, calls=made), "finished")
        if made[0].name == loop.FINISH == position.state.ending:
            yield from self._finished(position, after)
        else:
            yield after

    def _finished(self, position: Position, after: Position) -> Iterator[Position]:
        is_open = self._is_conversation and not any(
            isinstance(entry, loop.AssistantTurn) for entry in position.state.taken
        )
        declared = self.rules.manifest.choices.get("finish-from-first-state", "")
        if not is_open or declared != "illegal":
            yield after
            if not self.rules.has_extraction:
                yield done(after, "finished")
        if is_open and declared != "legal":
            yield self.rules.after(position, loop.StepMalformed(reason=""), "finished too early")
            yield from self.rules.again(position, "finished too early")
            yield failed(position, "finished too early")

    def _broke_down(self, position: Position, asked: Asked) -> Iterator[Position]:
        """The provider failed: an error, or a recovery, such as asking again with a shorter prompt (CTX-001)."""
        doesnt_fit = isinstance(asked.intent, Fault) and asked.intent.fault == _CONTEXT_WINDOW
        shortens = doesnt_fit and SHORTENING & set(self.rules.manifest.capabilities)
        broken = replace(position, reason="did not fit" if shortens else "lm-fault")
        extracting = broken.put(action=loop.AskExtraction())
        allowed = self._recoveries(asked)
        if "error" in allowed:
            yield failed(broken)
        if allowed & {"retries", "observe"}:
            yield broken
        if position.due(loop.AskStep) and "observe" in allowed:
            yield self.rules.after(position, loop.StepMalformed(reason=""), broken.reason)
        if "extract" in allowed:
            yield extracting
        if doesnt_fit and position.state.ending == "submit":
            assert isinstance(position.action, loop.AskStep | loop.AskExtraction)
            yield broken.put(action=loop.AskSummary(entries=(), then=position.action))

    def _recoveries(self, asked: Asked) -> frozenset[str]:
        """What may follow a fault: as is declared of those that a repetition may mend, else anything."""
        declared = self.rules.manifest.choices.get("lm-fault", "")
        is_passing = isinstance(asked.intent, Fault) and asked.intent.fault in PASSING
        found = frozenset(variant for variant in _RECOVERIES if variant in declared)
        return found if found and is_passing else _RECOVERIES

    def _answered(self, position: Position, asked: Asked) -> Iterator[Position]:
        """The extraction was asked for, and this is what the LM said."""
        if self.reader.owes_retry(asked, position.retries):
            yield from self.rules.again(position, "retry owed")
            return
        if self.reader.may_answer(asked):
            yield done(position)
        if isinstance(asked.intent, Fault):
            yield from self._broke_down(position, asked)
            return
        if not (isinstance(asked.intent, Answer | Submit) and self.reader.is_sure(asked.intent)):
            yield from self.rules.again(position, "answer unreadable")
            yield failed(position, "answer unreadable")

    # Tools run, or don't.

    def _settled(self, position: Position) -> Iterator[Position]:
        """The position, past what leaves no trace in a record: a submit, or a call whose args don't fit."""
        match position.action:
            case loop.RunTool(call=call) if position.is_running and call.name == position.state.ending:
                for after in self._submitted(position, call):
                    yield from self._settled(after)
                return
            case loop.RunTool(call=call) | loop.AwaitResponse(call=call) if self._may_misfit(position, call):
                for after in self.rules.misfit(position):
                    yield from self._settled(after)
                if self.reader.misfits(call) and not self.rules.may_run_misfits:
                    return
        yield position

    def _may_misfit(self, position: Position, call: loop.Call) -> bool:
        return position.is_running and self.reader.may_misfit(call)

    def _submitted(self, position: Position, call: loop.Call) -> Iterator[Position]:
        if self.reader.may_commit(call.args):
            # No call of the turn runs after its submit (TRN-015).
            committed = position.put(pending=())
            yield self.rules.after(committed, loop.Committed(outputs=call.args), "submitted")
        if not self.reader.fits(call.args):
            yield self.rules.after(position, loop.ArgsMismatched(reason=""), "submit refused")

    def _ran(self, position: Position, run: ToolRan) -> Iterator[Position]:
        if not isinstance(position.action, loop.RunTool) or not self._is_due(position.action.call, run):
            return
        reason = self._reason_after(position, run)
        if not is_encodable(run.observation):
            yield failed(position, "no text")
        allowed = self.rules.variants("tool-error")
        if run.error is None or "observe" in allowed:
            yield self.rules.after(position, loop.ToolReturned(observation=None), reason)
        if run.error is not None and "error" in allowed:
            yield failed(position, reason)

    def _reason_after(self, position: Position, run: ToolRan) -> Reason:
        if run.error is not None:
            return "tool raised"
        return "approved call ran" if position.reason == "approved" else "tool ran"

    def _is_due(self, call: loop.Call, run: ToolRan) -> bool:
        tool = self.scene.tools.get(call.name)
        return run.tool == call.name and tool is not None and arrives_intact(call.args, run.given, tool.parameters)

    # The call comes back.

    def _returned(self, position: Position, outcome: Outcome) -> Iterator[Position]:
        over = replace(position, stage="over")
        match position.action, outcome.status:
            case loop.AwaitResponse(call=call), "suspended":
                if self._is_suspended(call, outcome):
                    yield replace(position, stage="suspended")
            case loop.AskExtraction(), status if position.reason == "steps ran out":
                allowed = self.rules.at_the_limit
                if (status == "error" and "error" in allowed) or (status == "ok" and "last observation" in allowed):
                    yield over
            case loop.RunTool(), "error" if self.scene.is_cut_short and "error" in self.rules.at_the_limit:
                yield over
            case loop.End(error=None), "ok":
                if not any(as_the_lm_answered(self.scene, outcome)):
                    yield over
            case loop.End(error=str()), "error":
                yield over

    def _is_suspended(self, call: loop.Call, outcome: Outcome) -> bool:
        """Whether it is this call that waits, as far as the suspension says which."""
        told = (outcome.suspension or {}).get("tool_call")
        if not isinstance(told, dict) or "name" not in told:
            return True
        return Question(told).is_about(CallTool(tool=call.name, args=call.args))
