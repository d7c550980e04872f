"""What was due in an episode: every course that the sources and the subject's choices leave open."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from react_tck.adapter.lm import LMFault, LMRefusal
from react_tck.adapter.tools import ToolFailure
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import scripted_lm
from react_tck.fakes.tools import scripted_tools
from react_tck.judges.oracle.departures import follow_call
from react_tck.judges.oracle.positions import Position, drop_duplicates
from react_tck.judges.oracle.prediction import Predictor
from react_tck.judges.oracle.rules import Rules
from react_tck.judges.truncation import request_bound
from react_tck.model.base import JsonObject
from react_tck.model.lm import LMRequest, Message
from react_tck.model.outcome import Failure, Outcome
from react_tck.model.record import Asked, Called, Event, Returned, ToolRan
from react_tck.record.answers import read_answer
from react_tck.record.evidence import Evidence, Scene
from react_tck.reference import loop

#: Courses of an episode at the most: a test that holds more is nobody's to read.
_MOST = 32
_ERROR = Outcome(status="error", error=Failure(type="Error", message="an error"))


class Untold(Exception):
    """No unit test can tell this failure; the message says why."""


def predict_courses(evidence: Evidence, asks: Mapping[str, LMRequest]) -> tuple[tuple[Event, ...], ...]:
    """Every course of events that is right, up to the end of the call in which the subject departs from them all.

    Calls before that one are as they were. `asks` has a request for each phase, as the subject makes it: later ones are
    taken to be like it. The likeliest course comes first.

    Raises:
        Untold: if nobody can say what was due.
    """
    scenes = list(_take_scenes(evidence))
    if follow_call(scenes[-1]).departure is None:
        return (evidence.record.events,)
    courses: list[tuple[Event, ...]] = []
    paths: list[tuple[int, ...]] = [()]
    for path in paths:  # which grows as it is walked
        if len(paths) > _MOST:
            raise Untold(f"more than {_MOST} courses are right, as little is declared of the choices")
        course = _DueCourse(evidence, asks)
        for scene in scenes[:-1]:
            course.replay_events(scene)
        paths += course.play_call(scenes[-1], path)
        courses.append(course.events)
    return tuple(courses)


def _take_scenes(evidence: Evidence) -> Iterator[Scene]:
    """Yield the calls up to the first that isn't as it was due."""
    for scene in evidence.scenes:
        found = follow_call(scene)
        if found.gap:
            raise Untold(f"of call {scene.number + 1} nothing is predicted, for {found.gap}")
        yield scene
        if found.departure:
            return


class _Ask(NamedTuple):
    """A request that is due; or one that is made once more, as it was."""

    phase: str
    is_again: bool = False


#: What may come next: a request, a run of a tool, or the end of the call.
_Due = _Ask | loop.RunTool | loop.End


