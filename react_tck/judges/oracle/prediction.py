"""What may follow what: from the positions before an event to those after it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from react_tck.dialects.markup import is_encodable
from react_tck.dialects.reading import takes_submit
from react_tck.judges.choices.replies import LASTING, PASSING
from react_tck.judges.oracle.positions import Position, Reason, drop_duplicates, end_with_answer, end_with_error
from react_tck.judges.oracle.replies import Reader
from react_tck.judges.oracle.responses import follow_response
from react_tck.judges.oracle.rules import Rules
from react_tck.judges.outputs import find_changed_outputs
from react_tck.judges.truncation import SHORTENING
from react_tck.model.intent import Answer, CallTool, Fault, Garbled, Submit
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked, Event, PersonAsked, Resumed, Returned, ToolRan
from react_tck.record.answers import is_answer
from react_tck.record.approvals import Question
from react_tck.record.evidence import Scene
from react_tck.reference import loop
from react_tck.reference.loop.entries import turns_of

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

    def list_first_positions(self) -> tuple[Position, ...]:
        """Return the first positions of the call."""
        reader, scene = self.reader, self.scene
        state = loop.start(reader.tools, scene.max_steps, awaited=reader.awaited_tools, ending=reader.ending)
        first = Position(state, self.rules.manifest.retries)
        may_be_refused = not is_encodable(scene.invocation.inputs)
        if scene.max_steps:
            return (first, end_with_error(first, "no text")) if may_be_refused else (first,)
        allowed = self.rules.allows_variant
        may_refuse = may_be_refused or allowed("max-steps-zero", "refuse") or self._is_conversation
        extracting = (self.rules.begin_turn(state, "begun"),) if allowed("max-steps-zero", "extract") else ()
        return (*extracting, end_with_error(first)) if may_refuse else extracting

    @property
    def _is_conversation(self) -> bool:
        return self.scene.case.options.system == "conversation"

    def follow_event(self, position: Position, event: Event) -> tuple[Position, ...]:
        """Return the positions to which the event may lead; none if it isn't what is due there."""
        found = (after for each in self.rules.order_calls(position) for after in self._follow_due_event(each, event))
        return drop_duplicates(settled for after in found for settled in self._settle_position(after))

    def _follow_due_event(self, position: Position, event: Event) -> Iterator[Position]:
        match event:
            case Resumed():
                if position.stage in ("suspended", "over"):
                    yield from follow_response(self.rules, position, event)
            case Asked(attempt=attempt) if position.may_not_be_repeated and attempt > 0:
                return
            case Asked(attempt=attempt) if position.stage == "repeating" and attempt > 0:
                yield replace(position, stage="running")
            case Asked(attempt=attempt) if position.stage == "retrying" and attempt > 0:
                yield from self._follow_request(replace(position, stage="running"), event)
            case Returned(outcome=outcome) if position.stage == "refusing":
                if outcome.status == "error":
                    yield replace(position, stage=position.left)
            case Returned(outcome=outcome) if position.is_running:
                yield from self._follow_outcome(position, outcome)
            case Asked() if position.is_running:
                yield from self._follow_request(position, event)
            case PersonAsked() if position.is_due(loop.RunTool):
                yield from self._follow_question(position, event)
            case ToolRan() if position.reason == "interrupted":
                yield from self._follow_other_call(position, event)
            case ToolRan() if position.is_running:
                yield from self._follow_run(position, event)

    # The LM is asked.

    def _follow_request(self, position: Position, asked: Asked) -> Iterator[Position]:
        phase = asked.ask.phase if asked.ask else None
        match position.action:
            case loop.AskStep() if phase == "step" or self._is_told_by_count(asked):
                yield from self._follow_step_reply(position, asked)
            # Without tools there is no step to choose for who asks for the answer among the steps.
            case loop.AskStep() if not self.rules.has_extraction and not self.scene.case.tools:
                yield from self._follow_answer(position, asked)
                if self.reader.may_refuse(asked) and not isinstance(asked.intent, Fault):  # the next step tells of it
                    yield from self.rules.absorb_fault(position, "final step unreadable")
            case loop.AskExtraction() if phase == "extraction":
                yield from self._follow_answer(position, asked)
                is_answered = not self.scene.max_steps and isinstance(asked.intent, Answer)
                if is_answered and self.rules.allows_variant("max-steps-zero", "refuse"):
                    yield end_with_error(position)
            case loop.AskExtraction() if self._may_be_forced(position, asked):
                yield from self._follow_forced_submit(position, asked)
            case loop.AskSummary(then=then) if phase == "extraction":
                if isinstance(asked.intent, Fault):
                    yield end_with_error(position)
                if not isinstance(asked.intent, Answer):
                    yield position
                yield position.update_state(action=then)

    def _is_told_by_count(self, asked: Asked) -> bool:
        """Whether only the kit's own count says that it isn't a step: who counts otherwise is none the worse for it."""
        is_counted = takes_submit(asked) and asked.request.tool_choice != loop.SUBMIT
        return is_counted and self.rules.allows_variant("fallback", "forced submit")

    def _may_be_forced(self, position: Position, asked: Asked) -> bool:
        """Tell whether it may be a forced submit: at the limit the kit knows, unless the kit said answers or faults."""
        has_failed = any(isinstance(each.intent, Fault) for each in self.scene.record.requests)
        is_known = asked.attempt == 0 and not isinstance(asked.intent, Submit) and not has_failed
        return position.state.ending == "submit" and not (position.reason == "steps ran out" and is_known)

    def _follow_forced_submit(self, position: Position, asked: Asked) -> Iterator[Position]:
        """Where calls are written as text, nothing in a request says that only `submit` is left to call (TRN-006)."""
        if not self.rules.allows_variant("fallback", "forced submit"):
            return
        submits = [call for calls in self.reader.read_calls(asked) for call in calls if call.tool == loop.SUBMIT]
        if any(self.reader.may_commit(call.args) for call in submits):
            yield end_with_answer(position)
        if not any(self.reader.fits_signature(call.args) for call in submits):
            yield position
            yield end_with_error(position, "final step unreadable")

    def _follow_step_reply(self, position: Position, asked: Asked) -> Iterator[Position]:
        """Yield what may follow where a step was asked for, and this is what the LM said."""
        if position.state.ending == "finish" and is_answer(asked, self.scene.manifest):
            yield end_with_answer(position)
        if isinstance(asked.intent, Answer):
            if self.reader.may_refuse(asked):  # it is told the LM, asked for alone, or ends the call
                yield position
                yield position.update_state(action=loop.AskExtraction())
                yield end_with_error(position, "final step unreadable")
            return
        if self.reader.owes_retry(asked, position.retries):
            yield from self.rules.retry_turn(position, "retry owed")
            return
        for calls in self.reader.read_calls(asked):
            yield from self._follow_calls(position, calls)
        for fault in self.reader.list_faults(asked):
            if fault == "lm-fault":
                yield from self._follow_fault(position, asked)
            else:
                yield from self.rules.absorb_fault(position, fault)
        match asked.intent:  # whatever is read in it, it may be refused as an answer is, or as a submit is
            case Garbled(meant=Answer()):
                yield end_with_error(position, "final step unreadable")
            case Garbled(meant=Submit()):
                yield self.rules.advance_position(position, loop.StepMalformed(reason=""), "final step unreadable")

    def _follow_calls(self, position: Position, calls: tuple[CallTool, ...]) -> Iterator[Position]:
        made = tuple(loop.Call(name=call.tool, args=call.args) for call in calls)
        after = self.rules.advance_position(position, loop.StepChosen(thought=calls[0].thought, calls=made), "finished")
        if made[0].name == loop.FINISH == position.state.ending:
            yield from self._follow_finish(position, after)
        else:
            yield after

    def _follow_finish(self, position: Position, after: Position) -> Iterator[Position]:
        is_open = self._is_conversation and not turns_of(position.state.taken)
        declared = self.rules.manifest.first_finish
        if not is_open or declared != "illegal":
            yield after
            if not self.rules.has_extraction:
                yield end_with_answer(after, "finished")
        if is_open and declared != "legal":
            yield self.rules.advance_position(position, loop.StepMalformed(reason=""), "finished too early")
            yield from self.rules.retry_turn(position, "finished too early")
            yield end_with_error(position, "finished too early")

    def _follow_fault(self, position: Position, asked: Asked) -> Iterator[Position]:
        """Yield the provider failed: an error, or a recovery, such as asking again with a shorter prompt (CTX-001)."""
        fault = asked.intent.fault if isinstance(asked.intent, Fault) else ""
        doesnt_fit, is_lasting = fault == _CONTEXT_WINDOW, fault in LASTING
        shortens = doesnt_fit and SHORTENING & set(self.rules.manifest.capabilities)
        reason: Reason = "did not fit" if shortens else "lm-fault for good" if is_lasting else "lm-fault"
        broken = replace(position, reason=reason)
        extracting = broken.update_state(action=loop.AskExtraction())
        allowed = self._list_recoveries(asked)
        if "error" in allowed or position.is_due(loop.AskExtraction):  # the choice is about steps
            yield end_with_error(broken)
        if allowed & {"retries", "observe"} and not is_lasting:
            yield broken
        if position.is_due(loop.AskStep) and "observe" in allowed:
            yield self.rules.advance_position(position, loop.StepMalformed(reason=""), broken.reason)
        if "extract" in allowed and not (is_lasting and position.is_due(loop.AskExtraction)):
            yield extracting
        if doesnt_fit and position.state.ending == "submit":
            assert isinstance(position.action, loop.AskStep | loop.AskExtraction)
            yield broken.update_state(action=loop.AskSummary(entries=(), then=position.action))

    def _list_recoveries(self, asked: Asked) -> frozenset[str]:
        """Return what may follow a fault: as is declared of those that a repetition may mend, else anything."""
        declared = self.rules.manifest.choices.get("lm-fault", "")
        is_passing = isinstance(asked.intent, Fault) and asked.intent.fault in PASSING
        found = frozenset(variant for variant in _RECOVERIES if variant in declared)
        return found if found and is_passing else _RECOVERIES

    def _follow_answer(self, position: Position, asked: Asked) -> Iterator[Position]:
        """Yield what may follow where the extraction was asked for, and this is what the LM said."""
        if self.reader.owes_retry(asked, position.retries):
            yield from self.rules.retry_turn(position, "retry owed")
            return
        if self.reader.may_answer(asked):
            yield end_with_answer(position)
        if isinstance(asked.intent, Fault):
            yield from self._follow_fault(position, asked)
        elif self.reader.may_refuse(asked):
            # Without an extraction the answer is asked for alone as it is in a step.
            again = self.rules.retry_turn(position, "answer unreadable") if self.rules.has_extraction else (position,)
            yield from (*again, end_with_error(position, "answer unreadable"))

    # Tools run, or don't.

    def _settle_position(self, position: Position) -> Iterator[Position]:
        """Yield the position, past what leaves no trace in a record: a submit, or a call whose args don't fit."""
        match position.action:
            case loop.RunTool(call=call) if position.is_running and call.name == position.state.ending:
                for after in self._follow_submit(position, call):
                    yield from self._settle_position(after)
                return
            case loop.RunTool(call=call) | loop.AwaitResponse(call=call) if self._may_misfit(position, call):
                for after in self.rules.follow_misfit(position):
                    yield from self._settle_position(after)
                if self.reader.is_misfit(call) and not self.rules.may_run_misfits:
                    return
        yield position

    def _may_misfit(self, position: Position, call: loop.Call) -> bool:
        return position.is_running and self.reader.may_misfit(call)

    def _follow_submit(self, position: Position, call: loop.Call) -> Iterator[Position]:
        if self.reader.may_commit(call.args):
            # No call of the turn runs after its submit (TRN-015).
            committed = position.update_state(pending=())
            yield self.rules.advance_position(committed, loop.Committed(outputs=call.args), "submitted")
        if not self.reader.fits_signature(call.args):
            yield self.rules.advance_position(position, loop.ArgsMismatched(reason=""), "submit refused")

    def _follow_run(self, position: Position, run: ToolRan) -> Iterator[Position]:
        if not isinstance(position.action, loop.RunTool) or not self.reader.is_run_of(position.action.call, run):
            return
        if run.interrupted:
            yield end_with_error(position, "interrupted")
            return
        reason = position.find_reason_after(run)
        if not is_encodable(run.observation):
            yield end_with_error(position, "no text")
        allowed = self.rules.list_variants("tool-error")
        if run.error is None or "observe" in allowed:
            yield self.rules.advance_position(position, loop.ToolReturned(observation=None), reason)
        if run.error is not None and "error" in allowed:
            yield end_with_error(position, reason)

    def _follow_question(self, position: Position, asked: PersonAsked) -> Iterator[Position]:
        """Yield where a call waits that was run, because its tool asks a person."""
        run = ToolRan(invocation=asked.invocation, tool=asked.tool, args=asked.args)
        if isinstance(position.action, loop.RunTool) and self.reader.is_run_of(position.action.call, run):
            asks = loop.ToolAsked(question=asked.question, confirmation_id="")
            yield self.rules.advance_position(position, asks, "to be confirmed")

    def _follow_other_call(self, position: Position, run: ToolRan) -> Iterator[Position]:
        """Behind an interruption, calls of the same turn that had perhaps begun beside it run on."""
        begun = (call for call in position.state.pending if call.name not in position.state.awaited)
        yield from (position.drop_call(call) for call in begun if self.reader.is_run_of(call, run))

    # The call comes back.

    def _follow_outcome(self, position: Position, outcome: Outcome) -> Iterator[Position]:
        over = replace(position, stage="over")
        match position.action, outcome.status:
            case loop.AwaitResponse(call=call), "suspended":
                if self._is_suspended(call, outcome):
                    yield replace(position, stage="suspended")
            case loop.AskExtraction(), status if position.reason == "steps ran out":
                if {"error": "error", "ok": "last observation"}.get(status) in self.rules.exhausted_variants:
                    yield over
            case loop.RunTool(), "error" if self.scene.is_cut_short and "error" in self.rules.exhausted_variants:
                yield over
            case loop.End(error=None), "ok" if not any(find_changed_outputs(self.scene, outcome)):
                yield over
            case loop.End(error=str()), "error":
                yield over

    def _is_suspended(self, call: loop.Call, outcome: Outcome) -> bool:
        """Tell whether it is this call that waits, as far as the suspension says which."""
        told = (outcome.suspension or {}).get("tool_call")
        if not isinstance(told, dict) or "name" not in told:
            return True
        return Question(told).is_about(CallTool(tool=call.name, args=call.args))
