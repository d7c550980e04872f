"""Compares a record with the prediction, event by event, up to the first departure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from react_tck.judges.oracle.blame import Limit, classify_departure, find_blamed_requirement
from react_tck.judges.oracle.positions import Position, drop_duplicates
from react_tck.judges.oracle.prediction import Predictor
from react_tck.judges.oracle.rules import Rules
from react_tck.judges.oracle.scope import find_prediction_gap
from react_tck.judges.oracle.side_by_side import draw_side_by_side, list_due_beats
from react_tck.judges.truncation import request_bound
from react_tck.judges.verdict import Violation
from react_tck.model.record import Asked, Called, Changed, Event, Hung, Resumed, Returned
from react_tck.model.requirement import DECLARED_OTHERWISE
from react_tck.record.approvals import Decision, collect_questions, read_decision
from react_tck.record.evidence import Scene
from react_tck.reference import loop

#: Who says what becomes of the rest of a turn behind a response.
_OF_RESPONSES: Mapping[Decision | None, str] = {
    "yes": "CNF-003",
    "edit": "CNF-003",
    "no": "CNF-004",
    "feedback": "CNF-005",
}


@dataclass(frozen=True)
class Followed:
    """How far a call was followed: to its end, to a departure, or to where nothing is predicted, and why."""

    departure: Violation | None = None
    gap: str | None = None
    #: The events up to there, and where the call stands after them: what was due then.
    agreed: tuple[Event, ...] = ()
    positions: tuple[Position, ...] = ()


def find_departure(scene: Scene) -> Iterator[Violation]:
    """Yield the first event of a call that isn't what the loop would have done.

    Its `kind` says how it departs. Where nothing but the call itself was due to happen, `requirement_id` is empty: the
    departure is one from what the scenario is about, and the caller names its requirement (`with_requirement`). One
    that is only from what is declared is told with the line to change (SAN-010), by `judges/choices/declared.py`.
    """
    departure = follow_call(scene).departure
    if departure and departure.requirement_id != DECLARED_OTHERWISE:
        yield departure


def list_reached_positions(scene: Scene) -> frozenset[str]:
    """Return the positions that the call may have reached, as far as it is as predicted: what is due there, and why."""
    found: set[str] = set()
    follow_call(scene, lambda positions: found.update(map(_label_position, positions)))
    return frozenset(found)


def _label_position(position: Position) -> str:
    return f"{position.stage}, {position.reason}: {type(position.action).__name__}"


def _ignore_positions(_: Iterable[Position]) -> None:
    pass


def follow_call(scene: Scene, visit: Callable[[Iterable[Position]], None] = _ignore_positions) -> Followed:
    """Return the call, followed as far as it is as predicted; `visit` is shown the positions after each event."""
    if gap := find_prediction_gap(scene):
        return Followed(gap=gap)
    predictor = Predictor(scene, Rules(scene.manifest))
    positions, agreed = predictor.list_first_positions(), list[Event]()
    asked = 0
    for event in scene.record.events:
        if isinstance(event, Called | Changed | Hung):
            continue
        if isinstance(event, Asked) and (event.refusal or event.intent is None):
            return _judge_refused_request(scene, positions, tuple(agreed), event)
        asked += isinstance(event, Asked)
        if asked > request_bound(scene):
            return _build_departure(
                scene, tuple(_mark_bound_reached(position) for position in positions), tuple(agreed), event
            )
        after = drop_duplicates(new for old in positions for new in predictor.follow_event(old, event))
        if not after:
            return _build_departure(scene, positions, tuple(agreed), event)
        positions = after
        visit(positions)
        agreed.append(event)
    return Followed(agreed=tuple(agreed), positions=positions)


def _mark_bound_reached(position: Position) -> Position:
    """No request is due any more (ERR-008); why there are so many is known where the LM itself fails."""
    return (
        position
        if position.reason in ("lm-fault", "lm-fault for good", "did not fit")
        else replace(position, reason="bound reached")
    )


def _find_limit_source(scene: Scene) -> Limit:
    if scene.invocation.max_steps is not None:
        return "call"
    return "default" if scene.case.options.max_steps is None else "construction"


def _judge_refused_request(
    scene: Scene, positions: tuple[Position, ...], agreed: tuple[Event, ...], asked: Asked
) -> Followed:
    """Judge a refused request: a departure if it isn't due; if it is, the script has come to its end."""
    phase = asked.ask.phase if asked.ask else None
    asks = {"step": (loop.AskStep,), "extraction": (loop.AskExtraction, loop.AskSummary)}
    wanted = asks[phase] if phase else (loop.AskStep, loop.AskExtraction, loop.AskSummary)
    if any(position.is_due(*wanted) for position in positions):
        return Followed(gap="the script has no reply")
    return _build_departure(scene, positions, agreed, asked)


def _is_agreed_to(scene: Scene, positions: tuple[Position, ...], agreed: tuple[Event, ...]) -> bool:
    """Whether a person has agreed to an earlier call of the tool that is to wait; in an earlier run, to any call."""
    waiting = {position.action.call.name for position in positions if isinstance(position.action, loop.AwaitResponse)}
    questions = (question for question in collect_questions(agreed) if question.name in waiting)
    here = (response.resumption for question in questions for response in question.responses)
    before = (said for call in scene.case.invocations[: scene.number] for said in call.resumptions)
    return any(read_decision(said.response) in ("yes", "edit") for said in (*here, *before))


def _find_blame_for_waiting(
    scene: Scene, positions: tuple[Position, ...], agreed: tuple[Event, ...], event: Event
) -> str:
    """Who says that a call waits; if it is left out of a turn that a person has just responded to, the response."""
    if any(isinstance(each.action, loop.AwaitResponse) and each.action.asked for each in positions):
        return "CNF-016"
    latest = next((each for each in reversed(agreed) if isinstance(each, Asked | Resumed)), None)
    if isinstance(event, Asked | Returned) and isinstance(latest, Resumed):
        return _OF_RESPONSES.get(read_decision(latest.resumption.response), "CNF-001")
    return "CNF-015" if _is_agreed_to(scene, positions, agreed) else "CNF-001"


def _build_departure(
    scene: Scene, positions: tuple[Position, ...], agreed: tuple[Event, ...], event: Event
) -> Followed:
    kind = classify_departure(positions, event, agreed)
    actual = f"{kind}\n\n{draw_side_by_side(agreed, positions, event)}"
    blame = find_blamed_requirement(positions, kind, agreed, _find_limit_source(scene))
    if blame == "ERR-019" and len(scene.record.requests) > request_bound(scene):
        blame = "ERR-008"  # one more than is declared is ERR-019's within that bound only
    if kind == "doesn't wait" and blame == "CNF-001":
        blame = _find_blame_for_waiting(scene, positions, agreed, event)
    violation = Violation("what the loop does next", actual, event, blame, kind, list_due_beats(positions))
    return Followed(violation, None, agreed, positions)
