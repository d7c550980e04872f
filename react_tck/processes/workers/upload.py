"""Folders as they go to the workers of a cluster, each of which unpacks and builds them once."""

import hashlib
import io
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin

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
