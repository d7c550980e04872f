"""Where an episode may stand: the sans-I/O loop's own state, and what the sources leave open about it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from react_tck.model.manifest import Manifest
from react_tck.reference import loop

#: A loop that goes on after whatever went wrong.
_OBSERVING = loop.Policy()
_EXTRACTING = loop.Policy(unknown_tool="extract", malformed_reply="extract")
_VARIANTS = frozenset({"observe", "coerce", "extract", "error"})


@dataclass(frozen=True)
class Position:
    """The loop's state, and how often the turn may still be asked for again."""

    state: loop.State
    retries: int

    @property
    def action(self) -> loop.Action:
        """What is due."""
        return self.state.action


@dataclass(frozen=True)
class Rules:
    """What the subject declares, where the sources leave a choice."""

    manifest: Manifest

    @property
    def has_extraction(self) -> bool:
        """Whether the answer comes from a request of its own."""
        return "extraction" in self.manifest.capabilities

    def variants(self, choice: str) -> frozenset[str]:
        """What may happen at a choice: what is declared, else anything.

        Who makes args fit declares nothing about those that can't be made to.
        """
        declared = self.manifest.choices.get(choice, "")
        found = frozenset(variant for variant in _VARIANTS if variant in declared)
        return _VARIANTS if "coerce" in found else found or _VARIANTS

    def begin(self, tools: tuple[str, ...], max_steps: int, *, may_refuse: bool) -> Iterator[Position]:
        """The first positions of a call."""
        position = Position(loop.start(tools, max_steps, policy=_OBSERVING), self.manifest.retries)
        yield position
        if may_refuse:
            yield failed(position)

    def after(self, position: Position, event: loop.Event) -> Position:
        """The position of the next turn, its attempts all to come."""
        return Position(loop.advance(position.state, event), self.manifest.retries)

    def absorbed(self, position: Position, choice: str) -> Iterator[Position]:
        """Where the loop may stand after a reply that can't be followed."""
        yield from self.again(position)
        allowed = self.variants(choice)
        malformed = loop.StepMalformed(reason="")
        if "observe" in allowed:
            yield self.after(position, malformed)
            # Whether a reply that can't be followed counts as a step is left open.
            yield replace(position, retries=self.manifest.retries)
        if "extract" in allowed:
            extracting = position.state.model_copy(update={"policy": _EXTRACTING})
            yield Position(
                loop.advance(extracting, malformed).model_copy(update={"policy": _OBSERVING}), self.manifest.retries
            )
        if "error" in allowed:
            yield failed(position)

    def again(self, position: Position) -> Iterator[Position]:
        """The same turn, asked for once more, as often as is declared."""
        if position.retries > 0:
            yield replace(position, retries=position.retries - 1)


def failed(position: Position) -> Position:
    """The call ends with an error."""
    return replace(position, state=position.state.model_copy(update={"action": loop.Done(error="")}))


def unique(positions: Iterable[Position]) -> tuple[Position, ...]:
    """The positions, each once: what the observations were makes no difference."""
    found = {(len(p.state.steps), p.action.model_dump_json(), p.retries): p for p in positions}
    return tuple(found.values())
