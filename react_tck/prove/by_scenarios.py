"""Proves that everything that can be green can be red: runs the suite against every mutant and every cheater."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from statistics import median_low
from typing import Literal

from react_tck.catalogue.features import ScenarioInfo
from react_tck.catalogue.kill_matrix import FILE, KillMatrix, build_kill_matrix
from react_tck.catalogue.sampling import Vary, strip_variation
from react_tck.catalogue.selection import Selection
from react_tck.catalogue.step_definitions import modules_of
from react_tck.engine.run import KitBroken, Run
from react_tck.judges.determinism import DETERMINISM
from react_tck.model.report import Report, ScenarioResult, Verdict
from react_tck.processes.workers.workers import Beat, Workers
from react_tck.prove import mutants as mutant_modules
from react_tck.results.books import Unheard
from react_tck.results.exit_status import Exit, exit_status
from react_tck.subjects.catalogue import resolve

#: What every mutant imports.
IMPORTED = (
    "react_tck.subjects.libraries.dspy.instance",
    "react_tck.subjects.libraries.reference.instance",
    "react_tck.subjects.libraries.reference.react",
    *modules_of(mutant_modules),
)
#: What dspy imports when an LM is called for the first time, as far as a version has it.
_AT_FIRST_CALL = (
    "pydantic._internal._dataclasses",
    "dspy.clients.costs",
    "dspy.clients.execution",
    "dspy.clients.engines.streaming",
)
#: What is there before the first of them: what they import, and where their fresh processes come from.
PRELOADED = ("react_tck.prove.ready", *IMPORTED, *_AT_FIRST_CALL)

_SANITIZER = "SAN-"
#: Where episodes have all that sanitizers look at: small results are TOOL-003's, errors of tools ERR-007's.
_LOOP = ("SAN-", "LOOP-", "TOOL-003", "ERR-007")

#: What mutants meet: of those that only variations show the rows that the shipped matrix says they fail; all rows of
#: their requirement under all variations, to compute that matrix; or all of the core and of their profile too.
Extent = Literal["said", "own", "whole"]
#: A mutant, its requirement, the titles that it meets, and whether each episode is played again.
_Meeting = tuple[str, str, frozenset[str], bool]
#: Rows by the requirement that fails in them.
Rows = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Kills:
    """What the suite found in one mutant."""

    mutant: str
    requirement_id: str
    #: The rows that failed by their own sentences, and those in which a sanitizer was violated.
    failed: Rows
    #: The rows in which the mutant departed from what the oracle predicts.
    departed: Rows = field(default_factory=dict)
    #: The requirements named as the causes of all that, the first first.
    causes: tuple[str, ...] = ()

    @property
    def own_rows(self) -> frozenset[str]:
        """The rows of the mutant's own requirement that failed."""
        return self.failed.get(self.requirement_id, frozenset())

    def list_entries(self) -> Iterator[tuple[str, str, str]]:
        """What stands of it in the kill matrix: mutant, requirement id, row."""
        for requirement_id, rows in chain(self.failed.items(), self.departed.items()):
            yield from ((self.mutant, requirement_id, row) for row in rows)


@dataclass(frozen=True)
class Causes:
    """How well the causes of a report tell one fault: of so many mutants, whose only fault is known."""

    mutants: int
    #: How many causes are named in the median.
    median: int
    at_most_two: int
    #: Of so many the first cause is the requirement that the mutant violates.
    own_first: int


