"""Processes of their own, and a run split over them: its report is that of a run in one (DESIGN.md, rule 6)."""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

from react_tck import steps
from react_tck.model.manifest import Manifest
from react_tck.model.report import Report, ScenarioResult
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import close, resolve
from react_tck.subjects.threads import abandon
from react_tck.suite.features import ScenarioInfo, load_features
from react_tck.suite.ledger import Results
from react_tck.suite.plugin import Listener, Unheard
from react_tck.suite.run import Run, check_features, modules_of, report_of
from react_tck.suite.selection import NothingSelected, Selection

#: Imported once by the process the workers are forked from: whatever a run reads before its first scenario.
_PRELOADED = ("react_tck.suite.run", "react_tck.suite.warm", *modules_of(steps))


def pool(processes: int | None = None, preloaded: Sequence[str] = ()) -> ProcessPoolExecutor:
    """So many processes at once, as many as there are processors if None; none of them does two tasks."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload([*_PRELOADED, *preloaded])
    return ProcessPoolExecutor(processes, mp_context=context, max_tasks_per_child=1, initializer=abandon)


@dataclass(frozen=True)
class Share:
    """What a process found out."""

    manifest: Manifest
    results: Results


@dataclass(frozen=True)
class ParallelRun:
    """What is to be run, each process with a subject of its own."""

    subject_name: str
    selection: Selection
    seed: int
    processes: int
    #: Where to keep the episodes, if anywhere.
    transcripts: Path | None = None

    def report(self, listener: Listener) -> Report:
        """Run it; the listener hears of all scenarios at the end, in their order.

        Raises:
            NothingSelected: if no scenario is selected.
            FeatureError: if a feature file can't be read.
            HarnessBroken: if the subject can't say who it is, or ends a process of ours.
            KitBroken: if the kit fails.
        """
        check_features()
        selected = [scenario for scenario in load_features() if self.selection.includes(scenario)]
        parts = deal(selected, self.selection, self.processes)
        listener.started(sum(len(self.selection.rows(scenario)) for scenario in selected))
        shares = self._shares(parts)
        results = merged(parts, [share.results for share in shares])
        _tell(listener, selected, results)
        return report_of(results, shares[0].manifest, self.selection, self.seed)

    def _shares(self, parts: Sequence[Selection]) -> list[Share]:
        if not parts:
            raise NothingSelected("No scenario fits the selection.")
        try:
            with pool(len(parts)) as workers:
                return list(workers.map(self._share, parts))
        except BrokenProcessPool as error:
            raise HarnessBroken("the subject ended a process of the kit: run it without -n to see where") from error

    def _share(self, part: Selection) -> Share:
        subject = resolve(self.subject_name)
        try:
            run = Run(subject, self.subject_name, part, self.seed, self.transcripts)
            return Share(subject.initialize(), run.results(Unheard()))
        finally:
            close(subject)


def deal(selected: Iterable[ScenarioInfo], selection: Selection, processes: int) -> list[Selection]:
    """The selected scenarios in as many parts as there are processes.

    Scenarios of one requirement often take equally long, and stand together: they go to different processes.
    """
    titles = [scenario.title for scenario in selected]
    hands = (titles[number::processes] for number in range(processes))
    return [replace(selection, titles=frozenset(hand)) for hand in hands if hand]


def merged(parts: Sequence[Selection], results: Sequence[Results]) -> Results:
    """The results of one run of all the parts: each process is believed for its own scenarios."""
    first, order = results[0], _order()
    whole = Results(registered=first.registered)
    owned = [frozenset(row for scenario in load_features() for row in part.rows(scenario)) for part in parts]
    dealt = frozenset[str]().union(*owned)
    for requirement_id, listed in first.scenarios.items():
        # What nobody was to run is left out everywhere alike.
        left_out = [result for result in listed if result.title not in dealt]
        ended = (
            result
            for own, found in zip(owned, results, strict=True)
            for result in found.scenarios.get(requirement_id, ())
            if result.title in own
        )
        whole.scenarios[requirement_id] = left_out + sorted(ended, key=order)
    for found in results:
        whole.absorb(found)
    for seen in (*whole.violations.values(), *whole.departures.values()):
        seen.sort(key=order)
    return whole


def _order() -> Callable[[ScenarioResult], int]:
    order = {title: number for number, title in enumerate(_titles(load_features()))}
    return lambda result: order[result.title]


def _titles(scenarios: Iterable[ScenarioInfo]) -> Iterator[str]:
    return (title for scenario in scenarios for title in scenario.run_titles)


def _tell(listener: Listener, selected: Iterable[ScenarioInfo], results: Results) -> None:
    for scenario in selected:
        ended = {result.title: result for result in results.scenarios[scenario.requirement_id or ""]}
        for title in scenario.run_titles:
            if title in ended:
                listener.ended(scenario, ended[title])
