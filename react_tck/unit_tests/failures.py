"""Failures to write a test of: a requirement's in a run, or the one in a case that the fuzzer has kept."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote
from string import Template
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pydantic import JsonValue

from react_tck.catalogue.features import load_features
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import find_way, strip_variation
from react_tck.catalogue.selection import Selection
from react_tck.engine.judging import examine_episode
from react_tck.engine.run import Run
from react_tck.engine.varied import VARIED
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Finish, Script
from react_tck.model.lm import LMRequest
from react_tck.model.report import Finding, ScenarioResult, Verdict
from react_tck.play.again import gather_evidence
from react_tck.play.episode_log import read_episodes
from react_tck.record.evidence import Evidence
from react_tck.results.books import Unheard
from react_tck.results.bug_report import quote_subject
from react_tck.results.ledger import Results
from react_tck.subjects.api import Subject
from react_tck.subjects.lanes import Addressed
from react_tck.unit_tests.due import Untold
from react_tck.unit_tests.unit_test import RightCourse, ToldFailure, UnitTest, build_unit_test
from react_tck.unit_tests.wire import LiteralAnswer, list_shapes, nothing_due

#: Paragraphs of a bug report before its transcript: the requirement, the scenario, what was expected.
_HEAD = 3


class NothingFails(Exception):
    """There is no failure to write a test of; the message says where it was looked for."""


def build_requirement_test(subject: Subject, subject_name: str, requirement_id: str, title: str | None) -> UnitTest:
    """Return the test of the first failure of a requirement that a test can tell; `title` is a part of its row's.

    Raises:
        NothingFails: if nothing is wrong there.
        Untold: if none of the failures can be told by a unit test.
    """
    if requirement_id not in load_registry().by_id:
        raise NothingFails(f"There is no requirement {requirement_id}; `react-tck list` shows them.")
    if title is None and not any(requirement_id in scenario.tags for scenario in load_features()):
        raise NothingFails(f"{requirement_id} has no scenario of its own; name one in which it fails with -k.")
    tags = None if title else f"@{requirement_id}"
    chosen = Selection(profile="all", tags=tags, title=title, vary=find_way(title or ""))
    with TemporaryDirectory() as folder:
        results = Run(subject, subject_name, chosen, transcripts=Path(folder), replays=False).collect_results(Unheard())
        found = list(_list_failures(results, requirement_id))
        if not found:
            where = f"of {requirement_id} " + (f"in the scenarios with {title!r}" if title else "in its scenarios")
            raise NothingFails(f"Nothing fails {where}; `react-tck explain {requirement_id}` shows them.")
        return _build_first_test(
            subject, ((failure, each) for failure, case in found for each in read_episodes(Path(folder), case))
        )


def build_finding_test(subject: Subject, subject_name: str, finding: Finding, path: Path) -> UnitTest:
    """Return the test of a case that the fuzzer has kept.

    Raises:
        NothingFails: if nothing is violated in it.
        Untold: if a unit test can't tell what is.
    """
    _, found = examine_episode(subject, finding.episode, again=False)
    if not found:
        raise NothingFails(f"Nothing is violated in {path}.")
    command = f"react-tck replay {quote(str(path))} {quote_subject(subject_name)}"
    told = ((_describe_failure(id_, str(violation)), id_) for id_, violation in found.items())
    return _build_first_test(subject, ((ToldFailure(id_, text, command), finding.episode) for text, id_ in told))


def _list_failures(results: Results, requirement_id: str) -> Iterator[tuple[ToldFailure, str]]:
    """Yield each failure of the requirement, with the name of its case."""
    owners = {row: each.requirement_id for each in load_features() for row in each.row_titles}
    entered: Iterable[dict[str, list[ScenarioResult]]] = (results.scenarios, results.departures, results.violations)
    for ended in entered:
        for result in ended.get(requirement_id, ()):
            if result.verdict is Verdict.FAILED:
                paragraphs = result.message.split("\n\n")
                varied = [each for each in paragraphs[_HEAD:] if each.startswith(VARIED)]
                text = "\n\n".join([*paragraphs[:_HEAD], *varied])
                case = f"{owners[strip_variation(result.title)]}/{result.title}"
                yield ToldFailure(requirement_id, text, result.reproduce), case


def _describe_failure(requirement_id: str, violation: str) -> str:
    requirement = load_registry().by_id[requirement_id]
    return f"{requirement.label}: {requirement.plain_sentence}\n\n{violation.partition(chr(10) * 2)[0]}"


def _build_first_test(subject: Subject, failures: Iterable[tuple[ToldFailure, Episode]]) -> UnitTest:
    """Return the test of the first that can be told; else why the first can't."""
    reason: Untold | None = None
    for failure, episode in failures:
        try:
            return _build_test(subject, failure, episode)
        except Untold as why:
            reason = reason or Untold(
                f"{failure.requirement_id} fails, but no unit test can tell: {why}. With the kit: {failure.command}"
            )
    raise reason or Untold("No episode was played in which it fails.")


