"""The books of a run: what it owes, what has ended, and what is told to whoever looks on."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from react_tck.catalogue.features import ScenarioInfo, ScenarioRow
from react_tck.catalogue.selection import NothingSelected, Selection
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.results.ledger import Results

#: Why a variation isn't played: what fails anyway shows nothing.
UNVARIED_FAILS = "without the variation the row doesn't pass"


class Listener(Protocol):
    """Told of the run while it goes on."""

    def announce_run(self, scenarios: int) -> None:
        """So many scenarios are selected."""

    def announce_result(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:
        """Announce the result with which a scenario has ended."""


class Unheard:
    """A listener that does nothing, for runs whose progress nobody watches."""

    def announce_run(self, scenarios: int) -> None:
        """Ignore the number of scenarios."""

    def announce_result(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:
        """Ignore the result of a scenario."""


class Watch(Protocol):
    """Is told what is being played and what came of it, and looks after the process in which that is done."""

    #: What is never the subject's doing, such as the user's Ctrl-C.
    spared: tuple[type[BaseException], ...]
    #: Whether what the subject prints goes where it belongs; else it is to be kept from the user.
    is_overheard: bool

    def begin_row(self, row: str, *, again: bool = False) -> None:
        """Note that a row is played now, or again after it has ended."""

    def end_row(self, row: str, found: Results, *, again: bool = False) -> None:
        """Note what was found of the row."""

    def find_damage(self, error: BaseException | None = None) -> str:
        """Return what the subject did to the process, or the sign of it that the error is; nothing if all is well."""

    @property
    def is_damaged(self) -> bool:
        """Whether no other row may be played in this process."""


@dataclass
class Books:
    """Of one run. It watches a run in this very process, where nobody can do anything about damage."""

    selection: Selection
    listener: Listener
    results: Results = field(default_factory=Results)
    is_damaged = False
    spared: tuple[type[BaseException], ...] = (KeyboardInterrupt,)
    is_overheard = False

    def __post_init__(self) -> None:
        #: The rows that are selected, in their order.
        # From the features, not from what pytest collects: what gets lost on the way leaves the ledger unbalanced.
        self.owed = {row.title: row for row in self.selection.rows}
        for scenario in self.selection.scenarios:
            self._register_scenario(scenario)
        self.results.registered += sum(row.variation is not None for row in self.owed.values())
        if not self.owed:
            raise NothingSelected("No scenario fits the selection.")
        self._order = {row: number for number, row in enumerate(self.owed)}
        self._found: list[tuple[int, bool, Results]] = []
        self._untold = list(self.owed)
        self._ended: dict[str, ScenarioResult] = {}
        self.listener.announce_run(len(self.owed))

    def begin_row(self, row: str, *, again: bool = False) -> None:
        """Do nothing: a row is entered when it ends."""

    def end_row(self, row: str, found: Results, *, again: bool = False) -> None:
        """Enter what was found; the listener hears of the rows in their order."""
        self._found.append((self._order[row], again, found))
        self._ended.update((result.title, result) for results in found.scenarios.values() for result in results)
        while self._untold and self._untold[0] in self._ended:
            self._announce_row(self._untold.pop(0))

    def find_damage(self, error: BaseException | None = None) -> str:  # noqa: ARG002 - others look at it
        """Leave the user's own process alone."""
        return ""

    def find_end(self, row: str) -> ScenarioResult | None:
        """Return how the row has ended, if it has."""
        return self._ended.get(row)

    def close_books(self, *, is_interrupted: bool = False) -> Results:
        """Return all that was found, in the order of the rows, whoever played them and when.

        Rows without an end were not run, where the run was interrupted or the kit failed. Else they got lost, and the
        ledger will not balance.
        """
        for row in [row for row in self._untold if row in self._ended]:
            self._announce_row(row)
        for _, _, found in sorted(self._found, key=lambda entry: entry[:2]):
            self.results.merge_results(found)
        if is_interrupted or self.results.kit_errors:
            self._cross_out(row for row in self.owed if row not in self._ended)
        return self.results

    def _cross_out(self, rows: Iterable[str]) -> None:
        for row in rows:
            result = ScenarioResult(title=row, verdict=Verdict.NOT_RUN)
            self.results.add_result(self.owed[row].requirement_id, result)

    def _register_scenario(self, scenario: ScenarioInfo) -> None:
        self.results.registered += len(scenario.rows)
        for title in scenario.row_titles:
            if title not in self.owed:
                left_out = ScenarioResult(title=title, verdict=Verdict.NOT_SELECTED)
                self.results.add_result(scenario.requirement_id or "", left_out)

    def _announce_row(self, row: str) -> None:
        self.listener.announce_result(self.owed[row].scenario, self._ended[row])


def leave_out_variation(row: ScenarioRow, why: str) -> ScenarioResult:
    """Return how a row under a variation ends that isn't played."""
    return ScenarioResult(title=row.title, verdict=Verdict.NOT_SELECTED, variation=row.variation_name, message=why)
