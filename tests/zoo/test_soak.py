"""The programs of `make soak`, for a moment."""

import pytest

from benchmarks import serve
from tests.zoo import soak


def test_a_harness_that_misbehaves_at_random_costs_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    soak.main(["--rows", "30", "--tags", "@LOOP-001 or @TOOL-003"])
    assert "no verdict, no count and no process was lost" in capsys.readouterr().out


def test_two_hundred_clients_are_all_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert serve.main(["--clients", "200", "--seconds", "2", "--pace", "0.2"]) == 0
    assert ", 0 refused" in capsys.readouterr().out


@pytest.mark.parametrize(("memory", "descriptors", "flat"), [(50, 20, True), (80, 20, False), (50, 40, False)])
def test_what_grows_is_seen(memory: float, descriptors: int, flat: bool) -> None:
    seen = serve.Seen(memory=[50.0, 50.0, 50.0, memory], descriptors=[20, 20, 20, descriptors])
    assert seen.is_flat is flat
