"""The words of a run stand on one page, each once."""

import re
from pathlib import Path

from react_tck.model.report import Verdict
from react_tck.model.requirement import SEVERITIES

PAGE = (Path(__file__).parents[2] / "docs" / "VOCABULARY.md").read_text(encoding="utf-8")
WORDS = re.findall(r"^\| ([^|]+?) \| [^|]+ \|$", PAGE, re.MULTILINE)[1:]


def test_a_newcomer_learns_at_most_25_words() -> None:
    assert 0 < len(WORDS) <= 25
    assert len(set(WORDS)) == len(WORDS)


def test_every_verdict_and_severity_of_a_report_is_explained() -> None:
    printed = [verdict.value.replace("_", " ") for verdict in Verdict] + list(SEVERITIES)
    assert [word for word in printed if not re.search(rf"\b{word}\b", PAGE)] == []
