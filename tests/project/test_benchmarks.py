"""What `make bench` prints, and that what couldn't be measured isn't shown as fast."""

from pathlib import Path

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import serve
from benchmarks.__main__ import ROOT, main


@pytest.fixture(autouse=True)
def _commands(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = {"busy": ("-c", "sum(range(3_000_000))"), "broken": ("-c", "print('no such option'); exit(2)")}
    monkeypatch.setattr(benchmarks, "COMMANDS", {**benchmarks.COMMANDS, **commands})


def test_a_command_is_timed_beside_another_checkout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rounds", "1", "--against", str(ROOT), "busy"]) == 0

    name, used, _, _, _, used_ratio, passed, _, _, _, _ = capsys.readouterr().out.splitlines()[-1].split()
    assert name == "busy"
    assert 0.01 < float(used) <= float(passed) + 0.02
    assert 0.2 < float(used_ratio) < 5


def test_a_command_that_comes_to_no_verdict_has_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rounds", "1", "broken"]) == 2

    told = capsys.readouterr()
    assert "broken" not in told.out
    assert "broken: exit status 2\nno such option" in told.err


def test_clients_of_serve_are_answered_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert serve.main(["--clients", "2", "--seconds", "1"]) == 0

    told = capsys.readouterr().out
    assert "2 clients for 1 s: " in told
    assert ", 0 refused" in told
    assert int(told.split()[5]) > 20


def test_a_wrong_name_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--against", str(Path()), "matrx"])
    assert "there is no 'matrx'; there are import," in capsys.readouterr().err
