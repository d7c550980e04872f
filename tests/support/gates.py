"""Gates made by hand, of reports in which everything happens that can."""

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from react_tck.catalogue.selection import Selection
from react_tck.gate.baseline import Entry, Places, Section
from react_tck.gate.gate import Gate
from react_tck.gate.lapses import GateRules
from react_tck.model.report import (
    Cause,
    Flake,
    Ledger,
    Parting,
    Report,
    RequirementResult,
    ScenarioResult,
    SubjectInfo,
    Verdict,
)
from tests.support.reports import make_report, result

#: What no format may take for its own.
HOSTILE = 'a[/bold]\n]]> <b> & "q" \x1b[31m %0A::error file=x:: # TODO `|` \\ \x00 \ud83d é 🙂\n...\n---\nBail out!'

PLACES = Places(Path("react-tck.baseline.toml"), Path("harness.mjs"), Path("port"))


def ended(title: str, verdict: Verdict, message: str = "", fault: str = "") -> ScenarioResult:
    """A row that ended so."""
    return ScenarioResult(title=title, verdict=verdict, message=message, fault=fault)


def flake(row: str, second: Verdict = Verdict.PASSED, place: str = "episode 1, event 2") -> Flake:
    """A failure of LOOP-003 that ended so when it was played again."""
    return Flake(
        requirement="LOOP-003",
        row=row,
        first=Verdict.FAILED,
        second=second,
        parting=Parting(place=place, first="one", second=place),
        message=f"failed in {row}",
    )


def gate_of(report: Report, section: Section | None = None, **rules: Any) -> Gate:
    """The report beside what is listed."""
    return Gate(report, section, GateRules(**rules), date(2026, 11, 22), PLACES)


def everything(said: str = "said", **rules: Any) -> Gate:
    """A row of each kind: passed, new, expected, flaky, unexpected pass, error, untestable and unsupported."""
    loop = result(
        "LOOP-003",
        Verdict.FAILED,
        scenarios=(
            ended("passes", Verdict.PASSED),
            ended("is new", Verdict.FAILED, said, f"new {said}"),
            ended("is listed", Verdict.FAILED, said, "listed"),
            ended("is flaky", Verdict.FAILED, said, said),
            ended("passes now", Verdict.PASSED),
            ended("left out", Verdict.NOT_SELECTED),
        ),
    )
    broken = result("ERR-001", Verdict.ERROR, scenarios=(ended("breaks", Verdict.ERROR, said, said),))
    unsupported = result("ADP-001", Verdict.UNSUPPORTED, scenarios=(ended("lacks", Verdict.UNSUPPORTED, said),))
    section = Section(
        "core",
        (
            Entry("LOOP-003", "listed", ("is listed",), said, "https://i/1", line=7),
            Entry("LOOP-003", "old", ("passes now",), line=11),
        ),
        frozenset({"ADP-001"}),
    )
    report = make_report(
        *(loop, broken, unsupported),
        subject=SubjectInfo(name=f"my {said}", version="1"),
        causes=(Cause(requirement="LOOP-003", kind="goes on", rows=("is new",), message=said),),
        flakes=(flake("is flaky", place=said),),
        ledger=Ledger(registered=8, passed=2, failed=3, errors=1, unsupported=1, not_selected=1),
    )
    return gate_of(report, section, **rules)


def without_errors(gate: Gate) -> Gate:
    """The same, but that the harness never broke."""
    report = gate.report
    kept = tuple(each for each in report.requirements if each.verdict is not Verdict.ERROR)
    ledger = report.ledger.model_copy(update={"errors": 0, "registered": report.ledger.registered - 1})
    return replace(gate, report=report.model_copy(update={"requirements": kept, "ledger": ledger}))


def kit_broken(gate: Gate, said: str = "said") -> Gate:
    """The same, but that the kit failed."""
    return replace(gate, report=gate.report.model_copy(update={"kit_errors": (said,)}))


def rows_of(*requirements: RequirementResult) -> Gate:
    """A gate without a baseline."""
    return gate_of(make_report(*requirements))


@dataclass(frozen=True)
class FewRequirements(Selection):
    """A profile of a few requirements: to the gate it is a whole one, and a baseline of it is soon written."""

    @property
    def is_whole_profile(self) -> bool:
        """Whatever the tags."""
        return True