class _DueCourse:
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

    def replay_events(self, scene: Scene) -> None:
        """Let happen again what was as it was due."""
        self._begin_call(scene)
        for event in scene.record.events:
            match event:
                case Asked(request=request):
                    self._ask_lm(request)
                case ToolRan(tool=tool, args=args):
                    self._run_tool(tool, args)
                case Called() | Returned():
                    self._journal.add_event(event)

    def play_call(self, scene: Scene, path: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Let the call happen: of what may come next, `path` says which, and after its end the likeliest comes.

        Returns:
            The paths that part from this one after that.

        Raises:
            Untold: if a person is waited for, or the script has no reply.
        """
        self._begin_call(scene)
        self._journal.add_event(Called(invocation=scene.number))
        predictor = Predictor(scene, Rules(scene.manifest))
        positions = predictor.list_first_positions()
        taken: tuple[int, ...] = ()
        others: list[tuple[int, ...]] = []
        while True:
            due = self._list_due(predictor, positions)
            if not due:
                raise Untold("a person was to be waited for, or nothing was due")
            if len(taken) >= len(path):
                others += ((*taken, number) for number in range(1, len(due)))
            taken = (*taken, path[len(taken)] if len(taken) < len(path) else 0)
            event = self._do_due(due[taken[-1]])
            if isinstance(event, Returned):
                return others
            positions = drop_duplicates(new for old in positions for new in predictor.follow_event(old, event))

    def _begin_call(self, scene: Scene) -> None:
        self._journal.invocation = scene.number
        self._lm.begin_call(scene.invocation)

    def _list_due(self, predictor: Predictor, positions: tuple[Position, ...]) -> list[_Due]:
        """Return what may come next, each once; what doesn't give up first, and a new request before one again."""
        is_full = sum(isinstance(event, Asked) for event in self._call_events) >= request_bound(predictor.scene)
        due: dict[str, _Due] = {}
        for position in positions:
            for each in self._list_due_at(predictor, position):
                if not (is_full and isinstance(each, _Ask)):
                    due.setdefault(repr(each), each)
        return sorted(due.values(), key=_rank_due)

    @property
    def _call_events(self) -> list[Event]:
        return [each for each in self.events if getattr(each, "invocation", None) == self._journal.invocation]

    def _list_due_at(self, predictor: Predictor, position: Position) -> Iterator[_Due]:
        match position.action:
            case loop.AskStep():
                yield from _list_requests("step", position)
            case loop.AskExtraction() if "extraction" in self._asks:
                yield from _list_requests("extraction", position)
            case loop.AskExtraction() if "last observation" in predictor.rules.exhausted_variants:
                raise Untold("the call may end with what was observed last, and nobody knows in which form")
            case loop.RunTool() as run if position.is_running:
                yield run
            case loop.End(error=None) as end if position.is_running:
                yield end
            case loop.AskSummary():
                raise Untold("a summary may be due, and nobody has seen how the subject asks for it")
        if predictor.follow_event(position, Returned(invocation=self._journal.invocation, outcome=_ERROR)):
            yield loop.End(error="")

    def _do_due(self, due: _Due) -> Event:
        match due:
            case _Ask():
                self._ask_lm(self._build_request(due))
            case loop.RunTool(call=call):
                self._run_tool(call.name, call.args)
            case loop.End(error=error):
                outcome = self._build_success() if error is None else _ERROR
                self._journal.add_event(Returned(invocation=self._journal.invocation, outcome=outcome))
        return self.events[-1]

    def _build_request(self, ask: _Ask) -> LMRequest:
        """Return a request as the subject makes it, with something new in it unless it is to ask for the same again."""
        earlier = [event.request for event in self.events if isinstance(event, Asked)]
        if ask.is_again and earlier:
            return earlier[-1]
        if ask.phase not in self._asks:
            raise Untold(f"nobody has seen how the subject asks for its {ask.phase}")
        like = self._asks[ask.phase]
        more = Message(role="assistant", content=f"({len(self.events)} events before)")
        # What is asked for may be told by the first message of a user, or by the last one.
        return like.model_copy(update={"messages": (*like.messages[:-1], more, *like.messages[-1:])})

    def _ask_lm(self, request: LMRequest) -> None:
        try:
            with suppress(LMFault):
                self._lm.complete(request)
        except LMRefusal as refusal:
            raise Untold(f"the script has no reply where one was due: {refusal}") from refusal

    def _run_tool(self, tool: str, args: JsonObject) -> None:
        with suppress(ToolFailure):
            self._tools[tool].run(args)

    def _build_success(self) -> Outcome:
        asked = [event for event in self.events if isinstance(event, Asked)]
        answer = read_answer(asked[-1]) if asked else None
        if answer is None:
            raise Untold("the call was to end with an answer that no reply gives")
        return Outcome(status="ok", outputs=answer.outputs)


def _list_requests(phase: str, position: Position) -> Iterator[_Ask]:
    if position.stage == "retrying" or position.is_running:
        yield _Ask(phase, is_again=position.stage == "retrying" or position.reason == "retry owed")


def _rank_due(due: _Due) -> tuple[bool, bool]:
    return isinstance(due, loop.End) and due.error is not None, isinstance(due, _Ask) and due.is_again