@dataclass(frozen=True)
class ScenarioProof:
    """What was found in every mutant, what was said of them, and how the cheaters fared."""

    kills: tuple[Kills, ...]
    cheaters: Mapping[str, Exit]
    scenarios: tuple[ScenarioInfo, ...]
    sanitizers: tuple[str, ...]
    #: The matrix that the findings are held against.
    shipped: KillMatrix
    #: The mutants that fail now these rows, now those: only that they are killed is held against them.
    timed: frozenset[str] = frozenset()
    #: Whether there was to be more: what is missing then shows nothing.
    is_interrupted: bool = False

    @property
    def computed_matrix(self) -> KillMatrix:
        """The matrix as it is."""
        return build_kill_matrix(chain.from_iterable(kills.list_entries() for kills in self.kills))

    @property
    def causes(self) -> Causes:
        """How well the causes told which mutant it was."""
        killed = [kills for kills in self.kills if kills.causes]
        return Causes(
            mutants=len(killed),
            median=median_low(len(kills.causes) for kills in killed) if killed else 0,
            at_most_two=sum(len(kills.causes) <= 2 for kills in killed),
            own_first=sum(kills.causes[0] == kills.requirement_id for kills in killed),
        )

    def list_problems(self) -> Iterator[str]:
        """Everything that isn't proven, a sentence each."""
        yield from self._find_survivors()
        if not self.is_interrupted:
            yield from self._find_idle_scenarios()
            yield from self._find_matrix_errors()
        for cheater, status in self.cheaters.items():
            if status is Exit.CONFORMANT:
                yield f"the cheater {cheater!r} passes"

    def _find_survivors(self) -> Iterator[str]:
        for kills in self.kills:
            if not kills.own_rows:
                elsewhere = ", ".join(sorted(kills.failed)) or "nothing"
                yield f"the mutant {kills.mutant!r} survives {kills.requirement_id}; it fails {elsewhere}"

    def _find_idle_scenarios(self) -> Iterator[str]:
        by_sentences = KillMatrix({kills.mutant: kills.failed for kills in self.kills})
        for scenario in self.scenarios:
            if not by_sentences.killed_by(scenario):
                yield f"the scenario {scenario.title!r} ({scenario.requirement_id}) kills no mutant"
        for sanitizer in self.sanitizers:
            if not any(kills.failed.get(sanitizer) for kills in self.kills):
                yield f"the sanitizer {sanitizer} kills no mutant"

    def _find_matrix_errors(self) -> Iterator[str]:
        """Where the shipped matrix says what isn't so, or doesn't say what is."""
        said, found = set(self.shipped.list_entries()), set(self.computed_matrix.list_entries())
        unknown = set(self.shipped.failing) - {kills.mutant for kills in self.kills}
        yield from (f"{FILE} names the mutant {mutant!r}, which doesn't exist" for mutant in sorted(unknown))
        for mutant, requirement_id, row in sorted(said ^ found):
            if mutant in unknown | self.timed:
                continue
            if (mutant, requirement_id, row) in said:
                yield f"the mutant {mutant!r} keeps {requirement_id} in {row!r}, which {FILE} says it violates"
            else:
                yield f"the mutant {mutant!r} violates {requirement_id} in {row!r}, which {FILE} doesn't say"


def prove_by_scenarios(
    mutants: Mapping[str, str],
    cheaters: Iterable[str],
    scenarios: tuple[ScenarioInfo, ...],
    sanitizers: tuple[str, ...],
    shipped: KillMatrix,
    workers: Workers,
    *,
    timed: frozenset[str] = frozenset(),
    extent: Extent = "said",
) -> ScenarioProof:
    """Run every mutant (name to requirement id) and cheater.

    A mutant meets the scenarios that have to kill it and those that the shipped matrix says it fails. A cheater meets
    those of the core.
    """
    to_meet = _LISTS[extent]
    kills: list[Kills] = []
    statuses: dict[str, Exit] = {}
    # Cheaters take longest: they come first, so that no processor is idle at the end.
    meetings = (
        (name, id_, to_meet(name, id_, scenarios, shipped), extent != "said" or _shows_again(name, id_, shipped))
        for name, id_ in mutants.items()
    )
    tasks: Iterable[str | _Meeting] = chain(cheaters, meetings)
    try:
        for found in workers.map(_play_task, tasks):
            match found:
                case Kills():
                    kills.append(found)
                case cheater, status:
                    statuses[cheater] = status
    except KeyboardInterrupt:
        return ScenarioProof(tuple(kills), statuses, scenarios, sanitizers, shipped, timed, is_interrupted=True)
    return ScenarioProof(tuple(kills), statuses, scenarios, sanitizers, shipped, timed)


