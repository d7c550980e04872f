"""What was due in an episode: up to the first departure what the subject did, and from there what the oracle has."""

from collections.abc import Iterable, Mapping
from contextlib import suppress

from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import LMFault, LMRefusal, scripted_lm
from react_tck.fakes.tools import ToolFailure, scripted_tools
from react_tck.judges.oracle.departures import follow_call
from react_tck.judges.oracle.positions import Position, drop_duplicates
from react_tck.judges.oracle.prediction import Predictor
from react_tck.judges.oracle.rules import Rules
from react_tck.model.base import JsonObject
from react_tck.model.lm import LMRequest, Message
from react_tck.model.outcome import Failure, Outcome
from react_tck.model.record import Asked, Called, Event, Returned, ToolRan
from react_tck.record.answers import read_answer
from react_tck.record.evidence import Evidence, Scene
from react_tck.reference import loop


class Untold(Exception):
    """No unit test can tell this failure; the message says why."""


def predict_events(evidence: Evidence, asks: Mapping[str, LMRequest]) -> tuple[Event, ...]:
    """The events that were due, up to the end of the call in which the subject departs from them.

    `asks` has a request for each phase, as the subject makes it: later ones are taken to be like it.

    Raises:
        Untold: if nobody can say what was due.
    """
    course = _Course(evidence, asks)
    for scene in evidence.scenes:
        found = follow_call(scene)
        if found.gap:
            raise Untold(f"of call {scene.number + 1} nothing is predicted, for {found.gap}")
        if found.departure:
            course.replay_events((Called(invocation=scene.number), *found.agreed), scene)
            course.finish_call(scene, found.positions)
            break
        course.replay_events(scene.record.events, scene)
    return course.events


class _Course:
    """An episode once more, with an LM and tools of its own, of which nothing departs from what is due."""

    def __init__(self, evidence: Evidence, asks: Mapping[str, LMRequest]) -> None:
        self._asks = asks
        self._journal = Journal()
        self._lm = scripted_lm(evidence.episode, evidence.manifest, self._journal)
        self._tools = {tool.tool.name: tool for tool in scripted_tools(evidence.episode, self._journal)}

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened so far."""
        return self._journal.read_record("").events

    def replay_events(self, events: Iterable[Event], scene: Scene) -> None:
        """Let happen again what was as it was due."""
        self._journal.invocation = scene.number
        self._lm.allow_steps(scene.manifest.steps_before_submit(scene.invocation, scene.case.options))
        for event in events:
            match event:
                case Asked(request=request):
                    self._ask_lm(request)
                case ToolRan(tool=tool, args=args):
                    self._run_tool(tool, args)
                case Called() | Returned():
                    self._journal.add_event(event)

    def finish_call(self, scene: Scene, positions: tuple[Position, ...]) -> None:
        """Let happen what is due next, until the call is over.

        Raises:
            Untold: if a person is waited for, or the script has no reply.
        """
        predictor = Predictor(scene, Rules(scene.manifest))
        while not isinstance((position := self._pick_position(positions)).action, loop.End):
            event = self._do_due_action(position)
            positions = drop_duplicates(new for old in positions for new in predictor.follow_event(old, event))
        self._journal.add_event(Returned(invocation=scene.number, outcome=self._build_outcome(position)))

    def _do_due_action(self, position: Position) -> Event:
        match position.action:
            case loop.AskStep():
                self._ask_lm(self._build_request("step", is_again=position.reason == "retry owed"))
            case loop.AskExtraction():
                self._ask_lm(self._build_request("extraction", is_again=position.reason == "retry owed"))
            case loop.RunTool(call=call):
                self._run_tool(call.name, call.args)
            case action:
                raise Untold(f"what was due next is no request, tool run or end: {action.kind}")
        return self.events[-1]

    def _build_request(self, phase: str, *, is_again: bool) -> LMRequest:
        """A request as the subject makes it, with something new in it unless it is to ask for the same again."""
        earlier = [event.request for event in self.events if isinstance(event, Asked)]
        if is_again and earlier:
            return earlier[-1]
        if phase not in self._asks:
            raise Untold(f"nobody has seen how the subject asks for its {phase}")
        like = self._asks[phase]
        more = Message(role="user", content=f"({len(self.events)} events before)")
        return like.model_copy(update={"messages": (*like.messages, more)})

    def _ask_lm(self, request: LMRequest) -> None:
        try:
            with suppress(LMFault):
                self._lm.complete(request)
        except LMRefusal as refusal:
            raise Untold(f"the script has no reply where one was due: {refusal}") from refusal

    def _run_tool(self, tool: str, args: JsonObject) -> None:
        with suppress(ToolFailure):
            self._tools[tool].run(args)

    def _build_outcome(self, position: Position) -> Outcome:
        if isinstance(position.action, loop.End) and position.action.error is not None:
            return Outcome(status="error", error=Failure(type="Error", message="an error"))
        asked = [event for event in self.events if isinstance(event, Asked)]
        answer = read_answer(asked[-1]) if asked else None
        if answer is None:
            raise Untold("the call was to end with an answer that no reply gives")
        return Outcome(status="ok", outputs=answer.outputs)

    def _pick_position(self, positions: Iterable[Position]) -> Position:
        """Of what may be due, what the subject has shown that it can do and what doesn't give up come first."""
        running = [position for position in positions if position.is_running]
        if not running:
            raise Untold("a person was to be waited for, or nothing was due")
        return min(running, key=self._rank_position)

    def _rank_position(self, position: Position) -> tuple[bool, bool]:
        is_unknown = isinstance(position.action, loop.AskExtraction) and "extraction" not in self._asks
        return is_unknown, isinstance(position.action, loop.End) and position.action.error is not None
