"""The chat example of source 000: its options and its commands, on the scripted LM."""

import re
import runpy
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("dspy")

from react_tck.examples.chat import CLASSES, main
from react_tck.reference import STRICT, Policy
from tests.support.documents import written

ROOT = Path(__file__).parents[2]
BOTH = "Weather in London: 12 °C, rain. Weather in Tokyo: 24 °C, humid"


def _answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    main(arguments)
    return capsys.readouterr().out.strip()


def _chat(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lines: list[str], *given: str) -> str:
    said = iter(lines)

    def read(prompt: str) -> str:
        line = next(said, None)
        if line is None:
            raise EOFError
        print(prompt + line)
        return line

    monkeypatch.setattr("builtins.input", read)
    main(given)
    return capsys.readouterr().out


def test_one_query(capsys: pytest.CaptureFixture[str]) -> None:
    for options in ((), ("--async",), ("--max-steps", "3")):
        assert _answer(capsys, "--query", "Check London and Tokyo", *options) == BOTH
    answer = _answer(capsys, "--query", "Check London and Tokyo", "--max-steps", "1")
    assert answer == "Weather in London: 12 °C, rain. I was interrupted; ask me to go on if you like"


def test_broken_reply_is_recovered_from(capsys: pytest.CaptureFixture[str]) -> None:
    for mode, step in product(("malformed-markers", "missing-markers"), "123"):
        broken = ("--debug-fail-mode", mode, "--debug-fail-step", step)
        assert _answer(capsys, "--query", "Check London and Tokyo", *broken) == BOTH


def test_commands(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["/inspect_history", "/trajectory", "/tools", "Which cities are there?", "/trajectory", "/help"]
    out = _chat(capsys, monkeypatch, lines)
    assert "Nothing has been said yet." in out
    assert "Nothing has been done yet." in out
    assert "get_weather: Report the current weather of a city." in out
    assert "tool_name_0: list_weather_cities" in out
    assert "/tools, /inspect_history, /trajectory" in out


@pytest.mark.parametrize("name", CLASSES)
def test_each_class_goes_on_with_what_was_said(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["Check London and Tokyo", "And Paris?", "/trajectory", "/inspect_history"]
    said = _chat(capsys, monkeypatch, lines, "--class", name)
    assert BOTH in said
    assert "observation_0: Weather in Paris: 18 °C, sunny" in said
    assert "Check London and Tokyo" in said.partition("You: /inspect_history")[2]


def test_the_page_shows_how_an_agent_is_called_and_every_choice_of_its_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_path(str(written(tmp_path, "docs/USING.md") / "use_react.py"))
    assert capsys.readouterr().out == "5 5\n"
    text = (ROOT / "docs" / "USING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| .*? \| `?(.*?)`? \| ", text, re.MULTILINE)
    shown, strict = Policy().model_dump(), STRICT.model_dump()
    assert rows == [
        (name, str(value), "" if strict[name] == value else str(strict[name])) for name, value in shown.items()
    ]
