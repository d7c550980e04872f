"""A run in processes of its own, one or several: whatever the subject does to them, there is a report."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import check_features, report_of
from react_tck.engine.session import CollectedRows, collect_rows
from react_tck.model.report import Report
from react_tck.processes.interruption import Interrupted, catch_signals
from react_tck.processes.supervisor import RowQueue, WorkerLimits, supervise_queues
from react_tck.processes.worker import WorkerTask
from react_tck.results.books import Books, Listener, Unheard
from react_tck.results.ledger import Results
from react_tck.subjects.catalogue import is_harness

#: Rows that pay for a process of their own, in which the subject's library has to be imported, or its harness started.
_ROWS = 100
#: What a sentence says of a scenario for which the library is imported once more, and how many others take as long.
_FRESH_PROCESS, _FRESH_COST = "a fresh process", 15


@dataclass(frozen=True)
class SupervisedRun:
    """What is to be run, by how many processes at the same time; the report is that of a run in one."""

    subject_name: str
    selection: Selection
    seed: int = 0
    #: None for as many as pay.
    processes: int | None = None
    #: Where to keep the episodes, if anywhere.
    transcripts: Path | None = None
    #: Whether rows are played again (SAN-009).
    replays: bool = True
    limits: WorkerLimits = field(default_factory=WorkerLimits)

    def report(self, listener: Listener) -> Report:
        """Run it; raises what `run_with_results` raises."""
        return self.run_with_results(listener)[0]

    def run_with_results(self, listener: Listener) -> tuple[Report, Results]:
        """Run it; gives what the report is made of, too. The listener hears of the scenarios in their order.

        Raises:
            NothingSelected: if no scenario is selected.
            FeatureError: if a feature file can't be read.
            UnknownSubject: if the name names no subject.
            ConfigError: if the name is a configuration file's, and the file can't be understood.
            HarnessBroken: if the subject can't even say who it is.
            KitBroken: if a scenario belongs to no requirement.
            Interrupted: by a signal, before the subject has said who it is.
        """
        queues: list[RowQueue] = []

        def play_all(collected: CollectedRows) -> None:
            queues.extend(RowQueue(self._worker_task, self._effective_limits, books, collected, rows) for rows in parts)
            supervise_queues(queues, lambda: bool(interruption))

        with catch_signals() as interruption:
            check_features(self.selection)
            books = Books(self.selection, listener)
            processes = self.processes or count_useful_processes(len(books.owed))
            parts = split_rows(books, processes, 1 if is_harness(self.subject_name) else _FRESH_COST)
            collect_rows(books.owed.values(), play_all)
        if refusal := next((queue.refusal for queue in queues if queue.refusal), None):
            raise refusal
        manifest = next((queue.manifest for queue in queues if queue.manifest), None)
        if manifest is None:
            raise Interrupted(interruption.name, "before the subject said who it is, so there is no report")
        results = books.close_books(is_interrupted=bool(interruption))
        report = report_of(results, manifest, self.selection, self.seed)
        return report.model_copy(update={"interrupted": interruption.name}), results

    def play_again(self, rows: Iterable[str]) -> Results:
        """Play these rows once more, each alone: by a worker of its own, when no other works.

        A row has no end among the results where the subject can't be had again.

        Raises:
            Interrupted: by a signal.
        """
        books = Books(self.selection, Unheard())
        task = replace(self._worker_task, transcripts=None, keeps_records=True)
        wanted = list(rows)

        def play_each(collected: CollectedRows) -> None:
            for row in wanted:
                queue = RowQueue(task, self._effective_limits, books, collected, [row])
                supervise_queues([queue], lambda: bool(interruption))

        with catch_signals() as interruption:
            collect_rows([books.owed[row] for row in wanted], play_each)
        if interruption:
            raise Interrupted(interruption.name)
        return books.close_books()

    @property
    def _worker_task(self) -> WorkerTask:
        return WorkerTask(
            self.subject_name,
            self.selection,
            self.seed,
            self.transcripts,
            self._effective_limits.memory,
            replays=self.replays,
        )

    @property
    def _effective_limits(self) -> WorkerLimits:
        """A harness is a process of its own, and has time limits of its own."""
        return replace(self.limits, row=None, start=None) if is_harness(self.subject_name) else self.limits


def count_useful_processes(rows: int) -> int:
    """Return the number of processes for so many rows: one a processor, unless it would have hardly begun."""
    return max(1, min(os.cpu_count() or 1, rows // _ROWS))


def split_rows(books: Books, processes: int, fresh_cost: int = 1) -> list[list[str]]:
    """Return the rows that are owed, in as many parts as there are processes.

    Scenarios of one requirement often take equally long, and stand together: they go to different processes. One that
    is played in a fresh process, too, takes as long as so many others.
    """
    rows: dict[str, list[str]] = {}
    costs: dict[str, int] = {}
    for title, row in books.owed.items():
        rows.setdefault(row.scenario.title, []).append(title)
        costs[row.scenario.title] = fresh_cost if any(_FRESH_PROCESS in step.text for step in row.row.steps) else 1
    parts: list[list[str]] = [[] for _ in range(processes)]
    totals = [0] * processes
    for title in sorted(rows, key=costs.__getitem__, reverse=True):
        least = totals.index(min(totals))
        parts[least] += rows[title]
        totals[least] += costs[title]
    return [part for part in parts if part]
