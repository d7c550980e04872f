"""Who does the work of a command: `-n`, `--cluster`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from os import cpu_count
from pathlib import Path
from signal import SIGINT
from typing import Any

import click

from react_tck.cli.arguments import AUTO, load_config, parse_process_count
from react_tck.cli.mistakes import Mistake
from react_tck.processes.interruption import Interruption, catch_signals
from react_tck.processes.workers.workers import (
    SILENCE,
    Result,
    Serial,
    Task,
    Work,
    Workers,
    start_process_workers,
    start_thread_workers,
)
from react_tck.subjects.catalogue import list_modules
from react_tck.subjects.config import is_config

_LOCAL = "local:"


@dataclass(frozen=True)
class OpenedWorkers:
    """The workers, and the subject's name where they are."""

    workers: Workers
    subject: str
    #: Whether this process is the only one.
    is_here: bool = False


@dataclass(frozen=True)
class WorkerOptions:
    """Who is wanted: so many processes, or the workers of a cluster; nobody in particular."""

    count: int | None = None
    cluster: str | None = None

    def __bool__(self) -> bool:
        return bool(self.count or self.cluster)

    @contextmanager
    def open_for_subject(self, subject: str, silence: float | None = SILENCE) -> Iterator[OpenedWorkers]:
        """Yield the workers for a command about a subject, this process if nobody in particular is wanted.

        Raises:
            Mistake: if the cluster's extra isn't installed, or what it needs can't be sent.
            WorkersLost: if the cluster can't be used.
        """
        if self.cluster:
            with _open_cluster(self.cluster, [subject], silence, _list_preloaded_modules(subject)) as (
                workers,
                [there],
            ):
                yield OpenedWorkers(workers, there)
        elif self.count in (None, 1):
            yield OpenedWorkers(Serial(), subject, is_here=True)
        else:
            with start_process_workers(self.count, _list_preloaded_modules(subject), silence) as workers:
                yield OpenedWorkers(workers, subject)

    @contextmanager
    def open_for_runs(self, subjects: Sequence[str], at_once: int) -> Iterator[tuple[Workers, list[str]]]:
        """Yield the workers for whole runs, which have processes of their own, and what the subjects are called there.

        So many at once if nobody in particular is wanted.

        Raises:
            Mistake: if the cluster's extra isn't installed, or what it needs can't be sent.
            WorkersLost: if the cluster can't be used.
        """
        if self.cluster:
            with _open_cluster(self.cluster, subjects, None, ()) as found:
                yield found
        else:
            with start_thread_workers(self.count or at_once) as workers:
                yield workers, list(subjects)

    def count_processes(self, runs: int) -> int | None:
        """Return how many processes each of so many runs has; None if that isn't said."""
        if self.cluster:
            return 1
        return max(1, self.count // max(1, runs)) if self.count else None


def _list_preloaded_modules(subject: str) -> Sequence[str]:
    """Return the modules that every process of a built-in subject needs."""
    return ["react_tck.fuzz.playing", *list_modules(subject)]


@contextmanager
def _open_cluster(
    address: str, subjects: Sequence[str], silence: float | None, modules: Sequence[str]
) -> Iterator[tuple[Workers, list[str]]]:
    """Yield the workers of a cluster, and what the subjects are called there."""
    if find_spec("distributed") is None:
        raise Mistake(
            "--cluster needs Dask's distributed, which is not installed. Run: pip install 'react-tck[cluster]'"
        )
    # Only who has a cluster needs Dask.
    from react_tck.processes.workers.cluster import TooLarge, connect_cluster, find_place, pack_folders

    there, folders = list(subjects), {}
    for number, subject in enumerate(subjects):
        if is_config(subject) and not address.startswith(_LOCAL):
            file = Path(subject)
            folders[file.absolute().parent] = load_config(file).build
            there[number] = str(find_place(file.parent) / file.name)
    try:
        upload = pack_folders(folders) if folders else None
    except TooLarge as error:
        raise Mistake(str(error)) from error
    with connect_cluster(address, silence, upload, modules) as workers:
        yield workers, there


def gather_results(
    workers: Workers,
    work: Work[Task, tuple[str, Result]],
    tasks: Iterable[Task],
    show: Callable[[str, Result], object],
    *,
    are_here: bool,
) -> tuple[dict[str, Result], str]:
    """Return what the tasks came to, by their names, and the name of the signal that came before all were through.

    Each is shown as soon as it and those before it are there. Tasks that are here hear of the signal and come to an
    end; of others those that have ended are kept.
    """
    came: dict[str, Result] = {}
    with catch_signals() if are_here else nullcontext(Interruption()) as interruption:
        try:
            for name, result in workers.map(work, tasks, done=lambda named: came.update([named])):
                show(name, result)
        except KeyboardInterrupt as interrupt:
            interruption.name = str(interrupt) or SIGINT.name
    return came, interruption.name


def workers_options(callback: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options; its callback takes `worker_options`."""

    def run_command(*, processes: int | None, cluster: str | None, **said: Any) -> int:
        if processes and cluster:
            raise click.UsageError("Give -n or --cluster, not both.")
        return callback(worker_options=WorkerOptions(processes, cluster), **said)

    run_command.__doc__ = callback.__doc__
    run_command.__name__ = callback.__name__
    # The options that stand below have been given to the callback already.
    vars(run_command).update(vars(callback))
    for option in (
        click.option(
            "--cluster",
            callback=_parse_address,
            metavar="ADDRESS",
            help="share the work among the workers of a Dask scheduler; local:N starts one with N here",
        ),
        click.option(
            "-n",
            "--workers",
            "processes",
            callback=_parse_count,
            metavar="N",
            help="share the work among N processes, or auto: as many as there are processors",
        ),
    ):
        run_command = option(run_command)
    return run_command


def _parse_count(_: click.Context, __: click.Parameter, said: str | None) -> int | None:
    return cpu_count() or 1 if said == AUTO else parse_process_count(said)


def _parse_address(_: click.Context, __: click.Parameter, said: str | None) -> str | None:
    count = (said or "").removeprefix(_LOCAL)
    if said and said.startswith(_LOCAL):
        parse_process_count(count)
    return said
