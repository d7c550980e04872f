"""Whatever a subject says, each format says it as text, and the same report is the same text."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from react_tck.gate.flakes import MOST
from react_tck.gate.gate import Gate
from react_tck.reports.formats import FORMATS
from react_tck.reports.formats.alerts import format_annotations
from tests.reports.formats.test_sarif import USED
from tests.support.gates import HOSTILE, everything, kit_broken, without_errors

WRITERS: dict[str, Callable[[Gate], str]] = {
    **{f"{name}{ending}": writer for name, endings in FORMATS.items() for ending, writer in endings.items()},
    "annotations": lambda gate: "\n".join(format_annotations(gate)),
}
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", WRITERS)
def test_no_control_character_comes_through(name: str) -> None:
    for gate in (everything(HOSTILE), without_errors(everything(HOSTILE)), kit_broken(everything(), HOSTILE)):
        text = WRITERS[name](gate)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)
        assert text.encode() == WRITERS[name](gate).encode()


def test_it_is_all_the_same_to_readers() -> None:
    gate = everything(HOSTILE)
    cases = [case.get("name") for case in ElementTree.fromstring(WRITERS["junit"](gate).encode()).iter("testcase")]
    assert cases == [
        *("passes", "is new", "is listed", "is flaky", "passes now", "breaks", "lacks"),
        "is open",
    ]
    ElementTree.fromstring(WRITERS["badge.svg"](gate))
    found = json.loads(WRITERS["sarif"](gate))["runs"][0]
    assert "a[/bold]\n]]> <b>" in found["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert USED["required"] == list(json.loads(WRITERS["sarif"](gate)))


def test_no_text_is_a_command_of_the_runner() -> None:
    lines = WRITERS["annotations"](kit_broken(everything(HOSTILE), HOSTILE)).splitlines()
    assert [re.findall(r"::(?:error|warning)", line) for line in lines] == [
        *(["::error", "::error"], ["::error", "::error"], ["::error", "::error"]),
        *(["::warning"], ["::warning", "::error", "::error"]),
    ]
    assert all(re.match(r"::(error|warning) ", line) for line in lines)
    # What the runner makes of a line is text again.
    assert all("%250A::error" in line for line in lines if "::error file" in line)


def test_no_text_is_markup_of_the_summary() -> None:
    text = WRITERS["summary"](without_errors(everything(HOSTILE)))
    assert text.count("```") == 2
    outside = text.partition("```text")[0]
    assert not re.search(r"(?<!\\)<b>|(?<!\\)\[/bold|^# TODO", outside, re.MULTILINE)
    assert len([line for line in text.splitlines() if line.startswith("| LOOP-003 | is flaky |")]) == 1


def test_the_page_tells_every_format_and_when_nothing_is_played_again() -> None:
    page = (ROOT / "docs" / "CI.md").read_text(encoding="utf-8")
    table = page.partition("| format | what it is |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(FORMATS)
    assert f"more than {MOST} rows fail at once" in page
    block = page.partition("```yaml\nscript:")[2].partition("```")[0]
    assert set(re.findall(r"--report (\w+)=", block)) == {"junit"}
