"""Workers that Dask's `distributed` has, on this machine or on others; each task in a process of its own there too."""

import atexit
import hashlib
import io
import logging
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dask
import distributed
from distributed import WorkerPlugin
from distributed.client import Client
from distributed.comm.core import CommClosedError
from distributed.deploy.local import LocalCluster
from distributed.deploy.spec import close_clusters

from react_tck.distribution import digest_kit
from react_tck.processes.workers.workers import (
    Beat,
    Done,
    IsolatedTasks,
    Result,
    Task,
    Work,
    WorkersLost,
    ignore_beat,
    ignore_result,
    yield_in_order,
)
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import LibraryMissing, UnknownSubject
from react_tck.subjects.config import ConfigError

#: The command that builds a folder; none if there is nothing to build.
Build = tuple[str, ...]

#: Bytes: more would take longer to send than to build.
_LARGEST = 64 * 1024 * 1024
#: Where builds leave what they make; who builds on the worker doesn't send it.
_MADE = frozenset({"node_modules", "target", "build", "dist", "__pycache__", "venv"})
#: Characters of a build's last words.
_SHOWN = 500


class TooLarge(ValueError):
    """The folders are too large to be sent; the message says what to do."""


@dataclass(frozen=True)
class Upload:
    """The files of folders, and where which command builds them."""

    packed: bytes
    builds: tuple[tuple[str, Build], ...]

    @property
    def name(self) -> str:
        """A name made of the files and the commands."""
        return f"react-tck-{hashlib.sha256(repr((self.packed, self.builds)).encode()).hexdigest()[:16]}"


def find_place(folder: Path) -> Path:
    """Return where a folder is unpacked: where it is below this one; one that isn't, by its whole path."""
    path = folder.absolute()
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path.relative_to(path.anchor)


def pack_folders(folders: Mapping[Path, Build]) -> Upload:
    """Return the folders without hidden files; of those that are to be built, without what has been built here.

    Raises:
        TooLarge: if they are too large to be sent.
    """
    bytes_ = io.BytesIO()
    with tarfile.open(fileobj=bytes_, mode="w") as tar:
        for folder, build in folders.items():
            for path in sorted(folder.rglob("*")):
                parts = path.relative_to(folder).parts
                is_left_out = any(part.startswith(".") or (build and part in _MADE) for part in parts)
                if not is_left_out and path.is_file():
                    _add_file(tar, path, find_place(folder).joinpath(*parts))
                if bytes_.tell() > _LARGEST:
                    size = _LARGEST // 1024 // 1024
                    raise TooLarge(
                        f"{folder} has more than {size} MB to be sent to the workers: install it there instead."
                    )
    return Upload(bytes_.getvalue(), tuple((str(find_place(folder)), build) for folder, build in folders.items()))


def _add_file(tar: tarfile.TarFile, path: Path, place: Path) -> None:
    # The same files are the same bytes, whenever they were written.
    entry = tar.gettarinfo(path, str(place))
    entry.mtime = entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    with path.open("rb") as file:
        tar.addfile(entry, file)


