"""Files that users name: read within bounds, seen to be writable before a long run, written whole or not at all."""

import os
import select
from pathlib import Path

#: Bytes read of a file: no case, script or configuration needs a hundredth of it, and /dev/zero never ends.
LARGEST = 16 * 1024 * 1024
#: Seconds in which something comes out of a pipe that a user names, or nobody writes into it.
_PATIENCE = 5.0
#: Files and folders below a folder that a user names: more are no folder of features.
_MOST = 20_000
#: The mode of a file that only its owner reads.
_PRIVATE = 0o600


class CannotRead(Exception):
    """A file named by the user can't be read; the message says which and why."""


class CannotWrite(Exception):
    """A file named by the user can't be written; the message says which and why."""


def read_file(path: Path) -> str:
    """Return the text in a file.

    Raises:
        CannotRead: if it can't be read, is too large, or isn't UTF-8.
    """
    try:
        if path.is_fifo():
            data = _read_pipe(path)
        else:
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise CannotRead(f"{path} can't be read: {_describe_error(error)}.") from error
    if len(data) > LARGEST:
        raise CannotRead(f"{path} can't be read: it is larger than {LARGEST // 1024 // 1024} MB.")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CannotRead(f"{path} is not UTF-8: {error.reason} at byte {error.start}, in line {line}.") from error


def list_files(folder: Path, pattern: str) -> tuple[Path, ...]:
    """Return the files below a folder whose names fit, in the order of their paths.

    Raises:
        CannotRead: if there is more below it than anybody looks through.
    """
    found: list[Path] = []
    for number, path in enumerate(folder.rglob("*")):
        if number == _MOST:
            raise CannotRead(f"{folder} can't be read: it holds more than {_MOST} files.")
        if path.match(pattern):
            found.append(path)
    return tuple(sorted(found, key=lambda path: path.relative_to(folder).parts))


def _read_pipe(path: Path) -> bytes:
    """Read a pipe to its end; whoever opens one that nobody writes into as a file waits without end."""
    data = bytearray()
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", 0) as pipe:  # noqa: PTH123 - of a descriptor
        while len(data) <= LARGEST:
            if not select.select([pipe], [], [], _PATIENCE)[0]:
                raise TimeoutError(None, f"nothing came out of the pipe for {_PATIENCE:g} seconds")
            if not (piece := pipe.read(LARGEST)):
                break
            data += piece
    return bytes(data)


def write(path: Path, content: str | bytes, *, is_private: bool = False) -> None:
    """Write the bytes, or the text as UTF-8, half a surrogate pair as JSON escapes it; for nobody else if private.

    Raises:
        CannotWrite: if it can't be written; then the file is what it was before.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    try:
        if _is_device(path):
            path.write_bytes(data)
        else:
            _replace_file(_find_target(path), data, _PRIVATE if is_private else None)
    except (OSError, ValueError) as error:
        raise CannotWrite(f"{path} can't be written: {_describe_error(error)}.") from error


def check_writable(path: Path) -> None:
    """See, before anything is done for it, whether the file can be written; nothing is changed.

    Raises:
        CannotWrite: if it can't.
    """
    try:
        if path.is_dir():
            raise CannotWrite(f"{path} can't be written: it is a folder; name a file in it.")
        target = _find_target(path)
        if not target.parent.is_dir():
            raise CannotWrite(f"{path} can't be written: there is no folder {path.parent}.")
        if target.exists() and not os.access(target, os.W_OK):
            raise CannotWrite(f"{path} can't be written: it is write-protected.")
        if not _is_device(path):
            _try_writing(target.parent)
    except (OSError, ValueError) as error:
        raise CannotWrite(f"{path} can't be written: {_describe_error(error)}.") from error


def make_folder(path: Path) -> None:
    """Make the folder, unless it is there, and see whether it takes files.

    Raises:
        CannotWrite: if it can't be made, or doesn't.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        _try_writing(path)
    except (OSError, ValueError) as error:
        raise CannotWrite(f"The folder {path} can't be written to: {_describe_error(error)}.") from error


def _replace_file(target: Path, data: bytes, mode: int | None) -> None:
    part = _name_part_file(target.parent)
    try:
        if mode is not None:
            part.touch(mode)
        part.write_bytes(data)
        if mode is None and target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _try_writing(folder: Path) -> None:
    part = _name_part_file(folder)
    part.touch()
    part.unlink()


def _name_part_file(folder: Path) -> Path:
    """Return the file that is written first; in the same folder, or it couldn't be renamed."""
    return folder / f".react-tck-{os.getpid()}.part"


def _find_target(path: Path) -> Path:
    """Return where a link leads: the file is replaced, not the link."""
    return Path(os.path.realpath(path))


def _is_device(path: Path) -> bool:
    """Tell whether it is there and no file on a disk: a pipe takes the bytes as they come, and can't be replaced."""
    return path.exists() and not path.is_file()


def _describe_error(error: OSError | ValueError) -> str:
    """Tell of a path with a NUL, which is a ValueError."""
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
