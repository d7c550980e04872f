"""What the tests of real subjects share."""

from dataclasses import dataclass
from typing import Any

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.manifest import Manifest
from react_tck.model.report import Report, Verdict
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import close_subject, resolve
from tests.support.suite_checks import Heard


@dataclass(frozen=True)
class Declaring:
    """A subject as it is, but for the manifest that it gives."""

    subject: Subject
    manifest: Manifest

    def initialize(self) -> Manifest:
        """The other manifest."""
        return self.manifest

    def __getattr__(self, name: str) -> Any:
        return getattr(self.subject, name)


def report_of(name: str, selection: Selection, *, replays: bool = True) -> Report:
    """The report of a selection."""
    subject = resolve(name)
    try:
        return Run(subject, name, selection, replays=replays).report(Heard())
    finally:
        close_subject(subject)


def verdicts(name: str, *titles: str) -> dict[str, Verdict]:
    """How the scenarios of these titles end; an outline's rows under titles of their own."""
    report = report_of(name, Selection(profile="all", titles=frozenset(titles)))
    return {
        scenario.title: scenario.verdict
        for requirement in report.requirements
        for scenario in requirement.scenarios
        if scenario.verdict is not Verdict.NOT_SELECTED
    }