class UnpackedUpload(WorkerPlugin):
    """The upload on a worker: where it is unpacked and built."""

    def __init__(self, upload: Upload) -> None:
        self._upload = upload
        self.folder = ""

    def setup(self, worker: Any) -> None:
        """Unpack and build it.

        Raises:
            RuntimeError: if the build fails; the message names the worker.
        """
        folder = Path(worker.local_directory) / self._upload.name
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(fileobj=io.BytesIO(self._upload.packed)) as tar:
            tar.extractall(folder, filter="data")
        self.folder = str(folder)
        for place, build in self._upload.builds:
            if build:
                self._run_build(worker, folder / place, build)

    def _run_build(self, worker: Any, folder: Path, build: Build) -> None:
        try:
            done = subprocess.run(build, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
            said = "" if done.returncode == 0 else f"it exited with {done.returncode}: {done.stdout}{done.stderr}"
        except OSError as error:
            said = f"it can't be started: {error.strerror}"
        if said:
            command = " ".join(build)
            raise RuntimeError(f"The build `{command}` failed on the worker {worker.address}: {said.strip()[-_SHOWN:]}")


def find_uploaded_folder(worker: Any, name: str) -> str:
    """Return the folder on the worker of what has been uploaded by that name."""
    folder: str = worker.plugins[name].folder
    return folder


_LOCAL = "local:"
#: Seconds in which a scheduler has to answer, and in which one of ours has to have its workers.
_CONNECTING = 15
_QUIET = {"distributed.admin.log-format": "", "distributed.worker.profile.enabled": False}
#: What is said of the worker it happened on, and remains what it is.
_NAMED = (LibraryMissing, UnknownSubject, ConfigError, HarnessBroken)
_SAME = "it needs the one that is here, of the same commit: its requirements, features and code"
#: Who logs what becomes of a cluster that is given up: nothing of it is news to who has interrupted it.
_LOGGERS = ("distributed", "tornado", "asyncio")


class ClusterWorkers:
    """The workers of a scheduler."""

    def __init__(self, client: Client, kept: "ProcessSettings", upload: str | None, folder: str | None) -> None:
        self._client = client
        self._kept = kept
        self._upload = upload
        self._folder = folder

    @property
    def count(self) -> int:
        """How many tasks its workers do at once; they may come and go."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        return max(1, sum(int(worker["nthreads"]) for worker in workers.values()))

    def map(
        self,
        work: Work[Task, Result],
        tasks: Iterable[Task],
        beat: Beat = ignore_beat,
        done: Done[Result] = ignore_result,
    ) -> Iterator[Result]:
        """Yield the results, in the order of the tasks; of the beats of a task no one is heard before it is done."""
        del beat
        executor: Any = self._client.get_executor(pure=False)  # type: ignore[no-untyped-call]

        def submit(task: Task) -> Future[Result]:
            remote_task = RemoteTask(work, task, self._kept, self._folder, self._upload, digest_kit())
            return executor.submit(_run_remote_task, remote_task)  # type: ignore[no-any-return]

        try:
            yield from yield_in_order(submit, tasks, self.count, done)
        except (CancelledError, CommClosedError) as error:
            raise WorkersLost("The scheduler is gone, or has lost what it was asked for.") from error
        except distributed.KilledWorker as error:
            raise WorkersLost(
                f"A task was lost with its worker {error.allowed_failures + 1} times, at last with "
                f"{error.last_worker.address}."
            ) from error


@dataclass(frozen=True)
class ProcessSettings:
    """What a worker keeps for the tasks of a command: the process that theirs are forked from."""

    #: What it has imported.
    preloaded: tuple[str, ...]
    #: Seconds in which a task that beats at all has to.
    silence: float | None


@dataclass(frozen=True)
class RemoteTask:
    """A task as a worker is sent it."""

    work: Work[Any, Any]
    task: Any
    settings: ProcessSettings
    #: Where it is done, on this machine.
    folder: str | None
    #: What has been uploaded for it, if anything has.
    upload: str | None
    #: The digest of the kit that it is a task of.
    kit: str


@contextmanager
def connect_cluster(
    address: str, silence: float | None = None, upload: Upload | None = None, preloaded: Sequence[str] = ()
) -> Iterator[ClusterWorkers]:
    """Yield the workers of the scheduler at the address, or, for `local:N`, of one with N workers on this machine.

    `preloaded` are modules that all tasks need.

    Raises:
        WorkersLost: if there is no scheduler, it has no workers, or one of them can't do what is wanted.
    """
    _silence_dask()
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(_QUIET))
        client = _connect_client(address, stack)
        _check_workers(client, address)
        client.register_plugin(TaskEnding(), name=TaskEnding.__name__)
        if upload:
            _send_upload(client, upload)
        # Elsewhere the folders are others.
        folder = str(Path.cwd()) if address.startswith(_LOCAL) else None
        yield ClusterWorkers(
            client, ProcessSettings(tuple(preloaded), silence), upload.name if upload else None, folder
        )


def _connect_client(address: str, stack: ExitStack) -> Client:
    try:
        if address.startswith(_LOCAL):
            count = int(address.removeprefix(_LOCAL))
            local: Any = LocalCluster  # which has no types
            started = local(
                n_workers=count, threads_per_worker=1, dashboard_address=None, memory_limit=None, silence_logs=50
            )
            address = stack.enter_context(started).scheduler_address
        connected: Client = Client(address, timeout=_CONNECTING, set_as_default=False)  # type: ignore[no-untyped-call]
        stack.callback(connected.close)
    except (OSError, TimeoutError, ValueError) as error:
        raise WorkersLost(f"--cluster {address}: there is no scheduler that answers: {error}") from error
    return connected


def _silence_dask() -> None:
    """Have Dask say nothing, neither now nor when the interpreter ends: what matters comes as an exception."""
    for name in (*_LOGGERS, *logging.root.manager.loggerDict):
        if name.partition(".")[0] in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    atexit.unregister(close_clusters)
    atexit.register(_close_clusters)


def _close_clusters() -> None:
    with suppress(Exception):
        close_clusters()


def _check_workers(client: Client, address: str) -> None:
    """See that there are workers, and that all of them have this kit: whoever has another comes to other results.

    Raises:
        WorkersLost: if it isn't so.
    """

    # Within a function, so that it is sent as it is: another kit may lack what this one has.
    def digest_there() -> str:
        from react_tck.distribution import digest_kit

        return digest_kit()

    found = client.run(digest_there, on_error="return")
    if not found:
        raise WorkersLost(f"--cluster {address}: the scheduler has no workers.")
    for worker, digest in sorted(found.items()):
        if digest != digest_kit():
            has = "no react-tck" if isinstance(digest, ModuleNotFoundError) else "another react-tck"
            raise WorkersLost(f"The worker {worker} has {has}; {_SAME}.")


def _send_upload(client: Client, upload: Upload) -> None:
    """Have every worker unpack and build it, those that come later too.

    Raises:
        WorkersLost: if one of them can't.
    """
    try:
        client.register_plugin(UnpackedUpload(upload), name=upload.name)
    except Exception as error:
        raise WorkersLost(str(error)) from error


def _run_remote_task(remote_task: RemoteTask) -> Any:
    """Return what a worker does with an remote_task."""
    worker = distributed.get_worker()
    if remote_task.kit != digest_kit():  # it has come since the others were asked
        raise WorkersLost(f"The worker {worker.address} has another react-tck; {_SAME}.")
    folder = find_uploaded_folder(worker, remote_task.upload) if remote_task.upload else remote_task.folder
    try:
        result = _start_isolation(remote_task.settings).run_task(remote_task.work, remote_task.task, folder=folder)
    except _NAMED as error:
        raise _name_worker(worker, error) from error
    match result:
        case (name, error) if isinstance(error, _NAMED):  # of a task that others go on without
            return name, _name_worker(worker, error)
    return result


def _name_worker(worker: Any, error: Exception) -> Exception:
    return type(error)(f"on the worker {worker.address}: {error}")


class TaskEnding(distributed.WorkerPlugin):
    """Ends the tasks of a worker that leaves, so that it need not wait for them."""

    #: One is enough, and takes nothing from whoever asked for it before.
    idempotent = True

    def teardown(self, worker: Any) -> None:
        """End what is under way."""
        del worker
        for isolated in _isolations.values():
            isolated.close()


#: One a worker for each way to prepare a process, so that what tasks are forked from has imported everything.
_isolations: dict[ProcessSettings, IsolatedTasks] = {}


def _start_isolation(kept: ProcessSettings) -> IsolatedTasks:
    return _isolations.setdefault(kept, IsolatedTasks(kept.preloaded, kept.silence))
