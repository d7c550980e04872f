"""What tests of runs share: a run of one title, and a listener that remembers."""

from react_tck.catalogue.features import ScenarioInfo
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Report, ScenarioResult, Verdict
from react_tck.subjects.catalogue import close_subject, resolve

TITLE = "ReAct selects and executes a tool"


class Heard:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.announced = 0
        self.results: list[ScenarioResult] = []

    def announce_run(self, scenarios: int) -> None:
        """Remember the number."""
        self.announced = scenarios

    def announce_result(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:
        """Remember the result."""
        self.results.append(result)


def run(subject_name: str, title: str = TITLE, listener: Heard | None = None) -> Report:
    """Run the scenarios of a title against a subject."""
    return Run(resolve(subject_name), subject_name, Selection(title=title)).report(listener or Heard())


def verdict(report: Report, requirement_id: str) -> Verdict:
    """How a requirement stands."""
    return next(each.verdict for each in report.requirements if each.id == requirement_id)


def play_once(name: str, selection: Selection) -> dict[tuple[str, str], Verdict]:
    """How the rows ended that were played of a subject, each episode once, and what sanitizers saw in them."""
    subject = resolve(name)
    try:
        report = Run(subject, name, selection, replays=False).report(Heard())
    finally:
        close_subject(subject)
    return {
        (requirement.id, row.title): row.verdict
        for requirement in report.requirements
        for row in requirement.scenarios
        if row.title and row.verdict is not Verdict.NOT_SELECTED
    }
