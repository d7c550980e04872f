"""Evidence for the judges: an episode as it was played, and as it was played again."""

from dataclasses import replace

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.signature import parse_arrow
from react_tck.play.session import play
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import Subject

#: What is played between an episode and its replay, so that whatever a subject keeps shows.
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


def gather(subject: Subject, episode: Episode, *, again: bool) -> Evidence:
    """Play the episode; `again` plays it once more, after another one.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    record = play(subject, episode)
    evidence = Evidence(episode, subject.initialize(), record)
    return replayed(subject, evidence) if again else evidence


def replayed(subject: Subject, evidence: Evidence) -> Evidence:
    """The evidence with another record of its episode, played again after another one.

    Raises:
        HarnessBroken: if the harness breaks.
    """
    play(subject, _ANOTHER)
    return replace(evidence, replayed=play(subject, evidence.episode))
