"""Evidence for the judges of a drawn episode, which may be played under variations."""

from react_tck.fuzz.varying import find_combination
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.play import gather
from react_tck.play.counterparts import add_counterparts
from react_tck.record.evidence import Evidence
from react_tck.steps.plays import Play, begin_play, collect_evidence
from react_tck.subjects.api import Subject
from react_tck.variations.variation import Unvaried


def gather_evidence(subject: Subject, episode: Episode, *, again: bool) -> Evidence:
    """Play the episode, and what it is held against; `again` plays it once more, after another one.

    Under variations that change how it is played it isn't played once more.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    return add_counterparts(subject, _play_episode(subject, episode, again=again))


def _play_episode(subject: Subject, episode: Episode, *, again: bool) -> Evidence:
    if not episode.variations:
        return gather.gather_evidence(subject, episode, again=again)
    calls = episode.case.invocations
    case = episode.case.model_copy(update={"invocations": ()})
    try:
        play = begin_play(subject, episode.model_copy(update={"case": case}), find_combination(episode.variations))
    except Unvaried:
        return gather.gather_evidence(subject, episode, again=again)
    if play.session.is_constructed:
        for call in calls:
            _play_call(play, call)
    return collect_evidence(play, subject.initialize())


def _play_call(play: Play, call: Invocation) -> None:
    if not play.session.is_hung:
        play.call(call.model_copy(update={"resumptions": ()}))
    for response in call.resumptions:
        if play.session.can_be_resumed and not play.session.is_hung:
            play.resume(response)