def _build_test(subject: Subject, failure: ToldFailure, episode: Episode) -> UnitTest:
    evidence = gather_evidence(subject, episode, again=False)
    formed = list_shapes(subject.lanes.received_requests if isinstance(subject, Addressed) else ())
    return build_unit_test(evidence, failure, _collect_requests(subject, evidence), formed)


def _collect_requests(subject: Subject, evidence: Evidence) -> dict[str, LMRequest]:
    """Return the subject's request for each phase; one that it never made is had of an agent that finishes."""
    asks = _group_by_phase(evidence)
    episode = evidence.episode
    answer = next((intent for intent in episode.script.answers if isinstance(intent, Answer)), None)
    if "extraction" in asks or "extraction" not in evidence.manifest.capabilities or answer is None:
        return asks
    script = Script(steps=(Finish(sticky=True),), answers=(answer.model_copy(update={"sticky": True}),))
    case = episode.case.model_copy(update={"invocations": episode.case.invocations[:1]})
    finishing = gather_evidence(subject, episode.model_copy(update={"case": case, "script": script}), again=False)
    return {**_group_by_phase(finishing), **asks}


def _group_by_phase(evidence: Evidence) -> dict[str, LMRequest]:
    asked = (event for event in evidence.record.requests if event.ask is not None)
    return {event.ask.phase: event.request for event in asked if event.ask is not None}


_FOLDER = Path(__file__).parent
#: Each has a template, and nothing else.
RUNNERS = tuple(sorted(file.stem for file in _FOLDER.glob("*.template")))
#: The place for an agent, up to its END; on its first line is what stands there where the agent is known.
_PLACE = re.compile(r"^ *\S+ KNOWN:(?: (?P<known>.*))?\n(?P<open>(?:.*\n)*?.* END)$", re.MULTILINE)
#: What means something in the texts of one language or another; in JSON it can be written otherwise.
_TELLING = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "'`$#"})
#: How deep lists and objects have a line for each of their items.
_DEPTH = 4


class Agent(NamedTuple):
    """Where the function is that builds the user's agent."""

    module: str
    function: str


class _File(Template):
    """A template in which nothing that any of the languages says stands for a value."""

    delimiter = "@@"


def write_test(test: UnitTest, runner: str, agent: Agent | None) -> str:
    """Return the text of the test file; without an agent, it has a place where to build one."""
    template = (_FOLDER / f"{runner}.template").read_text(encoding="utf-8")
    words = re.sub(r"\W+", "_", test.failure.requirement_id).lower()
    return _File(_PLACE.sub(r"\g<known>" if agent else r"\g<open>", template)).substitute(
        (agent or Agent("main", ""))._asdict(),
        header=_write_header(test),
        data=_lay_out(_list_values(test), _DEPTH).translate(_TELLING),
        requirement=test.failure.requirement_id,
        snake=words,
        pascal=words.title().replace("_", ""),
    )


def _write_header(test: UnitTest) -> str:
    due = "\nor:\n".join(_indent_lines(course.due) for course in test.courses)
    said = (
        f"{test.failure.text}\n\ndue:\n{due}\nactual:\n{_indent_lines(test.actual)}\n\n"
        f"With the kit: {test.failure.command}\nWritten by `react-tck repro`; it needs nothing of the kit."
    )
    # What would end the comment, or begin an escape in it, can't.
    return said.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/").replace('"""', "'''")


def _indent_lines(lines: tuple[str, ...]) -> str:
    return "\n".join(f"  {line}" for line in lines)


def _list_values(test: UnitTest) -> dict[str, JsonValue]:
    return {
        "title": test.failure.text.split("\n\n")[0],
        "task": json.loads(test.task),
        "calls": [json.loads(call) for call in test.calls],
        "results": [
            {"tool": each.tool, "error": each.text}
            if each.is_error
            else {"tool": each.tool, "gives": json.loads(each.text)}
            for each in test.results
        ],
        "courses": [_list_course_values(course) for course in test.courses],
        "nothing_due": _list_answer_values(nothing_due(), ()),
    }


def _list_course_values(course: RightCourse) -> JsonValue:
    answers = [_list_answer_values(*each) for each in zip(course.answers, course.shows, strict=True)]
    return {"answers": answers, "due": list(course.due)}


def _list_answer_values(answer: LiteralAnswer, shows: tuple[str, ...]) -> JsonValue:
    headers: list[JsonValue] = [list(pair) for pair in zip(answer.headers[::2], answer.headers[1::2], strict=True)]
    return {"status": answer.status, "headers": headers, "body": answer.body, "shows": list(shows)}


def _lay_out(value: JsonValue, depth: int) -> str:
    """Return its JSON, with a line an item down to this depth."""
    if not value or not depth or not isinstance(value, list | dict):
        return json.dumps(value)
    is_list = isinstance(value, list)
    items = (
        (_lay_out(each, depth - 1) for each in value)
        if isinstance(value, list)
        else (f"{json.dumps(key)}: {_lay_out(each, depth - 1)}" for key, each in value.items())
    )
    inner = ",\n".join(items).replace("\n", "\n ")
    return f"[\n {inner}\n]" if is_list else f"{{\n {inner}\n}}"
