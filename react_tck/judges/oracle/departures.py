"""Compares a record with the prediction, event by event, up to the first departure."""

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from react_tck.dialects.fields import FINISH, REASONING, THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.judges.oracle.positions import Position, Rules, unique
from react_tck.judges.oracle.prediction import Predictor
from react_tck.judges.oracle.side_by_side import side_by_side
from react_tck.judges.verdict import Violation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, BadArgs, CallTool, Empty, Fault, Finish, Garbled, Raw
from react_tck.model.record import Asked, Called, Changed, Event, Returned, ToolRan
from react_tck.model.tool import Behaviour, Interrupts, ReturnsOddity
from react_tck.record.evidence import Scene
from react_tck.record.turns import Turn
from react_tck.reference import loop

Kind = Literal["extra call", "missing call", "wrong args", "wrong order", "wrong text", "wrong stop"]

#: What the prediction knows about; an episode with anything else isn't predicted.
_KNOWN = (CallTool, Finish, Answer, BadArgs, Garbled, Raw, Empty, Fault)

#: Fields that the loop has itself.
_LOOPS_OWN = {"trajectory", THOUGHT, TOOL_NAME, TOOL_ARGS, REASONING}
#: Names that options of a call have; what becomes of an input by one is TOOL-005's affair.
_OPTIONS = {"max_steps", "max_iters", "config", "signature", "lm", "demos"}
#: The requirement that a wrong stop breaks, by what is out of order about the last reply.
_BY_CHOICE = {
    "unknown-tool": "ERR-001",
    "malformed-args": "ERR-002",
    "schema-mismatch": "ERR-004",
    "malformed-reply": "ERR-005",
    "lm-fault": "ERR-012",
}


def judge(scene: Scene) -> Iterator[Violation]:
    """The first event of a call that isn't what the loop would have done."""
    if is_predictable(scene.episode) and (departure := _Follower(scene).first_departure()):
        yield departure


def is_predictable(episode: Episode) -> bool:
    """The tool loop of S4 that nobody is asked about or interrupts, and in which no name is taken twice (TOOL-005)."""
    case = episode.case
    tools = [FINISH, *(tool.name for tool in case.tools)]
    fields = {field.name for field in (*case.signature.inputs, *case.signature.outputs)}
    is_alone = not case.options.clarification and not any(tool.confirm for tool in case.tools)
    is_distinct = len(set(tools)) == len(tools) and not fields & (_LOOPS_OWN | _OPTIONS)
    is_observable = all(map(_is_observable, chain.from_iterable(episode.behaviours.values())))
    return case.options.system is None and is_alone and is_distinct and is_observable


def _is_observable(behaviour: Behaviour) -> bool:
    """Whether a run comes to something to observe; what else becomes of it is TOOL-006's and ERR-015's affair."""
    return not isinstance(behaviour, Interrupts) and not (
        isinstance(behaviour, ReturnsOddity) and behaviour.is_deferred
    )


