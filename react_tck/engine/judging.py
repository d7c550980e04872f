"""What rows and episodes come to: how a row's own sentences ended, and what judges find violated in what was played."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from react_tck.catalogue.features import ScenarioRow
from react_tck.catalogue.manifests import collect_asked_violations
from react_tck.catalogue.selection import Selection
from react_tck.engine.varied import describe_difference
from react_tck.fakes.lm import EXHAUSTED
from react_tck.judges.oracle.departures import follow_call
from react_tck.judges.sanitizers import LASTING
from react_tck.judges.table import JUDGES, MANIFEST, ORACLE, Account
from react_tck.judges.verdict import ScriptWrong, Unsupported, Untestable, Violation
from react_tck.model.episode import Episode
from react_tck.model.record import Asked, Record
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.play.again import play_and_compare
from react_tck.play.left_over import LeftOverThread, describe_threads
from react_tck.record.evidence import Evidence
from react_tck.record.reactions import has_said_its_part
from react_tck.results.bug_report import BugReport
from react_tck.results.ledger import FoundViolation, RowEnd
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Subject, expecting_exceptions
from react_tck.variations.change import Unvaried

#: What a scenario's steps raise, and the verdict it stands for; anything else is a bug of the kit.
_VERDICTS: Mapping[type[BaseException], Verdict] = {
    AssertionError: Verdict.FAILED,
    Unsupported: Verdict.UNSUPPORTED,
    Untestable: Verdict.UNTESTABLE,
    HarnessBroken: Verdict.ERROR,
    ScriptWrong: Verdict.ERROR,
    Unvaried: Verdict.NOT_SELECTED,
}
#: What nobody is asked, and no bug report is written of.
_NOT_PLAYED = (Verdict.UNSUPPORTED, Verdict.NOT_SELECTED)
#: What is asked only where the LM failed as a provider does.
_AFTER_A_FAULT = frozenset({"ERR-012", "ERR-025", "ERR-026", "ERR-027"})


@dataclass
class PlayedRow:
    """A row as it is played against a subject, and what a bug report says of it."""

    row: ScenarioRow
    subject: Subject
    subject_name: str
    selection: Selection
    seed: int
    #: What is never the subject's doing, such as the user's Ctrl-C.
    spared: tuple[type[BaseException], ...] = ()
    #: What its sentences play; none where the subject can't say who it is.
    world: World | None = None

    @property
    def plays(self) -> list[tuple[Episode, Record]]:
        """Its episodes with their records, as sentences see them."""
        return list(self.world.plays()) if self.world else []

    @property
    def examined(self) -> list[tuple[Episode, Record]]:
        """Its episodes with their records, as they were played."""
        return list(self.world.list_examined()) if self.world else []

    @cached_property
    def difference(self) -> str:
        """Where the play parts from that without its variations; the row is played once more for it."""
        with expecting_exceptions(*self.spared):
            return describe_difference(self.subject, self.world) if self.world else ""

    def make_bug_report(self, requirement_id: str, sentence: str = "") -> BugReport:
        """Return what is said whatever went wrong."""
        how = (self.subject_name, self.seed, self.selection, self.world.manifest if self.world else None)
        played = self.world.variation if self.world else None
        variation = played.name if played else self.row.variation_name
        return BugReport(self.row, requirement_id, sentence, *how, variation=variation)

    def find_moment(self, error: BaseException) -> int | None:
        """Return how many events of the row come before that in which it is seen."""
        if not isinstance(error, Violation):
            return None
        events = chain.from_iterable(record.events for _, record in self.plays)
        return next((number for number, event in enumerate(events) if event is error.at), None)

    def find_gap(self, error: Exception | None) -> Exception | None:
        """Return what ended the row: nothing passes unseen, and what goes wrong before a fault is others' affair."""
        if self.row.scenario.is_own and (ended := self._find_script_end()):
            return ended
        was_said = any(has_said_its_part(*play) for play in self.plays)
        was_refused = self.world and (self.world.is_seen_unasked or any(each.refusal for _, each in self.plays))
        unseen = "" if was_said or was_refused or not self.plays else "the LM wasn't asked for what it is about"
        if error is None and self.world and (unseen := unseen or self.world.unseen):
            return Unsupported(f"nothing of it was seen: {unseen}")
        if isinstance(error, AssertionError) and self.row.requirement_id in _AFTER_A_FAULT and not was_said:
            return Unsupported("the LM wasn't asked where it was to fail")
        return error

    def _find_script_end(self) -> ScriptWrong | None:
        """Return what the script lacks, where it has no reply to what the agent was right to ask for."""
        for episode, record in self.examined:
            for scene in Evidence(episode, self.subject.initialize(), record).scenes:
                refused = next((each for each in scene.record.requests if each.refusal), None)
                if refused and str(refused.refusal).startswith(EXHAUSTED) and not follow_call(scene).departure:
                    return ScriptWrong(_describe_script_end(self.row, record, refused))
        return None

    def check_left_over(self) -> None:
        """See that somebody's own script says no more than is asked for.

        Raises:
            Violation: if the agent ended too early.
            ScriptWrong: if it did not.
        """
        for episode, record in self.examined if self.row.scenario.is_own and not self.row.variation else ():
            if record.left_over:
                left = f"never asked for: {', '.join(each.kind for each in record.left_over)}"
                for departure in _find_departures(self.subject, [(episode, record)]):
                    raise Violation("the LM is asked for all that the script holds", left, departure.at)
                raise ScriptWrong(f"{_place_row(self.row)}: the script says more than is asked for; {left}")


