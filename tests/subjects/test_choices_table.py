"""`check --choices --write`: what was seen stands in the file, and everything else is as it was."""

import sys
import tomllib
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli import observed_choices
from react_tck.cli.main import main
from react_tck.subjects.choices_table import with_choices
from react_tck.subjects.config import ConfigError

FOUND = {"tool-error": "observe", "unknown-tool": "error"}
FILE = """\
# Ours.
[subject]
command = ["python3", "harness.py"] # it starts so

[choices] # as we have them
tool-error = "error" # since 2.0
  'cut-off-answer'= 'returned'
# "lm-fault" isn't known yet

# How long it may take.
[timeouts]
call = 5
"""


def test_all_else_stays() -> None:
    expected = FILE.replace('tool-error = "error"', 'tool-error = "observe"').replace(
        "'returned'\n", "'returned'\nunknown-tool = \"error\"\n"
    )
    assert with_choices(FILE, FOUND) == expected
    assert with_choices(expected, FOUND) == expected


@pytest.mark.parametrize("text", ["[run]\nprofile = 'all'", "[run]\nprofile = 'all'\n\n", ""])
def test_a_file_without_choices_gets_the_table(text: str) -> None:
    made = with_choices(text, FOUND)
    assert made.endswith('[choices]\ntool-error = "observe"\nunknown-tool = "error"\n')
    assert tomllib.loads(made) == {**tomllib.loads(text), "choices": FOUND}


@pytest.mark.parametrize(
    "text",
    [
        "choices = {tool-error = 'error'}\n",
        "choices.tool-error = 'error'\n",
        '[choices]\ntool-error = """error"""\n',
        '[choices]\ntool-error = "err\\u006fr"\n',
    ],
)
def test_what_cannot_be_changed_by_the_line_is_refused(text: str) -> None:
    with pytest.raises(
        ConfigError, match=r"^mine\.toml: \[choices\] can't be changed line by line; .*tool-error = \"obs"
    ):
        with_choices(text, FOUND, "mine.toml")


def test_the_command_writes_what_it_saw_and_contradicts_nothing_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    # The rows of robustness show these; those of all profiles take five times as long.
    monkeypatch.setattr(observed_choices, "Selection", lambda profile: Selection("robustness"))
    assert main(["init", "python", str(tmp_path)]) == 0
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "react-tck.toml"
    whole = config.read_text(encoding="utf-8")
    assert tomllib.loads(whole)["choices"] == {}
    config.write_text(f'{whole}tool-error = "error"\n', encoding="utf-8")
    line = len(whole.splitlines()) + 1
    assert main(["check", "--choices"]) == 1
    said = capsys.readouterr().out
    assert "tool-error is declared 'error', but was seen to be 'observe'" in said
    assert f'write in react-tck.toml:{line}: tool-error = "observe"' in said
    assert "fallback                 not seen" in said

    assert main(["check", "--choices", "--write"]) == 0
    said = capsys.readouterr().out
    assert "react-tck.toml is written: " in said
    assert "is declared" not in said
    found = tomllib.loads(config.read_text(encoding="utf-8"))["choices"]
    assert (found["tool-error"], found["repeated-field"]) == ("observe", "last in json")
    assert found.keys().isdisjoint({"fallback", "max-steps-default"})


def test_a_subject_without_a_file_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--choices", "--write", "reference"]) == 2
    assert "and 'reference' has them in its own code: paste what is printed without it." in capsys.readouterr().err
