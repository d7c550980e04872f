"""All judges, in one table: what run, fuzz, replay and the sentences hold the evidence against."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from react_tck.judges import oracle
from react_tck.judges.choices.declared import find_contradictions
from react_tck.judges.conversations import find_conversation_breaks
from react_tck.judges.determinism import find_counterpart_differences, find_replay_difference
from react_tck.judges.errors import (
    find_concealed_names,
    find_crashes,
    find_hangs,
    find_lost_texts,
    find_rewritten_outputs,
    find_unrefused_inputs,
)
from react_tck.judges.histories import find_forgotten_values
from react_tck.judges.observations import find_hidden_errors, find_runs_again
from react_tck.judges.requests import find_dropped_observations, find_unshown_parts, find_wrong_dialects
from react_tck.judges.sanitizers import find_altered_objects, find_excess_requests, run_sanitizers
from react_tck.judges.steps_told import find_untold_steps
from react_tck.judges.surfaces import find_udspy_deviations, find_unheard_events
from react_tck.judges.suspensions import find_bad_suspensions, find_unasked_offers
from react_tck.judges.tool_args import find_rewritten_args, find_unread_models
from react_tck.judges.trajectories import (
    find_misrecorded_values,
    find_missing_trajectories,
    find_trajectory_errors,
)
from react_tck.judges.truncation import find_overcut_prompts, find_summary_losses
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

    def find_violations(self, evidence: Evidence) -> Iterator[Violation]:
        """Yield every violation, call by call."""
        for scene in evidence.scenes:
            yield from self.rule(scene)


@dataclass(frozen=True)
class EpisodeJudge:
    """Needs a whole episode; one that has to be played again for it says nothing where it wasn't."""

    name: str
    account: Account
    rule: Callable[[Evidence], Iterator[Violation]]

    def find_violations(self, evidence: Evidence) -> Iterator[Violation]:
        """Return every violation that the rule finds in the whole episode."""
        return self.rule(evidence)


Judge = CallJudge | EpisodeJudge

ORACLE = CallJudge("oracle", "departures", oracle.find_departure)
MANIFEST = EpisodeJudge("manifest", "sanitizers", find_contradictions)
JUDGES: tuple[Judge, ...] = (
    CallJudge("sanitizers", "sanitizers", run_sanitizers),
    MANIFEST,
    CallJudge("inputs", "departures", find_unrefused_inputs),
    CallJudge("requests", "departures", find_excess_requests),
    ORACLE,
    CallJudge("missing trajectories", "departures", find_missing_trajectories),
    CallJudge("trajectories", "departures", find_trajectory_errors),
    CallJudge("recorded values", "departures", find_misrecorded_values),
    CallJudge("steps told", "departures", find_untold_steps),
    EpisodeJudge("adapters", "departures", find_wrong_dialects),
    CallJudge("prompts", "departures", find_unshown_parts),
    EpisodeJudge("tool names", "departures", find_concealed_names),
    CallJudge("offers", "departures", find_unasked_offers),
    EpisodeJudge("errors", "departures", find_crashes),
    CallJudge("observations", "departures", find_dropped_observations),
    CallJudge("args", "departures", find_rewritten_args),
    CallJudge("models", "departures", find_unread_models),
    CallJudge("tool errors", "departures", find_hidden_errors),
    CallJudge("runs again", "departures", find_runs_again),
    CallJudge("texts", "departures", find_lost_texts),
    CallJudge("outputs", "departures", find_rewritten_outputs),
    EpisodeJudge("silences", "departures", lambda evidence: find_hangs(evidence.record)),
    EpisodeJudge("caller's objects", "departures", find_altered_objects),
    EpisodeJudge("callbacks", "departures", find_unheard_events),
    EpisodeJudge("conversations", "departures", find_conversation_breaks),
    EpisodeJudge("suspensions", "departures", find_bad_suspensions),
    EpisodeJudge("histories", "departures", find_forgotten_values),
    EpisodeJudge("summaries", "departures", find_summary_losses),
    CallJudge("udspy's surface", "departures", find_udspy_deviations),
    CallJudge("truncation", "departures", find_overcut_prompts),
    EpisodeJudge("determinism", "sanitizers", find_replay_difference),
    EpisodeJudge("counterparts", "departures", find_counterpart_differences),
)


def collect_violations(evidence: Evidence) -> dict[str, Violation]:
    """Return what is wrong, by requirement id, in the episode and what was played beside it; of each the first
    violation.

    An error before anything was due is for a scenario to judge: where there is none, it is of no requirement.
    """
    found: dict[str, Violation] = {}
    for judge in JUDGES:
        for violation in judge.find_violations(evidence):
            if violation.requirement_id:
                found.setdefault(violation.requirement_id, violation)
    beside = collect_violations(evidence.beside) if evidence.beside else {}
    return {**beside, **found}