def judge_row(
    played: PlayedRow,
    error: Exception | None,
    sentence: str,
    lasting: Sequence[LeftOverThread],
    known: frozenset[str],
) -> RowEnd:
    """Return how the row ended, and what judges find violated in it.

    The error came out of that sentence; these threads last. What is known was found in the row without its variation,
    which then shows nothing.
    """
    verdict = find_verdict(error)
    result = _make_own_result(played, verdict, error, sentence)
    if isinstance(error, ScriptWrong):  # what the agent made of it is held against nobody
        return RowEnd(played.row.requirement_id, result)
    found: list[FoundViolation] = []
    for requirement_id, account, violation, evidence in _find_violations(played, lasting, is_played(verdict)):
        if requirement_id not in known:
            difference = "" if requirement_id == LASTING else played.difference
            bug_report = replace(played.make_bug_report(requirement_id), difference=difference)
            found += describe_violation(bug_report, account, violation, evidence, played)
    return RowEnd(played.row.requirement_id, result, tuple(found))


def examine_episode(subject: Subject, episode: Episode, *, again: bool) -> tuple[Evidence, dict[str, Violation]]:
    """Return what came of an episode that is no row's, and of what it is held against; and what is violated in it.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    evidence = play_and_compare(subject, episode, again=again)
    return evidence, collect_asked_violations(evidence)


def find_verdict(error: Exception | None) -> Verdict:
    """Return what an error that came out of a row's sentences stands for."""
    if error is None:
        return Verdict.PASSED
    return next((verdict for kind, verdict in _VERDICTS.items() if isinstance(error, kind)), Verdict.ERROR)


def is_kit_bug(error: Exception | None) -> bool:
    """Tell whether it is none of what sentences raise."""
    return error is not None and not isinstance(error, tuple(_VERDICTS))


def _describe_script_end(row: ScenarioRow, record: Record, refused: Asked) -> str:
    """Return which reply the scenario lacks."""
    phase = refused.ask.phase if refused.ask else "step"
    asks = [each.ask for each in record.requests if not (each.attempt or each.refusal)]
    said = len([ask for ask in asks if ask and ask.phase == phase])
    what, missing = ("a step", "the LM finishes") if phase == "step" else ("the answer", "the LM answers …")
    asked = f"the LM was asked for {what} {said + 1} time{'s' if said else ''}, and the scenario has {said}"
    return f"{_place_row(row)}: the script runs out: {asked}; is `{missing}` missing?"


def _place_row(row: ScenarioRow) -> str:
    return f"{row.scenario.path.name}:{row.scenario.line}"


def is_played(verdict: Verdict) -> bool:
    """Tell whether the subject was asked for something that it supports."""
    return verdict not in _NOT_PLAYED


def _make_own_result(played: PlayedRow, verdict: Verdict, error: Exception | None, sentence: str) -> ScenarioResult:
    bug_report = played.make_bug_report(played.row.requirement_id, sentence)
    if error is None or verdict in (*_NOT_PLAYED, Verdict.UNTESTABLE):
        message = str(error or "")
        return ScenarioResult(title=played.row.title, verdict=verdict, variation=bug_report.variation, message=message)
    # Sentences see what they tell; the oracle sees what was played.
    shown = played.examined if played.world and played.world.variation else played.plays
    departure = next(_find_departures(played.subject, shown), None)
    bug_report = replace(bug_report, difference=played.difference)
    result = bug_report.make_result(verdict, error, shown if departure else played.plays, departure)
    return result.model_copy(update={"moment": played.find_moment(error)})


def _find_departures(subject: Subject, plays: Iterable[tuple[Episode, Record]]) -> Iterator[Violation]:
    """Yield what the oracle would have seen otherwise."""
    for episode, record in plays:
        yield from ORACLE.find_violations(Evidence(episode, subject.initialize(), record))


def _find_violations(
    played: PlayedRow, lasting: Sequence[LeftOverThread], is_supported: bool
) -> Iterator[tuple[str, Account, Violation, Evidence]]:
    """Yield what is violated in the episodes, by requirement; a program would wait for threads that last."""
    if played.world is None:
        return
    every = [Evidence(episode, played.world.manifest, record) for episode, record in played.examined]
    if lasting and every:
        violation = Violation("no thread is left that keeps the process alive", describe_threads(lasting))
        yield LASTING, "sanitizers", violation, every[-1]
    for evidence in every:
        # What a subject does with what it doesn't support is no choice of its own.
        for judge in JUDGES if is_supported else [each for each in JUDGES if each is not MANIFEST]:
            # Somebody's own scenario is held to its own sentences, and to what holds whatever is played.
            if played.row.scenario.is_own and judge.account != "sanitizers":
                continue
            for violation in judge.find_violations(evidence):
                # An error before anything was due is the scenario's own affair, if it asks anything of the subject.
                if is_supported or violation.requirement_id:
                    broken = violation.requirement_id or played.row.requirement_id
                    yield played.selection.registry.whole_of(broken), judge.account, violation, evidence


def describe_violation(
    bug_report: BugReport, account: Account, violation: Violation, evidence: Evidence, played: PlayedRow
) -> Iterator[FoundViolation]:
    """Yield what is told of a violation, where the requirement is asked of the subject; `played` is the row at hand."""
    requirement = bug_report.selection.registry.by_id.get(bug_report.requirement_id)
    if requirement is not None and not evidence.manifest.find_exemption(requirement):
        result = bug_report.make_result(Verdict.FAILED, violation, [(evidence.episode, evidence.record)])
        result = result.model_copy(update={"moment": played.find_moment(violation)})
        yield FoundViolation(account, requirement.id, result)
