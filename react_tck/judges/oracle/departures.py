"""Compares a record with the prediction, event by event, up to the first departure."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from react_tck.judges.oracle.blame import Limit, blamed, kind_of
from react_tck.judges.oracle.positions import Position, unique
from react_tck.judges.oracle.prediction import Predictor
from react_tck.judges.oracle.rules import Rules
from react_tck.judges.oracle.scope import unpredicted
from react_tck.judges.oracle.side_by_side import due, side_by_side
from react_tck.judges.sanitizers import request_bound
from react_tck.judges.verdict import Violation
from react_tck.model.record import Asked, Called, Changed, Event, Hung
from react_tck.record.evidence import Scene
from react_tck.reference import loop


@dataclass(frozen=True)
class Followed:
    """How far a call was followed: to its end, to a departure, or to where nothing is predicted, and why."""

    departure: Violation | None = None
    gap: str | None = None
    #: The events up to there, and where the call stands after them: what was due then.
    agreed: tuple[Event, ...] = ()
    positions: tuple[Position, ...] = ()


def judge(scene: Scene) -> Iterator[Violation]:
    """The first event of a call that isn't what the loop would have done.

    Its `kind` says how it departs. Where nothing but the call itself was due to happen, `requirement_id` is empty: the
    departure is one from what the scenario is about, and the caller names its requirement (`of`).
    """
    if departure := followed(scene).departure:
        yield departure


def reached(scene: Scene) -> frozenset[str]:
    """The positions that the call may have reached, as far as it is as predicted: what is due there, and why."""
    found: set[str] = set()
    followed(scene, lambda positions: found.update(map(_label, positions)))
    return frozenset(found)


def _label(position: Position) -> str:
    return f"{position.stage}, {position.reason}: {type(position.action).__name__}"


def _unvisited(_: Iterable[Position]) -> None:
    pass


def followed(scene: Scene, visit: Callable[[Iterable[Position]], None] = _unvisited) -> Followed:
    """The call, followed as far as it is as predicted; `visit` is shown the positions after each event."""
    if gap := unpredicted(scene):
        return Followed(gap=gap)
    predictor = Predictor(scene, Rules(scene.manifest))
    positions, agreed = predictor.begin(), list[Event]()
    asked = 0
    for event in scene.record.events:
        if isinstance(event, Called | Changed | Hung):
            continue
        if isinstance(event, Asked) and (event.refusal or event.intent is None):
            return _unanswered(scene, positions, tuple(agreed), event)
        asked += isinstance(event, Asked)
        if asked > request_bound(scene):
            return _departed(scene, tuple(_at_the_bound(position) for position in positions), tuple(agreed), event)
        after = unique(new for old in positions for new in predictor.after(old, event))
        if not after:
            return _departed(scene, positions, tuple(agreed), event)
        positions = after
        visit(positions)
        agreed.append(event)
    return Followed(agreed=tuple(agreed), positions=positions)


def _at_the_bound(position: Position) -> Position:
    """No request is due any more (ERR-008); why there are so many is known where the LM itself fails."""
    return position if position.reason in ("lm-fault", "did not fit") else replace(position, reason="bound reached")


def _limit(scene: Scene) -> Limit:
    if scene.invocation.max_steps is not None:
        return "call"
    return "default" if scene.case.options.max_steps is None else "construction"


def _unanswered(scene: Scene, positions: tuple[Position, ...], agreed: tuple[Event, ...], asked: Asked) -> Followed:
    """A request that the kit refused is a departure if it isn't due; if it is, the script has come to its end."""
    phase = asked.ask.phase if asked.ask else None
    asks = {"step": (loop.AskStep,), "extraction": (loop.AskExtraction, loop.AskSummary)}
    wanted = asks[phase] if phase else (loop.AskStep, loop.AskExtraction, loop.AskSummary)
    if any(position.due(*wanted) for position in positions):
        return Followed(gap="the script has no reply")
    return _departed(scene, positions, agreed, asked)


def _departed(scene: Scene, positions: tuple[Position, ...], agreed: tuple[Event, ...], event: Event) -> Followed:
    kind = kind_of(positions, event, agreed)
    actual = f"{kind}\n\n{side_by_side(agreed, positions, event)}"
    blame = blamed(positions, kind, agreed, _limit(scene))
    violation = Violation("what the loop does next", actual, event, blame, kind, due(positions))
    return Followed(violation, None, agreed, positions)
