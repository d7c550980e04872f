"""A unit test without its language: task, calls, what the tools return, and the courses that are right."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from react_tck.adapter.tools import ToolFailure
from react_tck.fakes.journal import Journal
from react_tck.fakes.tools import scripted_tools
from react_tck.judges.table import collect_violations
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.lm import LMRequest
from react_tck.model.outcome import Outcome
from react_tck.model.protocol import CallParams
from react_tck.model.record import Asked, Event, Hung, Refused, Returned, ToolRan
from react_tck.model.tool import Raises, Reports, Returns
from react_tck.record.evidence import Evidence
from react_tck.texts import read_json
from react_tck.unit_tests.due import Untold, predict_courses
from react_tck.unit_tests.wire import LiteralAnswer, Shape, write_answers

#: The requirement that observations are shown (SAN-004): held against a request only where a judge does so, too.
_SHOWN = "SAN-004"
#: Characters of a text that is looked for at least.
_TELLING = 4
_RUNS = "runs "
#: Of a course that goes on, and of a tool that runs again and again, what is told beyond what was due.
_AFTER = 4


@dataclass(frozen=True)
class ToldFailure:
    """What the kit said of the episode."""

    requirement_id: str
    #: What a reader of the test is told of it, in paragraphs.
    text: str
    #: The command that shows it with the kit.
    command: str


@dataclass(frozen=True)
class Result:
    """What a run of a tool comes to: the JSON of its result, or the message of its error."""

    tool: str
    text: str
    is_error: bool


@dataclass(frozen=True)
class RightCourse:
    """A course that is right, with what the LM says in it."""

    answers: tuple[LiteralAnswer, ...]
    #: For each answer, the texts that the request before it has to show.
    shows: tuple[tuple[str, ...], ...]
    #: The course of events, a line each.
    due: tuple[str, ...]


@dataclass(frozen=True)
class UnitTest:
    """All that a file in any language says. The texts of task and calls are JSON, as in docs/PROTOCOL.md."""

    failure: ToldFailure
    task: str
    calls: tuple[str, ...]
    #: One of them is to hold; the likeliest comes first.
    courses: tuple[RightCourse, ...]
    #: By tool, in order; the last of a tool is that of all its further runs.
    results: tuple[Result, ...]
    #: The course that the subject took, up to shortly after it departed.
    actual: tuple[str, ...]


def build_unit_test(
    evidence: Evidence, failure: ToldFailure, asks: Mapping[str, LMRequest], forms: Sequence[Shape]
) -> UnitTest:
    """Return the test that fails as the subject did.

    Raises:
        Untold: if requests, tool runs and the ends of calls don't tell this failure, or can't be had again literally.
    """
    _check_tellable(evidence.episode)
    predicted = predict_courses(evidence, asks)
    calls = 1 + max((event.invocation for event in predicted[0] if not isinstance(event, Refused)), default=0)
    courses = tuple(dict.fromkeys(_build_right_course(evidence, events, forms) for events in predicted))
    actual = tuple(_describe_course(_select_calls(evidence.record.events, calls), courses[0].shows))
    if actual in [course.due for course in courses]:
        raise Untold("requests, tool runs and the ends of calls are as they were due: what fails shows elsewhere")
    return UnitTest(
        failure=failure,
        task=_write_task(evidence.episode),
        calls=tuple(_write_call(each) for each in evidence.episode.case.invocations[:calls]),
        courses=courses,
        results=tuple(_list_results(evidence.episode, evidence.record.tool_runs, predicted)),
        actual=_cut_course(actual, courses[0].due),
    )


def _build_right_course(evidence: Evidence, events: Sequence[Event], forms: Sequence[Shape]) -> RightCourse:
    asked = (event for event in events if isinstance(event, Asked))
    return RightCourse(
        answers=write_answers(asked, forms),
        shows=tuple(_list_owed_texts(evidence, events)),
        due=tuple(_describe_course(events, ())),
    )


def _cut_course(actual: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the course, without what nobody needs to see of one that goes on and on."""
    end = len(wanted) + _AFTER
    return actual if len(actual) <= end else (*actual[:end], f"… {len(actual) - end} more")


def _check_tellable(episode: Episode) -> None:
    for invocation in episode.case.invocations:
        if invocation.resumptions or invocation.suspension is not None:
            raise Untold("the call is resumed, and a unit test has no form for that")
        if invocation.follows is not None:
            raise Untold("the call goes on from the outcome of an earlier one, which only the subject can give")
    if episode.case.state is not None:
        raise Untold("the episode begins with a saved program, which only the subject can read")
    for behaviour in (each for runs in episode.behaviours.values() for each in runs):
        if not isinstance(behaviour, Returns | Raises | Reports):
            raise Untold(f"a tool does what no JSON says: {behaviour.kind}")


