"""What fails in the kit itself is the kit's: status 5 in every command, and no verdict of what it touched."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from react_tck.cli.commands.serve import _print_introduction
from react_tck.cli.main import main
from react_tck.dialects import field_lists
from react_tck.fakes.journal import KitFault
from react_tck.fakes.server import LaneServer
from react_tck.fakes.server.cued import Sent
from react_tck.fakes.server.secrets import SecretHider
from react_tck.model.lm import Completion, Recording
from tests.support.server_checks import chat_bytes, exchange

ROOT = Path(__file__).parents[2]
PLAIN = ("--", sys.executable, str(ROOT / "tests" / "harnesses" / "plain.py"))


COMMANDS_AT_FAULT = (
    ("run", "-k", "LOOP-005"),
    ("run", "-k", "LOOP-005", "--in-process"),
    ("baseline", "-k", "LOOP-005"),
    ("check",),
    ("fuzz", "--examples", "3", "--target", "loop", "-n", "1"),
)


@pytest.mark.parametrize("words", COMMANDS_AT_FAULT)
def test_what_fails_at_the_door_is_status_5(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(_: str) -> tuple[str, ...]:
        raise ZeroDivisionError("no door divides")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(field_lists, "_split_names", fail)
    monkeypatch.setattr(field_lists, "_read_list", fail)
    field_lists.output_fields.cache_clear()
    assert main([*words, *PLAIN]) == 5
    out, err = capfd.readouterr()
    assert "no door divides" in out + err


def run_apart(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    python = [sys.executable, "-m", "react_tck", *words]
    return subprocess.run(
        python, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), **environment}, capture_output=True, text=True
    )


def write_harness(file: Path, action: str) -> None:
    """Write a good harness that does something before it answers."""
    begun = f"import shutil, sys\nfrom pathlib import Path\nsys.path.insert(0, {str(Path(PLAIN[-1]).parent)!r})\n"
    file.write_text(f"{begun}{action}\nimport plain\nplain.main()\n", encoding="utf-8")


def test_a_run_survives_the_folder_it_stands_in(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    harness = tmp_path / "harness.py"
    write_harness(harness, f"shutil.rmtree({str(here)!r}, ignore_errors=True)")
    run = run_apart(here, "run", "-k", "LOOP-001", "--", sys.executable, str(harness))
    assert (run.returncode, "Traceback" in run.stderr) == (0, False), run.stderr + run.stdout


def test_no_exception_ends_with_the_status_of_a_verdict(tmp_path: Path) -> None:
    broken = tmp_path / "click"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise KeyError('no click')\n", encoding="utf-8")
    run = run_apart(tmp_path, "run", "reference", PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert (run.returncode, "no click" in run.stderr) == (5, True)


CONFIG = """
[subject]
command = [{python!r}, {harness!r}]
[gate]
min_must = 100
"""
FEATURE = """
Feature: f
  @ACME-001 @must
  Scenario: It answers
    Given a ReAct over "question -> answer" with the tool "add"
    And the LM calls "add" with {{"a": 2, "b": 3}}
    And the LM finishes
    And the LM answers {{"answer": "5"}}
    When it is called with {{"question": "2+3"}}
    Then the prediction has {{"answer": "{answer}"}}
