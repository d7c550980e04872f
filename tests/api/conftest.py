"""An empty folder with what docs/API.md says in it, to stand in."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.documents import titled_blocks, written

_MODULES = {name.removesuffix(".py") for name in titled_blocks("docs/API.md")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder; what is imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield written(tmp_path, "docs/API.md")
    for name in (*_MODULES, "mine", "mine_settings"):
        sys.modules.pop(name, None)