def _select_calls(events: Iterable[Event], calls: int) -> Iterator[Event]:
    return (event for event in events if isinstance(event, Refused) or event.invocation < calls)


def _describe_course(events: Iterable[Event], shows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a line for each event; runs of one turn in an order of their own, for no source says in which they run."""
    runs: list[str] = []
    requests = 0
    for event in events:
        if isinstance(event, ToolRan):
            runs.append(f"{_RUNS}{event.tool}({_write_args(event)})")
            continue
        yield from sorted(runs)
        runs.clear()
        match event:
            case Asked(request=request):
                owed = shows[requests] if requests < len(shows) else ()
                requests += 1
                yield "asks the LM" + "".join(f", not showing {text}" for text in owed if text not in request.text)
            case Returned(outcome=outcome):
                yield _describe_end(outcome)
            case Hung():
                yield "never ends"
            case Refused():
                raise Untold("the subject refuses the task, so that nobody has seen how it asks")
    yield from sorted(runs)


def _write_args(run: ToolRan) -> str:
    if run.refused is None:
        return write_canonical_json(run.args)
    try:
        return write_canonical_json(read_json(run.refused))
    except ValueError:
        return write_canonical_json(run.refused)


def _describe_end(outcome: Outcome) -> str:
    match outcome.status:
        case "ok":
            return f"ends with {write_canonical_json(outcome.outputs)}"
        case "error":
            return "ends with an error"
    raise Untold("the call waits for a person, and a unit test has no form for that")


def _list_owed_texts(evidence: Evidence, events: Iterable[Event]) -> Iterator[tuple[str, ...]]:
    """For each request, the observations since the one before that it has to show, and that can be looked for."""
    is_accused = _SHOWN in collect_violations(evidence)
    seen = [event.request.text for event in evidence.record.requests]
    owed: list[str] = []
    requests = 0
    for event in events:
        if isinstance(event, ToolRan):
            owed += [text for text in (event.observation,) if isinstance(text, str) and _can_be_looked_for(text)]
        elif isinstance(event, Asked):
            said = seen[requests] if requests < len(seen) else ""
            yield tuple(text for text in owed if is_accused or text in said)
            owed.clear()
            requests += 1


def _can_be_looked_for(text: str) -> bool:
    """Tell whether it reads the same in every notation."""
    return len(text) >= _TELLING and text.isascii() and text.isprintable() and not set(text) & set("\"\\<>&/'")


def _list_results(
    episode: Episode, actual: Iterable[ToolRan], predicted: Iterable[Iterable[Event]]
) -> Iterator[Result]:
    """Yield what each tool returns, as often as it ran or was due to run."""
    wanted = [Counter(event.tool for event in events if isinstance(event, ToolRan)) for events in predicted]
    ran = Counter(run.tool for run in actual)
    for tool in scripted_tools(episode, Journal()):
        name = tool.tool.name
        most = max(counts[name] for counts in wanted)
        for _ in range(max(1, min(most + _AFTER, max(most, ran[name])))):
            try:
                yield Result(name, write_canonical_json(tool.run({})), is_error=False)
            except ToolFailure as error:
                yield Result(name, str(error), is_error=True)


def _write_task(episode: Episode) -> str:
    case = episode.case
    return as_json(
        {
            "signature": case.signature.model_dump(mode="json"),
            "tools": [tool.model_dump(mode="json") for tool in case.tools],
            "options": case.options.model_dump(mode="json"),
        }
    )


def _write_call(invocation: Invocation) -> str:
    given = invocation.model_dump(include={"inputs", "history", "max_steps", "adapter", "mode"})
    return as_json(CallParams(instance="1", **given).model_dump(mode="json", exclude={"instance", "follows"}))


def write_canonical_json(value: JsonValue) -> str:
    """JSON in which the same values are the same text: keys in order, no space, whole numbers without a point."""
    return as_json(_unify_numbers(value), sort_keys=True, separators=(",", ":"))


def _unify_numbers(value: JsonValue) -> JsonValue:
    match value:
        case float() if value.is_integer() and abs(value) < 2**53:
            return int(value)
        case dict():
            return {key: _unify_numbers(inner) for key, inner in value.items()}
        case list():
            return [_unify_numbers(inner) for inner in value]
    return value


def as_json(value: object, **how: object) -> str:
    """Return the JSON of a value, readable unless it holds half a surrogate pair."""
    text = json.dumps(value, ensure_ascii=False, **how)  # type: ignore[arg-type]
    return text if text.encode(errors="ignore").decode() == text else json.dumps(value, **how)  # type: ignore[arg-type]
