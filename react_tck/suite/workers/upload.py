"""A folder as it goes to the workers of a cluster, each of which unpacks and builds it once."""

import hashlib
import io
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin

#: Bytes: more would take longer to send than to build.
_LARGEST = 64 * 1024 * 1024
#: Where builds leave what they make; who builds on the worker doesn't send it.
_MADE = frozenset({"node_modules", "target", "build", "dist", "__pycache__", "venv"})
#: Characters of a build's last words.
_SHOWN = 500


class TooLarge(ValueError):
    """The folder is too large to be sent; the message says what to do."""


@dataclass(frozen=True)
class Upload:
    """The files of a folder, and the command that builds them."""

    packed: bytes
    build: tuple[str, ...]

    @property
    def name(self) -> str:
        """A name made of the files and the command."""
        return f"react-tck-{hashlib.sha256(repr((self.packed, self.build)).encode()).hexdigest()[:16]}"


def packed(folder: Path, build: tuple[str, ...]) -> Upload:
    """The folder without hidden files; where it is to be built, without what has been built here.

    Raises:
        TooLarge: if it is too large to be sent.
    """
    bytes_ = io.BytesIO()
    with tarfile.open(fileobj=bytes_, mode="w") as tar:
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            is_left_out = any(part.startswith(".") or (build and part in _MADE) for part in inside.parts)
            if is_left_out or not path.is_file():
                continue
            # The same files are the same bytes, whenever they were written.
            entry = tar.gettarinfo(path, str(inside))
            entry.mtime = entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            with path.open("rb") as file:
                tar.addfile(entry, file)
            if bytes_.tell() > _LARGEST:
                size = _LARGEST // 1024 // 1024
                raise TooLarge(f"{folder} has more than {size} MB to be sent to the workers: install it there instead.")
    return Upload(bytes_.getvalue(), build)


class Unpacked(WorkerPlugin):
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
        if self._upload.build:
            self._build(worker)

    def _build(self, worker: Any) -> None:
        try:
            done = subprocess.run(
                self._upload.build, cwd=self.folder, capture_output=True, text=True, errors="replace", check=False
            )
            said = "" if done.returncode == 0 else f"it exited with {done.returncode}: {done.stdout}{done.stderr}"
        except OSError as error:
            said = f"it can't be started: {error.strerror}"
        if said:
            command = " ".join(self._upload.build)
            raise RuntimeError(f"The build `{command}` failed on the worker {worker.address}: {said.strip()[-_SHOWN:]}")


def place_on(worker: Any, name: str) -> str:
    """The folder on the worker of what has been uploaded by that name."""
    folder: str = worker.plugins[name].folder
    return folder