class _Follower:
    """Goes along with a record as far as it is as predicted."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._rules = Rules(scene.manifest)
        self._predictor = Predictor(scene, self._rules)
        self._last: Event | None = None

    def first_departure(self) -> Violation | None:
        positions = self._begin()
        agreed: list[Event] = []
        for event in self._scene.record.events:
            if isinstance(event, Called | Changed):
                continue
            if not _is_known(event):
                return None
            after = unique(new for old in positions for new in self._predictor.after(old, event))
            if not after:
                return self._departure(positions, tuple(agreed), event)
            positions, self._last = after, event
            agreed.append(event)
        return None

    def _begin(self) -> tuple[Position, ...]:
        scene = self._scene
        inputs = {field.name for field in scene.case.signature.inputs}
        given = set(scene.invocation.inputs) | ({scene.case.signature.history_field} & inputs)
        may_refuse = given != inputs or scene.max_steps == 0
        return unique(self._rules.begin(tuple(scene.tools), scene.max_steps, may_refuse=may_refuse))

    def _departure(self, positions: tuple[Position, ...], agreed: tuple[Event, ...], event: Event) -> Violation:
        kind = _kind(positions, event)
        actual = f"{kind}\n\n{side_by_side(agreed, positions, event)}"
        return Violation("what the loop does next", actual, event, self._broken(kind, positions, event))

    def _broken(self, kind: Kind, positions: tuple[Position, ...], event: Event) -> str:
        """The id of the requirement that the departure breaks."""
        match kind:
            case "wrong args":
                return "SAN-002"
            case "missing call":
                return "SAN-003"
            case "wrong text":
                return "SAN-007"
            case "wrong order":
                return "LOOP-005"
            case "extra call" if isinstance(event, ToolRan):
                return self._wrongly_run(event)
            case "extra call":
                return self._wrongly_asked(event)
        return self._wrongly_stopped(positions)

    def _wrongly_run(self, run: ToolRan) -> str:
        match self._last:
            case ToolRan(tool=run.tool):
                return "SAN-003"
            case Asked(intent=BadArgs() | Garbled()) as asked if Turn(asked, ()).names(run.tool):
                return _BY_CHOICE.get(self._predictor.choice(asked) or "", "SAN-001")
        return "SAN-001"

    def _wrongly_asked(self, event: Event) -> str:
        """What was to end goes on: on an answer, on a reply that leaves it no choice to go on, or beyond its bounds."""
        match self._last:
            case Asked(intent=Answer()):
                return "EXT-003"
            case Asked(ask=ask) as asked if ask and ask.phase == "step" and not _is_retry(event):
                return _BY_CHOICE.get(self._predictor.choice(asked) or "", "ERR-008")
        return "ERR-008"

    def _wrongly_stopped(self, positions: tuple[Position, ...]) -> str:
        match self._last:
            case Asked() if all(self._is_owed(position) for position in positions):
                return "ERR-006"
            case ToolRan(error=str()):
                return "ERR-007"
            case ToolRan():
                return "LOOP-004" if _are_due(positions, loop.AskExtraction) else "TOOL-003"
            case Asked(intent=Finish()):
                return "LOOP-003"
            case Asked(intent=Answer()):
                return "EXT-002"
            case Asked(ask=ask, intent=Garbled() | Empty() | Raw()) if ask and ask.phase == "extraction":
                return "ERR-011"
            case Asked() as asked:
                return _BY_CHOICE.get(self._predictor.choice(asked) or "", "LOOP-006")
        return "LOOP-006"

    def _is_owed(self, position: Position) -> bool:
        """Whether the turn is still to be asked for again."""
        is_due = isinstance(position.action, loop.AskStep | loop.AskExtraction)
        return is_due and position.retries < self._rules.manifest.retries


def _is_retry(event: Event) -> bool:
    return isinstance(event, Asked) and event.attempt > 0


def _is_known(event: Event) -> bool:
    """Whether the prediction goes on: not where the kit refused, nor into what it doesn't know."""
    if isinstance(event, Asked):
        return event.refusal is None and event.ask is not None and isinstance(event.intent, _KNOWN)
    return not (isinstance(event, Returned) and event.outcome.status == "suspended")


def _kind(positions: tuple[Position, ...], event: Event) -> Kind:
    due = [position.action for position in positions]
    runs = [action for action in due if isinstance(action, loop.RunTool)]
    match event:
        case ToolRan(tool=tool) if runs:
            return "wrong args" if any(run.call.name == tool for run in runs) else "wrong order"
        case ToolRan():
            return "extra call"
        case Returned(outcome=outcome) if outcome.status == "ok" and loop.Done() in due:
            return "wrong text"
        case Asked() if all(isinstance(action, loop.Done) for action in due):
            return "extra call"
    return "missing call" if len(runs) == len(due) else "wrong stop"


def _are_due(positions: tuple[Position, ...], action: type[loop.Action]) -> bool:
    return any(isinstance(position.action, action) for position in positions)
