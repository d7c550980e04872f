"""Evidence for the judges: an episode as it was played, or played again after another one."""

from dataclasses import replace

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.manifest import Manifest
from react_tck.play.session import play_episode
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import Subject


def _make_other_episode(manifest: Manifest) -> Episode:
    """What is played between an episode and its replay, so that whatever a subject keeps shows."""
    case = Case(
        id="another",
        signature=manifest.parse_signature("place, day -> report"),
        tools=(TOOLBOX["weather"], TOOLBOX["ping"]),
        invocations=(Invocation(inputs={"place": "Oslo", "day": "Monday"}),),
    )
    script = Script(
        steps=(CallTool(tool="weather", args={"city": "Oslo"}, thought="See."), Finish(sticky=True)),
        answers=(Answer(outputs={"report": "snow"}, sticky=True),),
    )
    return Episode(case=case, script=script, nonce="another")


def gather_evidence(subject: Subject, episode: Episode, *, again: bool) -> Evidence:
    """Play the episode; `again` plays it once more, after another one.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    record = play_episode(subject, episode, is_watched=False)
    evidence = Evidence(episode, subject.initialize(), record)
    return add_replay(subject, evidence) if again else evidence


def add_replay(subject: Subject, evidence: Evidence) -> Evidence:
    """The evidence with another record of its episode, played again after another one.

    Raises:
        HarnessBroken: if the harness breaks.
    """
    play_episode(subject, _make_other_episode(subject.initialize()))
    return replace(evidence, replayed=play_episode(subject, evidence.episode))
