"""`react-tck.toml`: what it may say, what is told of mistakes, and that a run does as it says."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from react_tck.cli.arguments import load_config, selection
from react_tck.cli.main import main
from react_tck.subjects.catalogue import close_subject, resolve
from react_tck.subjects.config import Config, ConfigError, parse_config

HARNESSES = Path(__file__).parents[1] / "harnesses"
SUBJECT = '[subject]\ncommand = ["node", "harness.mjs"]\n'


def put(folder: Path, text: str) -> Path:
    file = folder / "react-tck.toml"
    file.write_text(text, encoding="utf-8")
    return file


def python_harness(folder: Path, more: str = "", cwd: str = ".") -> Path:
    """A harness that needs nothing but Python, in a folder with a configuration file of its own."""
    (folder / cwd).mkdir(exist_ok=True)
    shutil.copy(HARNESSES / "plain.py", folder / cwd / "harness.py")
    command = json.dumps([sys.executable, "harness.py"])
    return put(folder, f"[subject]\ncommand = {command}\ncwd = {json.dumps(cwd)}\n{more}")


def test_everything_there_is() -> None:
    text = """
        [subject]
        command = ["go", "run", "."]
        claims = ["udspy", "confirmation"]
        varies = ["created at .*"]
        cwd = "go"
        env = ["JAVA_OPTS", "LEVEL=a=b"]
        [run]
        profile = "all"
        [timeouts]
        initialize = 120
        construct = 1.5
        call = 2
        [choices]
        tool-error = "observe"
        [gate]
        robustness = "major"
    """
    assert parse_config(text) == Config(
        command=("go", "run", "."),
        cwd="go",
        env=("JAVA_OPTS", "LEVEL=a=b"),
        profile="all",
        timeouts={"initialize": 120, "construct": 1.5, "call": 2},
        choices={"tool-error": "observe"},
        robustness="major",
        claims=("udspy", "confirmation"),
        varies=("created at .*",),
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", '[subject] needs a command, such as command = ["node", "harness.mjs"].'),
        ("[subject]\ncommand = [", "this is not TOML: "),
        ('[subject]\ncommand = "node harness.mjs"', "[subject] command = 'node harness.mjs'; it is a list of words"),
        ("[subject]\ncommand = []", "[subject] command = []; it is a list of words"),
        ('[subject]\ncommand = ["node", 1]', "[subject] command = ['node', 1]; it is a list of words"),
        ('[subject]\ncomand = ["node"]', "[subject] has no key 'comand'; did you mean 'command'?"),
        (f"{SUBJECT}shell = true", "[subject] has no key 'shell'; there are command, cwd, env, build, claims, varies."),
        (f"{SUBJECT}cwd = 1", "[subject] cwd = 1; it is a text."),
        (f'{SUBJECT}env = "A=1"', "[subject] env = 'A=1'; it is a list of texts, NAME to pass a variable on"),
        (f'{SUBJECT}env = ["A B"]', "[subject] env = ['A B']; it is a list of texts"),
        (f"{SUBJECT}[timeout]\ncall = 1", "there is no table or key 'timeout'; did you mean 'timeouts'?"),
        (
            'command = ["node"]',
            "there is no table or key 'command'; there are subject, run, timeouts, choices, deviations, gate.",
        ),
        ("subject = 1", "subject is a table: write [subject] and its keys below."),
        (f"{SUBJECT}[run]\nprofile = 1", "[run] profile = 1; it is a text."),
        (f"{SUBJECT}[timeouts]\ncall = 0", "[timeouts] call = 0; it is a number of seconds above 0."),
        (f"{SUBJECT}[timeouts]\ncall = true", "[timeouts] call = True; it is a number of seconds above 0."),
        (f'{SUBJECT}[timeouts]\ncall = "1s"', "[timeouts] call = '1s'; it is a number of seconds above 0."),
        (f"{SUBJECT}[timeouts]\ncall = inf", "[timeouts] call = inf; it is a number of seconds above 0."),
        (
            f"{SUBJECT}[timeouts]\nsleep = 1",
            "[timeouts] has no key 'sleep'; there are initialize, construct, call, calls, resume, status, describe, "
            "dump, load, parse.",
        ),
        (
            f'{SUBJECT}[gate]\nrobustness = "grave"',
            '[gate] robustness = \'grave\'; it is one of "critical", "major", "minor", "off".',
        ),
        (f"{SUBJECT}[gate]\nrobustness = []", "[gate] robustness = []; it is one of "),
        (
            f'{SUBJECT}claims = ["react"]',
            '[subject] claims = [\'react\']; it is a list of "react-module", "conversation", "transcript", ',
        ),
        (f"{SUBJECT}claims = []", "[subject] claims = []; it is a list of "),
        (f'{SUBJECT}claims = "udspy"', "[subject] claims = 'udspy'; it is a list of "),
        (f'{SUBJECT}varies = "at .*"', "[subject] varies = 'at .*'; it is a list of regular expressions, such as "),
        (f"{SUBJECT}[choices]\ntool-error = 1", "[choices] tool-error = 1; it is a text."),
    ],
)
def test_mistakes_are_told_with_file_and_key(text: str, complaint: str) -> None:
    with pytest.raises(ConfigError) as told:
        parse_config(text, "there/react-tck.toml")

    assert str(told.value).startswith(f"there/react-tck.toml: {complaint}")


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ('[choices]\ntool-eror = "observe"', "[choices] there is no choice 'tool-eror'; there are unknown-tool, "),
        ('[choices]\ntool-error = "shrug"', "[choices] tool-error = 'shrug'; its variants are 'observe', 'error'."),
        ('[run]\nprofile = "cores"', "[run] profile: there is no profile 'cores'; there are core, "),
    ],
)
def test_names_are_the_registrys(tmp_path: Path, more: str, complaint: str) -> None:
    file = put(tmp_path, SUBJECT + more)

    with pytest.raises(ConfigError) as told:
        load_config(file)

    assert str(told.value).startswith(f"{file}: {complaint}")


def test_the_command_runs_where_the_file_says(tmp_path: Path) -> None:
    subject = resolve(str(python_harness(tmp_path, cwd="inner")))
    try:
        assert subject.initialize().name == "my-react"
    finally:
        close_subject(subject)


def test_a_run_reads_the_file_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    python_harness(tmp_path)
    monkeypatch.chdir(tmp_path)

    assert main(["run", "-k", "ReAct selects and executes a tool"]) == 0
    assert "my-react 0.1.0: nothing failed" in capsys.readouterr().out


@pytest.mark.parametrize(("named", "profile"), [(None, "robustness"), ("core", "core")])
def test_the_profile_is_the_files_unless_one_is_named(named: str | None, profile: str, tmp_path: Path) -> None:
    file = str(put(tmp_path, f'{SUBJECT}[run]\nprofile = "robustness"'))

    assert selection(named, None, None, file).profile == profile


@pytest.mark.parametrize("command", ["run", "check"])
def test_mistakes_are_a_usage_error(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "[subjekt]")
    monkeypatch.chdir(tmp_path)

    assert main([command]) == 2
    told = capsys.readouterr().err
    assert told == "react-tck: react-tck.toml: there is no table or key 'subjekt'; did you mean 'subject'?\n"


@pytest.mark.parametrize("command", ["run", "check"])
def test_without_subject_and_file_there_is_nothing_to_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main([command]) == 2
    assert capsys.readouterr().err.startswith("react-tck: Name one subject, ")


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "nowhere.toml"]) == 2
    assert capsys.readouterr().err == "react-tck: nowhere.toml can't be read: No such file or directory.\n"
