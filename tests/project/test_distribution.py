"""What `init` tells others to install: the release, the address it came from, or a wheel of what runs here."""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

import react_tck
from react_tck import distribution
from react_tck.distribution import Kit, kit_for_others

RELEASED = f"react-tck=={react_tck.__version__}"
URL = "https://example.org/react-tck"


@dataclass(frozen=True)
class Installed:
    """What Python knows of an installed kit."""

    origin: dict[str, object] | None
    version: str = "7.1"

    def read_text(self, name: str) -> str | None:
        origin = json.dumps(self.origin) if self.origin else None
        return {"direct_url.json": origin, "METADATA": "Name: react-tck\nVersion: 7.1\n"}.get(name)


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    kit_for_others.cache_clear()
    yield
    kit_for_others.cache_clear()


@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        (None, RELEASED),
        ({"url": f"{URL}.whl", "archive_info": {}}, f"react-tck @ {URL}.whl"),
        ({"url": URL, "vcs_info": {"vcs": "git", "commit_id": "12ab"}}, f"react-tck @ git+{URL}@12ab"),
    ],
)
def test_what_came_from_an_index_or_an_address_is_there_for_others(
    origin: dict[str, object] | None, requirement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distribution, "distribution", lambda _: Installed(origin))

    assert kit_for_others() == Kit(requirement, {})


@pytest.mark.parametrize("origin", [{"archive_info": {}}, {"dir_info": {"editable": True}}])
def test_what_came_from_this_machine_is_packed(origin: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution, "distribution", lambda _: Installed({"url": "file:///somewhere", **origin}))
    name = "react_tck-7.1-py3-none-any.whl"

    kit = kit_for_others()
    kit_for_others.cache_clear()

    assert kit.requirement == f"./{name}"
    assert kit == kit_for_others(), "other bytes"
    with ZipFile(io.BytesIO(kit.files[name])) as wheel:
        names = set(wheel.namelist())
        assert {entry.date_time for entry in wheel.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        record = wheel.read("react_tck-7.1.dist-info/RECORD").decode()
    assert {line.split(",")[0] for line in record.splitlines()} == names
    package = Path(react_tck.__file__).parent
    assert {"react_tck/features/requirements.toml", "react_tck/steps/world.py", "react_tck/cli/main.py"} < names
    assert all((package.parent / name).is_file() for name in names if ".dist-info/" not in name)
    assert not any("__pycache__" in name for name in names)
