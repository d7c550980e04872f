"""A run split over processes, whose report is that of a run in one (DESIGN.md, rule 6)."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

from react_tck.model.manifest import Manifest
from react_tck.model.report import Report
from react_tck.runner.features import ScenarioInfo, load_features
from react_tck.runner.plugin import Listener, Unheard
from react_tck.runner.processes import pool
from react_tck.runner.results import Results
from react_tck.runner.run import NothingSelected, Run, check_features, report_of
from react_tck.runner.selection import Selection
from react_tck.subjects.catalogue import close, resolve
from react_tck.subjects.protocol import HarnessBroken


@dataclass(frozen=True)
class Part:
    """The requirements that one process answers for."""

    requirement_ids: frozenset[str]
    selection: Selection


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
        listener.started(sum(len(scenario.run_titles) for scenario in selected))
        shares = self._shares(parts)
        results = merged(parts, [share.results for share in shares])
        _tell(listener, selected, results)
        return report_of(results, shares[0].manifest, self.selection, self.seed)

    def _shares(self, parts: Sequence[Part]) -> list[Share]:
        if not parts:
            raise NothingSelected("No scenario fits the selection.")
        try:
            with pool(len(parts)) as workers:
                return list(workers.map(self._share, parts))
        except BrokenProcessPool as error:
            raise HarnessBroken("the subject ended a process of the kit: run it without -n to see where") from error

    def _share(self, part: Part) -> Share:
        subject = resolve(self.subject_name)
        try:
            run = Run(subject, self.subject_name, part.selection, self.seed, self.transcripts)
            return Share(subject.initialize(), run.results(Unheard()))
        finally:
            close(subject)


def deal(selected: Iterable[ScenarioInfo], selection: Selection, processes: int) -> list[Part]:
    """The selected scenarios in as many parts as there are processes, those of one requirement together."""
    titles: dict[str, list[str]] = {}
    for scenario in selected:
        titles.setdefault(scenario.requirement_id or "", []).append(scenario.title)
    hands = (list(titles)[number::processes] for number in range(processes))
    return [
        Part(frozenset(hand), replace(selection, titles=frozenset(title for id_ in hand for title in titles[id_])))
        for hand in hands
        if hand
    ]


def merged(parts: Sequence[Part], results: Sequence[Results]) -> Results:
    """The results of one run of all the parts: each process is believed for its own requirements."""
    first = results[0]
    whole = Results(registered=first.registered)
    answers = {id_: found for part, found in zip(parts, results, strict=True) for id_ in part.requirement_ids}
    # What nobody was to run is left out everywhere alike.
    whole.scenarios = {id_: answers.get(id_, first).scenarios[id_] for id_ in first.scenarios}
    for found in results:
        whole.absorb(found)
    _sort(whole)
    return whole


def _sort(whole: Results) -> None:
    order = {title: number for number, title in enumerate(_titles(load_features()))}
    for found in (*whole.violations.values(), *whole.departures.values()):
        found.sort(key=lambda result: order[result.title])


def _titles(scenarios: Iterable[ScenarioInfo]) -> Iterator[str]:
    return (title for scenario in scenarios for title in scenario.run_titles)


def _tell(listener: Listener, selected: Iterable[ScenarioInfo], results: Results) -> None:
    for scenario in selected:
        ended = {result.title: result for result in results.scenarios[scenario.requirement_id or ""]}
        for title in scenario.run_titles:
            if title in ended:
                listener.ended(scenario, ended[title])
