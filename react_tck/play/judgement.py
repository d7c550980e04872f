"""The property of one episode: sanitizers, the oracle, and the same record whenever it is played."""

from collections.abc import Iterator
from dataclasses import dataclass

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.determinism import difference
from react_tck.judges.table import JUDGES
from react_tck.judges.verdict import Violation
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.record import Record
from react_tck.model.signature import parse_arrow
from react_tck.play.session import play
from react_tck.subjects.api import Subject

#: The requirement that a case gives the same record whenever it is played.
DETERMINISM = "SAN-009"


@dataclass(frozen=True)
class Judgement:
    """What was observed, and what is wrong with it by requirement id; of each the first violation."""

    episode: Episode
    record: Record
    violations: dict[str, Violation]


def judged(subject: Subject, episode: Episode, *, again: bool) -> Judgement:
    """Play the episode and judge it; `again` plays it once more, after another one, too.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    record = play(subject, episode)
    return Judgement(episode, record, violations(subject, episode, record, again=again))


def violations(subject: Subject, episode: Episode, record: Record, *, again: bool) -> dict[str, Violation]:
    """What is wrong with a record, by requirement id; of each the first violation.

    Raises:
        HarnessBroken: if the episode is played again, and the harness breaks.
    """
    found: dict[str, Violation] = {}
    for requirement_id, violation in _found(subject, episode, record, again):
        found.setdefault(requirement_id, violation)
    return found


def _found(subject: Subject, episode: Episode, record: Record, again: bool) -> Iterator[tuple[str, Violation]]:
    manifest = subject.initialize()
    for judge in JUDGES:
        yield from judge(episode, manifest, record)
    if again:
        play(subject, _ANOTHER)
        if violation := difference(record, play(subject, episode)):
            yield DETERMINISM, violation


_ANOTHER = Episode(
    case=Case(
        id="another",
        signature=parse_arrow("place, day -> report"),
        tools=(TOOLBOX["weather"], TOOLBOX["ping"]),
        invocations=(Invocation(inputs={"place": "Oslo", "day": "Monday"}),),
    ),
    script=Script(
        steps=(CallTool(tool="weather", args={"city": "Oslo"}, thought="See."), Finish(sticky=True)),
        answers=(Answer(outputs={"report": "snow"}, sticky=True),),
    ),
    nonce="another",
)
