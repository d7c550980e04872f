"""What the sources leave open, as far as the subject declares it: where a call may stand after each event."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from react_tck.dialects.labels import plain_name
from react_tck.judges.oracle.positions import Position, Reason, end_with_error, find_reason
from react_tck.model.lm import Ask
from react_tck.model.manifest import Manifest
from react_tck.model.requirement import variants_of
from react_tck.reference import loop

_EXTRACTING = loop.Policy(unknown_tool="extract", malformed_reply="extract")
_VARIANTS = frozenset({"observe", "coerce", "passed as given", "extract", "error"})
_RUNNING = frozenset({"coerce", "passed as given"})
#: The choices that a reason is a case of, where they have other names.
_CHOICES: Mapping[Reason, tuple[str, ...]] = {
    "args no object": ("malformed-args",),
    "no args": ("malformed-args", "empty-args"),
    "finish is no tool": ("unknown-tool",),
    "field of another type": ("malformed-reply",),
    "final step unreadable": ("malformed-reply",),
}
_EXHAUSTED = frozenset({"extract", "error", "last observation"})


@dataclass(frozen=True)
class Rules:
    """What the subject declares, where the sources leave a choice; where it declares nothing, anything goes."""

    manifest: Manifest

    @property
    def has_extraction(self) -> bool:
        """Whether the answer comes from a request of its own."""
        return "extraction" in self.manifest.capabilities

    def declares_variant(self, choice: str, variant: str) -> bool:
        """Tell whether the variant is one that is declared."""
        return variant in self.manifest.choices.get(choice, "")

    def allows_variant(self, choice: str, variant: str) -> bool:
        """Tell whether the variant may be met: it is declared, or nothing is."""
        return choice not in self.manifest.choices or self.declares_variant(choice, variant)

    def list_variants(self, choice: str) -> frozenset[str]:
        """Return what may happen at a choice: what is declared, else anything.

        What is declared of args that could be made to fit says nothing about those that can't be.
        """
        declared = "" if choice == "schema-mismatch" else self.manifest.choices.get(choice, "")
        return frozenset(variant for variant in _VARIANTS if variant in declared) or _VARIANTS

    @property
    def clarification_tool(self) -> str:
        """The tool by which the agent asks the user (CNF-011)."""
        return self.manifest.clarification_tool

    def takes_one_of_two(self, ask: Ask | None, those: Collection[str] = ("first", "last")) -> bool:
        """Tell whether one of two values counts that contradict each other, in the dialect of such a request."""
        declared = self.manifest.choices.get("repeated-field")
        dialect = plain_name(ask.dialect) if ask else ""
        variants = {each for one in those for each in (one, f"{one} in {dialect}")}
        return declared is None or not variants.isdisjoint(variants_of(declared))

    @property
    def may_run_misfits(self) -> bool:
        """Whether a tool may run with args that don't fit its schema."""
        return bool(self.list_variants("schema-mismatch") & _RUNNING)

    @property
    def exhausted_variants(self) -> frozenset[str]:
        """What may follow when the steps have run out (LOOP-004)."""
        declared = frozenset(variant for variant in _EXHAUSTED if self.declares_variant("steps-exhausted", variant))
        return declared or (frozenset({"extract"}) if self.has_extraction else _EXHAUSTED)

    def begin_turn(self, state: loop.State, reason: Reason) -> Position:
        """Return a turn's first position, its attempts all to come."""
        found = find_reason(state, reason, self.clarification_tool)
        return Position(state, self.manifest.retries, found, last_step=reason)

    def advance_position(self, position: Position, event: loop.Event, reason: Reason) -> Position:
        """Return the position after an event that the loop knows."""
        return self.begin_turn(loop.advance(position.state, event), reason)

    def absorb_fault(self, position: Position, reason: Reason) -> Iterator[Position]:
        """Yield where the loop may stand after a reply that can't be followed."""
        # Whether a reply that can't be read counts as a step is left open. One that names no tool is a step (LOOP-004),
        # but for who takes it for unreadable, and asks for the same again.
        is_step = reason == "unknown-tool"
        for again in self.retry_turn(position, reason):
            yield replace(again, stage="retrying") if is_step else again
        allowed = frozenset[str]().union(*(self.list_variants(choice) for choice in _CHOICES.get(reason, (reason,))))
        malformed = loop.StepMalformed(reason="")
        if "observe" in allowed:
            yield self.advance_position(position, malformed, reason)
            if not is_step:
                yield self.begin_turn(position.state, reason)
        if "extract" in allowed:
            yield self._start_extraction(position, reason)
        if "error" in allowed:
            yield end_with_error(position, reason)

    def retry_turn(self, position: Position, reason: Reason) -> Iterator[Position]:
        """Yield the same turn, asked for once more, as often as is declared."""
        if position.retries > 0:
            yield replace(position, retries=position.retries - 1, reason=reason)

    def follow_misfit(self, position: Position) -> Iterator[Position]:
        """Yield where the loop may stand when the call that is due doesn't run, because its args don't fit."""
        allowed = self.list_variants("schema-mismatch")
        if "observe" in allowed:
            if position.is_due(loop.AwaitResponse):
                yield self.advance_position(position, loop.Declined(observation=None), "schema-mismatch")
            else:
                yield self.advance_position(position, loop.ArgsMismatched(reason=""), "schema-mismatch")
        if "extract" in allowed:
            yield self.begin_turn(
                position.update_state(action=loop.AskExtraction(), pending=()).state, "schema-mismatch"
            )
        if "error" in allowed:
            yield end_with_error(position, "schema-mismatch")

    def order_calls(self, position: Position) -> tuple[Position, ...]:
        """Return the position with each outstanding call next: no source says in which order they run."""
        state = position.state
        match position.action:
            case loop.RunTool(call=call) if position.reason not in ("approved", "edited", "replaced"):
                outstanding = (call, *state.pending)
            case loop.AwaitResponse(asked=None):
                outstanding = state.pending
            case _:
                # What a person agreed to runs next; which of the others wait is known again after it.
                return (position,)
        if not position.is_running or len(outstanding) == 1:
            return (position,)
        return tuple(
            self._put_call_next(position, call, outstanding) for call in outstanding if call.name in state.tools
        )

    def _put_call_next(self, position: Position, call: loop.Call, outstanding: tuple[loop.Call, ...]) -> Position:
        others = tuple(other for other in outstanding if other is not call)
        if call.name in position.state.awaited:
            made = position.update_state(action=loop.AwaitResponse(call=call), pending=(call, *others))
        else:
            made = position.update_state(action=loop.RunTool(call=call), pending=others)
        return replace(made, reason=find_reason(made.state, position.reason, self.clarification_tool))

    def _start_extraction(self, position: Position, choice: Reason) -> Position:
        extracting = position.update_state(policy=_EXTRACTING)
        after = loop.advance(extracting.state, loop.StepMalformed(reason=""))
        return self.begin_turn(after.model_copy(update={"policy": loop.Policy()}), choice)