def _shows_again(mutant: str, requirement_id: str, shipped: KillMatrix) -> bool:
    """Whether it is seen when an episode is played again: of all others that would cost half the time."""
    return DETERMINISM in (requirement_id, *shipped.failing.get(mutant, {}))


def list_said_titles(
    mutant: str, requirement_id: str, scenarios: Iterable[ScenarioInfo], shipped: KillMatrix
) -> frozenset[str]:
    """The rows that it is said to fail, of a mutant that variations show; of any other what has to kill it.

    Each of these rows is played without its variation, too. To play all variations of all rows takes three times as
    long as everything else.
    """
    said = shipped.rows_of(mutant)
    is_varied = any(strip_variation(row) != row for row in said)
    return said if is_varied else list_own_titles(mutant, requirement_id, scenarios, shipped)


def list_own_titles(
    mutant: str, requirement_id: str, scenarios: Iterable[ScenarioInfo], shipped: KillMatrix
) -> frozenset[str]:
    """The titles of its own requirement's scenarios and of those that it is said to fail.

    A sanitizer watches every episode: its mutants meet the scenarios of the tool loop, and of what tools return.
    """
    own = _LOOP if requirement_id.startswith(_SANITIZER) else (requirement_id,)
    said = set(map(strip_variation, shipped.rows_of(mutant)))
    return frozenset(
        scenario.title
        for scenario in scenarios
        if (scenario.requirement_id or "").startswith(own) or said.intersection(scenario.row_titles)
    )


def list_whole_titles(
    mutant: str, requirement_id: str, scenarios: Iterable[ScenarioInfo], shipped: KillMatrix
) -> frozenset[str]:
    """The titles that a mutant is to meet for a whole matrix: those of the core and of its own profile too."""
    own = {scenario.profile for scenario in scenarios if scenario.requirement_id == requirement_id}
    titles = {scenario.title for scenario in scenarios if scenario.profile in {"core", *own}}
    return list_own_titles(mutant, requirement_id, scenarios, shipped) | titles


_LISTS = {"said": list_said_titles, "own": list_own_titles, "whole": list_whole_titles}


def _play_task(task: str | _Meeting, _: Beat) -> tuple[str, Exit] | Kills:
    """What was found in a cheater, or in a mutant."""
    return (task, _find_exit_status(task)) if isinstance(task, str) else _find_kills(*task)


def _find_kills(mutant: str, requirement_id: str, titles: frozenset[str], replays: bool) -> Kills:
    vary: Vary = "all" if mutant_modules.load_mutants()[mutant].is_varied else "none"
    report = _run_suite(f"mutant:{mutant}", Selection(profile="all", titles=titles, vary=vary), replays=replays)
    found = report.requirements
    return Kills(
        mutant,
        requirement_id,
        failed={result.id: red for result in found if (red := _red_rows(result.scenarios))},
        departed={result.id: red for result in found if (red := _red_rows(result.departures))},
        causes=tuple(cause.requirement for cause in report.causes),
    )


def _red_rows(results: Iterable[ScenarioResult]) -> frozenset[str]:
    return frozenset(result.title for result in results if result.verdict is Verdict.FAILED)


def _find_exit_status(cheater: str) -> Exit:
    return exit_status(_run_suite(f"cheater:{cheater}", Selection()))


def _run_suite(subject_name: str, chosen: Selection, *, replays: bool = True) -> Report:
    # What a library says of a mutant in its log is nobody's business.
    logging.disable(logging.WARNING)
    report = Run(resolve(subject_name), subject_name, chosen, replays=replays).report(Unheard())
    if report.kit_errors:
        raise KitBroken("\n".join(report.kit_errors))
    return report
