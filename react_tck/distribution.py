"""The kit as somebody else's pip gets it: the release, the address it came from, or a wheel of what runs here.

Installers write down where a package came from (PEP 610). What came from a file or folder of this machine is to be had
nowhere else, so it is packed (PEP 427).
"""

import base64
import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import react_tck

_NAME = "react-tck"
#: What stands beside the code in a checkout and belongs into no distribution.
_LEFT_OUT = ("__pycache__", "*.pyc", "*.md", ".*")
_WHEEL = "Wheel-Version: 1.0\nGenerator: react-tck init\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
#: Of what else the distribution knows of itself.
_INFORMATION = ("METADATA", "entry_points.txt", "licenses/LICENSE")


@dataclass(frozen=True)
class Kit:
    """How to get the kit that runs here."""

    #: What pip is given, in the folder that holds the files.
    requirement: str
    files: dict[str, bytes]


@cache
def kit_for_others() -> Kit:
    """Return the kit that runs here, as others install it."""
    released = f"{_NAME}=={react_tck.__version__}"
    try:
        installed = distribution(_NAME)
    except PackageNotFoundError:
        return Kit(released, {})
    said = installed.read_text("direct_url.json")
    if said is None:
        return Kit(released, {})
    origin = json.loads(said)
    if origin["url"].startswith("file:"):
        name = f"react_tck-{installed.version}-py3-none-any.whl"
        return Kit(f"./{name}", {name: _pack_wheel(installed)})
    if version_control := origin.get("vcs_info"):
        scheme, commit = version_control["vcs"], version_control["commit_id"]
        return Kit(f"{_NAME} @ {scheme}+{origin['url']}@{commit}", {})
    return Kit(f"{_NAME} @ {origin['url']}", {})


@cache
def digest_kit() -> str:
    """Return a digest of what decides about verdicts: requirements, features, code; each commit has its own."""
    whole = hashlib.sha256()
    root = Path(react_tck.__file__).parent
    for path in sorted(_files_below(root)):
        content = path.read_bytes()
        whole.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()


def _pack_wheel(installed: Distribution) -> bytes:
    """Return the package that runs here as a wheel: the same package, the same bytes."""
    information = f"react_tck-{installed.version}.dist-info"
    package = Path(react_tck.__file__).parent
    files = {f"react_tck/{path.relative_to(package).as_posix()}": path.read_bytes() for path in _files_below(package)}
    files |= {
        f"{information}/{name}": text.encode()
        for name in _INFORMATION
        if (text := installed.read_text(name)) is not None
    }
    files[f"{information}/WHEEL"] = _WHEEL.encode()
    record = "".join(f"{name},sha256={_digest_content(content)},{len(content)}\n" for name, content in files.items())
    files[f"{information}/RECORD"] = f"{record}{information}/RECORD,,\n".encode()
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # Of the date that a zip begins with.
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return out.getvalue()


def _files_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if not any(path.match(pattern) for pattern in _LEFT_OUT):
            # True of a linked folder too, which is a real one in the wheel.
            yield from _files_below(path) if path.is_dir() else [path]


def _digest_content(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
