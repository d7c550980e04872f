"""What the kit reports: a run, with the same bytes for the same seed, and a finding, enough to see it again."""

import hashlib
import json
from enum import StrEnum
from typing import Literal

from pydantic import ConfigDict, Field

from react_tck.model.base import Said, Seen, Value
from react_tck.model.episode import Episode
from react_tck.model.requirement import Level, Profile, Severity, Specification, weight_in_words, weight_of


class Verdict(StrEnum):
    """How a scenario, a sanitizer or a requirement stands."""

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    UNTESTABLE = "untestable"
    #: Of a requirement only: another's cause made all that failed of it, so it isn't judged until that is mended.
    BLOCKED = "blocked"
    EXPECTED_FAILURE = "expected failure"
    UNEXPECTED_PASS = "unexpected pass"
    #: It failed beside a gate, and ended otherwise when it was played again, alone.
    FLAKY = "flaky"
    ERROR = "error"
    NOT_SELECTED = "not selected"
    #: The run was interrupted before its turn came.
    NOT_RUN = "not run"
    #: Of a requirement only: the registry says why it has no scenario.
    PENDING = "pending"
    EXCLUDED = "excluded"


#: What this subject can't be asked: by its declaration, or because the kit can't test it. Nobody is held to it.
NOT_ASKED = (Verdict.UNSUPPORTED, Verdict.UNTESTABLE)


#: Of a requirement that isn't met: what was seen of it is held against it.
_NOT_MET = (Verdict.FAILED, Verdict.EXPECTED_FAILURE, Verdict.FLAKY)

#: Whom the agent turns to; what it does without either is its own.
Lane = Literal["LM", "agent", "tools"]


class Beat(Value):
    """An event of an episode as it is drawn: whom the agent turned to, what it did, and what came back."""

    lane: Lane
    does: Seen
    reply: Seen = ""


class Course(Value):
    """An episode as it is drawn: how it went, and what was due where it first went wrong.

    The record itself isn't in a report, and the transcript in a message is for people, cut where it gets long.
    """

    #: So many events come before those that are drawn, and so many after.
    before: int
    beats: tuple[Beat, ...]
    after: int
    #: Which of the beats departs, from 0; None if what is wrong isn't one event's.
    departure: int | None
    #: What was due instead: one of these.
    due: tuple[Beat, ...]


class ScenarioResult(Value):
    """How one scenario ended; an outline's rows are scenarios of their own."""

    title: str
    verdict: Verdict
    #: The variation that it was played under, which its title tells too; none for the row as it is.
    variation: str = ""
    #: Empty for a pass; else what a person needs to see what is wrong.
    message: Said = ""
    #: How the subject departs from what is due, such as "goes on too long", where that can be told.
    kind: str = ""
    #: What is wrong in a line that is the same from run to run: what a baseline knows a failure by.
    fault: Seen = ""
    #: What was seen in the place of what is due, in a line.
    actual: Seen = ""
    #: The command that shows the failure again.
    reproduce: Said = ""
    #: The episode that it is seen in, if it failed in one.
    course: Course | None = None
    #: So many events of the row, over all its episodes, come before that in which it is seen; None if it is no one's.
    moment: int | None = None


class RequirementResult(Value):
    """How one requirement stands. A sanitizer's scenarios are those in which it was violated."""

    id: str
    #: What it demands, in at most ten words.
    title: str = ""
    #: None of a practice, and of what counts in no verdict.
    level: Level | None = None
    profile: Profile
    verdict: Verdict
    scenarios: tuple[ScenarioResult, ...] = ()
    #: Episodes, of whatever scenario, in which the subject departed from the oracle's prediction and broke it.
    departures: tuple[ScenarioResult, ...] = ()
    #: Of a practice: how much a user is hurt without it.
    severity: Severity | None = None
    #: Whose sentence it is; None of a practice, of what counts in no verdict, and before revision 3.
    specification: Specification | None = None
    #: Of one that is blocked: the requirements whose violation made it fail.
    blocked_by: tuple[str, ...] = ()

    @property
    def held_results(self) -> tuple[ScenarioResult, ...]:
        """Its own rows, and those in which it was seen, unless something else explains all of these.

        A row that is failed is so by one of these, of some requirement.
        """
        return (*self.scenarios, *(self.departures if self.verdict in _NOT_MET else ()))

    @property
    def weight(self) -> str:
        """Its level or severity in a word; a dash where it counts in no verdict."""
        return weight_of(self.level, self.severity)

    @property
    def failed_results(self) -> tuple[ScenarioResult, ...]:
        """How the rows ended in which its own sentence failed, or in which it was seen: what is counted as its rows."""
        wrong = (*_NOT_MET, Verdict.ERROR)
        return tuple({each.title: each for each in reversed(self.held_results) if each.verdict in wrong}.values())[::-1]

    @property
    def label(self) -> str:
        """Such as `LOOP-001 (MUST)`, or `SAN-006 (practice, critical)`."""
        return f"{self.id} ({weight_in_words(self.level, self.severity)})"


class Cause(Value):
    """A requirement that explains failed rows."""

    requirement: str
    kind: str = ""
    #: What is wrong in a line, of the row that is shown.
    fault: Seen = ""
    #: Those that it explains, each of no other cause: its sentence failed there, another's did, or it was seen there.
    rows: tuple[str, ...]
    #: Of the row that is shown.
    message: Said = ""
    reproduce: Said = ""


