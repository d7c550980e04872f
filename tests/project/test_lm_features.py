"""The table of features in docs/SCRIPTED_LM.md is what its probes find, at ours and, where npm is, at aimock."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.lm_features import our_column, their_column
from benchmarks.lm_servers import aimock
from react_tck.fakes.server import LaneServer
from tests.support.node import node_modules

PAGE = (Path(__file__).parents[2] / "docs" / "SCRIPTED_LM.md").read_text(encoding="utf-8")
_, SHOWN = PAGE.split("| | react-tck | aimock ")
ROWS = re.findall(r"^\| (.*?) \| (yes|–) \| (yes|–) \|$", SHOWN, re.MULTILINE)


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


def test_ours_has_what_the_table_says(server: LaneServer, tmp_path: Path) -> None:
    assert our_column(server, tmp_path) == {name: cell == "yes" for name, cell, _ in ROWS}


def test_aimock_has_what_the_table_says(server: LaneServer, tmp_path: Path) -> None:
    with aimock(node_modules()) as peer:
        assert SHOWN.startswith(f"{peer.version} |")
        assert their_column(peer, server, tmp_path) == {name: cell == "yes" for name, _, cell in ROWS}