"""


@pytest.mark.parametrize(
    "action", ["Path({file!r}).write_text(Path({file!r}).read_text().replace('100', '0'))", "Path({file!r}).unlink()"]
)
def test_a_subject_can_neither_open_nor_lose_its_gate(action: str, tmp_path: Path) -> None:
    file, harness = tmp_path / "react-tck.toml", tmp_path / "harness.py"
    file.write_text(CONFIG.format(python=sys.executable, harness=str(harness)), encoding="utf-8")
    write_harness(harness, action.format(file=str(file)))
    run = run_apart(tmp_path, "run", "-k", "LOOP-001")
    assert (run.returncode, "min_must" in run.stdout) == (1, True), run.stdout + run.stderr


def test_a_subject_changes_no_feature_that_it_is_played_with(tmp_path: Path) -> None:
    file, harness = tmp_path / "own.feature", tmp_path / "harness.py"
    file.write_text(FEATURE.format(answer="6"), encoding="utf-8")
    write_harness(harness, f"Path({str(file)!r}).write_text({FEATURE.format(answer='5')!r})")
    run = run_apart(tmp_path, "run", "--features", str(file), "--", sys.executable, str(harness))
    assert run.returncode == 1, run.stdout + run.stderr


def test_a_limit_of_the_users_own_is_told_of_and_nobody_is_judged(tmp_path: Path) -> None:
    few = f"ulimit -n 40; exec {shlex.join([sys.executable, '-m', 'react_tck', 'run', '-k', 'LOOP-001', *PLAIN])}"
    run = subprocess.run(["bash", "-c", few], cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, "may open 40 files" in run.stderr) == (3, True), run.stdout + run.stderr


ENDS = """
import os
import react_tck

@react_tck.subject("ends", version="1", dialects=["json"], capabilities=["extraction"], default_max_steps=10)
class Ends:
    def build(self, task, tools, lm):
        os._exit(0)
    def call(self, inputs):
        return None
"""


def test_plain_pytest_is_no_success_of_a_subject_that_ends_it(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(ENDS, encoding="utf-8")
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "react_tck.features"]
    run = subprocess.run(
        [sys.executable, *words, "--tck-subject", "python:ends:Ends", "-k", "LOOP-001"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert (run.returncode, "raised SystemExit: os._exit(0)" in run.stdout) == (1, True), run.stdout + run.stderr


def test_what_varies_by_its_own_word_stands_in_the_head(tmp_path: Path) -> None:
    config = CONFIG.format(python=sys.executable, harness=PLAIN[-1]).replace("[gate]", 'varies = [".*"]\n[gate]')
    (tmp_path / "react-tck.toml").write_text(config, encoding="utf-8")
    run = run_apart(tmp_path, "run", "-k", "LOOP-001")
    assert "not compared, as it says itself: .*" in "".join(run.stdout.splitlines()[:3])


@pytest.mark.parametrize(
    "header", [{"x-gateway": "9f8a7b6c5d4e3f2a1b"}, {"authorization": "Basic dTo5ZjhhN2I2YzVkNGUzZjJhMWI="}]
)
def test_a_key_of_a_gateways_own_is_hidden(header: dict[str, str]) -> None:
    sent = Sent("POST", "/chat/completions", b"", headers=tuple(header.items()))
    assert sent.make_hider().hide_in_text("it was 9f8a7b6c5d4e3f2a1b") == "it was ***"


def test_a_token_in_an_address_within_a_text_is_hidden() -> None:
    assert SecretHider().hide_in_text("see http://a/b?token=abcdefgh1&c=d") == "see http://a/b?token=***&c=d"


def test_the_line_to_paste_runs_nothing_of_a_recording(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = "/chat/completions';touch pwned;'$(touch pwned)\x1b[2J\u202e\0"
    exchange = {"method": "POST", "path": path, "request": {}, "status": 200, "content_type": "a/b", "reply": ""}
    _print_introduction("http://127.0.0.1:1/v1", "any", Recording.model_validate({"exchanges": [exchange]}))
    line = next(line for line in capfd.readouterr().out.splitlines() if line.startswith("curl"))
    assert line.isprintable()
    word = shlex.split(line)[1]
    assert unquote(word.removeprefix("http://127.0.0.1:1/v1")) == path
    subprocess.run(["bash", "-c", line.replace("curl", "true", 1)], cwd=tmp_path, check=True)
    assert list(tmp_path.iterdir()) == []


def test_what_fails_at_the_door_of_serve_is_its_status() -> None:
    with LaneServer() as server:
        sent = chat_bytes(server.open_lane(fail_always, {}), headers=["connection: close"])
        assert b"This is a bug of react-tck" in exchange(server.root, sent)
        with pytest.raises(KitFault, match="ZeroDivisionError: no door divides"):
            server.faults.raise_first()


def fail_always(_: object) -> Completion:
    raise ZeroDivisionError("no door divides")
