"""What may follow what: from the positions before an event to those after it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jsonschema import Draft202012Validator

from react_tck.dialects.fields import FINISH
from react_tck.judges.oracle.positions import Position, Rules, failed
from react_tck.judges.sanitizers import as_the_lm_answered, nothing_forbids
from react_tck.model.intent import Answer, BadArgs, CallTool, Fault, Finish, Garbled, Raw
from react_tck.model.record import Asked, Event, Returned, ToolRan
from react_tck.record.answers import is_answer
from react_tck.record.evidence import Scene
from react_tck.record.tool_names import read_name
from react_tck.record.turns import Turn
from react_tck.record.values import arrived
from react_tck.reference import loop

#: Forms in which nobody finds a step or an answer.
_UNREADABLE = ("prose", "missing-field", "empty")


@dataclass(frozen=True)
class Predictor:
    """Follows one call through its record."""

    scene: Scene
    rules: Rules

    def after(self, position: Position, event: Event) -> Iterator[Position]:
        """The positions to which the event may lead; none if it isn't what is due there."""
        match position.action, event:
            case loop.AskStep(), Asked(ask=ask) if ask and ask.phase == "step":
                yield from self._replied(position, event)
            case loop.AskStep(), Asked(ask=ask) if ask and self._asks_at_once():
                yield from self._answered(position, event)
            case loop.AskExtraction(), Asked(ask=ask) if ask and ask.phase == "extraction":
                yield from self._answered(position, event)
            case loop.RunTool() as due, ToolRan() if self._is_due(due, event):
                yield from self._ran(position, event)
            case loop.AskExtraction(), Returned(outcome=outcome) if outcome.status == "error":
                # Who never asks for an answer by itself has nothing to end with when the steps run out.
                if not self.rules.has_extraction:
                    yield position
            case loop.Done(error=None), Returned(outcome=outcome) if outcome.status == "ok":
                if not any(as_the_lm_answered(self.scene, outcome)):
                    yield position
            case loop.Done(error=str()), Returned(outcome=outcome) if outcome.status == "error":
                yield position

    def _asks_at_once(self) -> bool:
        """Without tools there is no step to choose for who asks for the answer among the steps."""
        return not self.rules.has_extraction and not self.scene.case.tools

    def _replied(self, position: Position, asked: Asked) -> Iterator[Position]:
        """A step was asked for, and this is what the LM said."""
        if is_answer(asked, self.scene.manifest):
            yield _done(position)
        if isinstance(asked.intent, Answer):
            yield from self._refused(position, asked.intent)
            return
        if self.owes_retry(position, asked):
            yield from self.rules.again(position)
            return
        calls = _followed(asked)
        for call in calls:
            if tool := read_name(call.tool, (FINISH, *position.state.tools)).tool:
                yield from self._chosen(position, call.model_copy(update={"tool": tool}))
        for choice in dict.fromkeys((self.choice(asked), *map(self._choice_of, calls))):
            if choice:
                yield from self._faltered(position, choice)

    def _refused(self, position: Position, answer: Answer) -> Iterator[Position]:
        """An answer that may not fit is told the LM, or ends the call."""
        if not self._is_plain(answer):
            yield position
            yield failed(position)

    def _chosen(self, position: Position, call: CallTool) -> Iterator[Position]:
        chosen = loop.StepChosen(thought=call.thought, calls=(loop.Call(name=call.tool, args=call.args),))
        after = self.rules.after(position, chosen)
        if call.tool == FINISH and not self.rules.has_extraction:
            yield _done(after)
        yield after

    def _faltered(self, position: Position, choice: str) -> Iterator[Position]:
        if choice == "lm-fault":
            yield from self._broke_down(position)
        else:
            yield from self.rules.absorbed(position, choice)

    def _broke_down(self, position: Position) -> Iterator[Position]:
        """The provider failed: an error, or a recovery, such as asking again with a shorter prompt."""
        yield failed(position)
        yield position
        yield replace(position, state=position.state.model_copy(update={"action": loop.AskExtraction()}))

    def choice(self, asked: Asked) -> str | None:
        """What is out of order about the LM's reply to a request for a step, by the name of the choice."""
        match asked.intent:
            case Fault():
                return "lm-fault"
            case BadArgs():
                return "malformed-args"
            case Finish():
                return None
            case CallTool() as scripted:
                return self._choice_of(scripted)
        return "malformed-reply"

    def _choice_of(self, call: CallTool) -> str | None:
        """What is out of order about a call, however broken the reply that makes it is."""
        if call.tool == FINISH:
            return None
        # A near miss may be refused as an unknown name is.
        if read_name(call.tool, self.scene.tools).match != "exact":
            return "unknown-tool"
        return None if nothing_forbids(self.scene, call) else "schema-mismatch"

    def _answered(self, position: Position, asked: Asked) -> Iterator[Position]:
        """The extraction was asked for, and this is what the LM said."""
        if self.owes_retry(position, asked):
            yield from self.rules.again(position)
            return
        if isinstance(asked.intent, Raw) or is_answer(asked, self.scene.manifest):
            yield _done(position)
        if not (isinstance(asked.intent, Answer) and self._is_plain(asked.intent)):
            yield from self.rules.again(position)
            yield failed(position)
        if isinstance(asked.intent, Fault):
            yield position

    def owes_retry(self, position: Position, asked: Asked) -> bool:
        """Whether the turn has to be asked for again (ERR-006): adapters of the caller's choice may have no retries."""
        options = self.scene.case.options
        is_own = options.adapter is None and options.module_adapter is None
        is_unreadable = isinstance(asked.intent, Garbled) and asked.intent.form in _UNREADABLE
        return is_own and is_unreadable and position.retries > 0

    def _is_plain(self, answer: Answer) -> bool:
        """Whether every output is a text, as it should be: typed ones may fail (SIG-005 is a SHOULD)."""
        fields = self.scene.case.signature.outputs
        return all(
            field.is_text and Draft202012Validator(field.json_schema).is_valid(answer.outputs.get(field.name))
            for field in fields
        )

    def _is_due(self, due: loop.RunTool, run: ToolRan) -> bool:
        tool = self.scene.tools.get(due.call.name)
        return run.tool == due.call.name and tool is not None and arrived(due.call.args, run.args, tool.parameters)

    def _ran(self, position: Position, run: ToolRan) -> Iterator[Position]:
        went_on = self.rules.after(position, loop.ToolReturned(observation=None))
        allowed = self.rules.variants("tool-error")
        if run.error is None or "observe" in allowed:
            yield went_on
        if run.error is not None and "error" in allowed:
            yield failed(position)


def _followed(asked: Asked) -> tuple[CallTool, ...]:
    """What a reply may be taken for; `finish` is a call whatever its args are, since it takes none (LOOP-010)."""
    match asked.intent:
        case BadArgs(tool=tool, thought=thought) if read_name(tool, (FINISH,)).tool:
            return (CallTool(tool=FINISH, thought=thought),)
    return Turn(asked, ()).readings


def _done(position: Position) -> Position:
    return replace(position, state=position.state.model_copy(update={"action": loop.Done()}))
