"""The classes beside their originals, for a moment: how fast they are is `make bench`'s to say."""

import pytest

pytest.importorskip("dspy_react_machina")
pytest.importorskip("udspy")

from benchmarks import classes


@pytest.mark.all
def test_each_class_and_its_original_come_to_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert classes.main(["--rounds", "1"]) in (0, 1)

    told = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {name: told.count(name) for name in told} == {pairing.ours.__name__: 9 for pairing in classes.PAIRINGS}


def test_a_bound_that_is_not_met_is_told() -> None:
    slow, fast = (classes.Figure("ReAct", "made", taken, 2.0, bound=0.5) for taken in (1.1, 0.9))
    assert (str(slow).endswith(", NOT MET"), str(fast).endswith("= 0.45  at most 0.50")) == (True, True)
