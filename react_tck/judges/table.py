"""All judges, in one table: what run, fuzz, replay, freeze and the sentences hold the evidence against."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from react_tck.judges import oracle
from react_tck.judges.adapters import misaddressed
from react_tck.judges.caller_objects import altered
from react_tck.judges.conversations import broken_off
from react_tck.judges.determinism import changed
from react_tck.judges.errors import crashes, hangs, lost
from react_tck.judges.histories import forgotten
from react_tck.judges.manifests import contradicted
from react_tck.judges.observations import hidden_errors
from react_tck.judges.offers import offered_unasked
from react_tck.judges.sanitizers import sanitize
from react_tck.judges.steps_told import left_out
from react_tck.judges.summaries import unsummarised
from react_tck.judges.surfaces import unlike_udspy
from react_tck.judges.suspensions import misput
from react_tck.judges.trajectories import misrecorded, mistold
from react_tck.judges.truncation import overcut
from react_tck.judges.unknown_tools import concealed
from react_tck.judges.verdict import Violation
from react_tck.record.evidence import Evidence, Scene

#: Where a run's ledger enters violations: among those of the sanitizers, which have entries of their own, or among
#: the departures that a requirement has besides its scenarios.
Account = Literal["sanitizers", "departures"]


@dataclass(frozen=True)
class CallJudge:
    """Needs one call, and what it was to do; the calls of an episode are judged one by one."""

    name: str
    account: Account
    rule: Callable[[Scene], Iterator[Violation]]

    def violations(self, evidence: Evidence) -> Iterator[Violation]:
        """Every violation, call by call."""
        for scene in evidence.scenes:
            yield from self.rule(scene)


@dataclass(frozen=True)
class EpisodeJudge:
    """Needs a whole episode; one that has to be played again for it says nothing where it wasn't."""

    name: str
    account: Account
    rule: Callable[[Evidence], Iterator[Violation]]

    def violations(self, evidence: Evidence) -> Iterator[Violation]:
        """Every violation that the rule finds in the whole episode."""
        return self.rule(evidence)


Judge = CallJudge | EpisodeJudge

ORACLE = CallJudge("oracle", "departures", oracle.judge)
MANIFEST = EpisodeJudge("manifest", "sanitizers", contradicted)
JUDGES: tuple[Judge, ...] = (
    CallJudge("sanitizers", "sanitizers", sanitize),
    MANIFEST,
    ORACLE,
    CallJudge("trajectories", "departures", mistold),
    CallJudge("recorded values", "departures", misrecorded),
    CallJudge("steps told", "departures", left_out),
    EpisodeJudge("adapters", "departures", misaddressed),
    EpisodeJudge("tool names", "departures", concealed),
    CallJudge("offers", "departures", offered_unasked),
    EpisodeJudge("errors", "departures", crashes),
    CallJudge("tool errors", "departures", hidden_errors),
    CallJudge("texts", "departures", lost),
    EpisodeJudge("silences", "departures", lambda evidence: hangs(evidence.record)),
    EpisodeJudge("caller's objects", "departures", altered),
    EpisodeJudge("conversations", "departures", broken_off),
    EpisodeJudge("suspensions", "departures", misput),
    EpisodeJudge("histories", "departures", forgotten),
    EpisodeJudge("summaries", "departures", unsummarised),
    CallJudge("udspy's surface", "departures", unlike_udspy),
    CallJudge("truncation", "departures", overcut),
    EpisodeJudge("determinism", "sanitizers", changed),
)


def violations(evidence: Evidence) -> dict[str, Violation]:
    """What is wrong, by requirement id; of each the first violation.

    An error before anything was due is for a scenario to judge: where there is none, it is of no requirement.
    """
    found: dict[str, Violation] = {}
    for judge in JUDGES:
        for violation in judge.violations(evidence):
            if violation.requirement_id:
                found.setdefault(violation.requirement_id, violation)
    return found