class Parting(Value):
    """Where two plays of a row differ first, and what stands there in each; or why that can't be told."""

    place: Said
    first: Said = ""
    second: Said = ""

    @property
    def difference_text(self) -> str:
        """What to append to the place."""
        return f": {self.first} became {self.second}" if self.first else ""


class Flake(Value):
    """A row that failed unexpectedly beside a gate, and ended otherwise when it was played again, alone."""

    #: Which requirement failed in the row, by its own sentence or as judges saw it.
    requirement: str
    row: str
    first: Verdict
    second: Verdict
    parting: Parting
    #: What the failing play was told with; what the second was, unless it passed.
    message: Said
    second_message: Said = ""
    reproduce: Said = ""

    @property
    def summary_sentence(self) -> str:
        """In a sentence, without its end."""
        return f"{self.row!r} is flaky: {self.first}, then {self.second} when it was played alone; {self.parting.place}"


class Ledger(Value):
    """Counts of rows. What is registered is accounted for, or the run is void.

    A row is failed if its own sentence is, or if anything else was seen in it.
    """

    registered: int
    passed: int = 0
    failed: int = 0
    unsupported: int = 0
    untestable: int = 0
    expected_failures: int = 0
    unexpected_passes: int = 0
    flaky: int = 0
    errors: int = 0
    not_selected: int = 0
    not_run: int = 0

    @property
    def balances(self) -> bool:
        """Whether the counts add up to what is registered."""
        return self.registered == self.accounted_for

    @property
    def accounted_for(self) -> int:
        """The sum of all counts."""
        counts: dict[str, int] = self.model_dump()
        return sum(counts.values()) - self.registered


class SubjectInfo(Value):
    """Name and version of the implementation that was tested."""

    name: Said
    version: Said


class KitInfo(Value):
    """The version of the kit that ran the tests."""

    version: str


class Conformance(Value):
    """How a subject stands to a specification that it claims."""

    #: None of what somebody's own features require.
    specification: Specification | None
    is_conformant: bool
    #: So many MUSTs were judged.
    judged: int
    unmet: tuple[str, ...] = ()
    #: What isn't judged until something else is mended that made all of it fail; none of that conforms.
    blocked: tuple[str, ...] = ()
    #: What can't be said to be met, for it was flaky.
    flaky: tuple[str, ...] = ()
    #: What the subject declares not to support.
    #: By its declaration, or because the kit has no way to test it with this subject.
    unsupported: tuple[str, ...] = ()
    #: What of that is the core of the loop.
    without_core: tuple[str, ...] = ()


class Robustness(Value):
    """Which practices a subject breaks, of so many that were judged."""

    judged: int
    broken: dict[Severity, tuple[str, ...]]
    blocked: tuple[str, ...] = ()


class Verdicts(Value):
    """Both, and what the subject declares and was seen to do otherwise."""

    conformance: tuple[Conformance, ...]
    robustness: Robustness
    declared_otherwise: tuple[str, ...] = ()


class Report(Value):
    """The whole result of a run."""

    subject: SubjectInfo
    kit: KitInfo
    seed: int
    #: The profile that was asked for, and whether that was all that was: a part of a profile shows no conformance.
    profile: str
    is_whole_profile: bool
    #: The folder of somebody's own features that were played in the place of the kit's, if any were.
    features: str | None = None
    #: Which revision of the requirements counted.
    revision: int
    #: The specifications that the subject claims, whose sentences bind it; none before revision 3.
    claims: tuple[Specification, ...] = ()
    #: The predictors of a `react-module` that it doesn't have: what is said of them isn't asked.
    without: tuple[str, ...] = ()
    #: What its harness does otherwise than users of the library have it, each with what can't be judged by that.
    deviations: dict[Said, tuple[str, ...]] = Field(default_factory=dict)
    #: Regular expressions of what its texts say otherwise in each play, which nothing is compared of.
    varies: tuple[Said, ...] = ()
    #: What it comes to, as far as the run came; none before revision 3.
    verdicts: Verdicts | None = None
    ledger: Ledger
    #: What explains the failures, that which explains most first.
    causes: tuple[Cause, ...] = ()
    requirements: tuple[RequirementResult, ...]
    #: What wasn't the same when it was played again; only beside a gate is that tried.
    flakes: tuple[Flake, ...] = ()
    #: What the subject declares to do at the choice points.
    declared: dict[Said, Said] = Field(default_factory=dict)
    #: The variants observed at the choice points; several are joined by semicolons.
    choices: dict[str, str] = Field(default_factory=dict)
    #: What went wrong in the kit itself: what this report says of the scenarios named is not to be relied on.
    kit_errors: tuple[Said, ...] = ()
    #: Which transcripts couldn't be written, and why.
    unwritten: tuple[Said, ...] = ()
    #: The signal that cut the run short; none if it came to its end.
    interrupted: Literal["", "SIGINT", "SIGTERM", "SIGHUP"] = ""


#: Digits of the digest in a finding's name.
_LENGTH = 10


class Finding(Value):
    """An episode, and the requirements a subject violated in it."""

    # The schema's name is older than the class's.
    model_config = ConfigDict(title="FoundCase")

    kit: KitInfo
    subject: SubjectInfo
    #: Ids, in the order in which the judges name them; none if the harness broke.
    requirements: tuple[str, ...]
    episode: Episode

    @property
    def name(self) -> str:
        """A name made of the episode alone: the same finding is the same file, whoever has it."""
        text = json.dumps(self.episode.model_dump(mode="json"))
        digest = hashlib.sha256(text.encode()).hexdigest()
        return f"case-{digest[:_LENGTH]}"
