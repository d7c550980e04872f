"""What findings say of requirements, held against the registry and against reports.

`python -m tests.support.finding_weights` writes the levels; with `PAGE=REPORT` it prints how a page of `docs/findings`
differs from a report of the same subject.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from react_tck.catalogue.registry import load_registry
from react_tck.cli.earlier_reports import read_report
from react_tck.model.report import Report, Verdict
from react_tck.model.requirement import Requirement, weight_in_words

DOCS = Path(__file__).parents[2] / "docs"
_ID = r"[A-Z]{3,4}-\d{3}"
#: Ids and the level that they share.
_NAMED = re.compile(rf"(?P<ids>{_ID}(?:, {_ID})*) (?P<level>MUST|SHOULD|MAY)\b")
#: Ids and the level or the severity that they share.
_WEIGHED = re.compile(rf"(?P<ids>{_ID}(?:, {_ID})*) (?P<weight>MUST|SHOULD|MAY|practices?, (?:critical|major|minor))")
#: What the title of the column begins with that makes a table one of findings.
_COLUMN = "words broken"
_QUOTED = re.compile(r'["“]([^"“”]+)["”]')
#: What it begins with where no word of the quote is broken: that is for the kit to mend.
_NONE = "none"
#: A port's failures are expected ones.
_UNMET = (Verdict.FAILED, Verdict.EXPECTED_FAILURE, Verdict.ERROR)


class Finding(NamedTuple):
    """A row of a table of findings."""

    #: Each requirement it is about, and its level or severity in words.
    weights: dict[str, str]
    #: What of the quote is broken, in quotation marks, or what happens to a user.
    words: str


def list_documents() -> list[Path]:
    """The pages of findings."""
    return [DOCS / "FINDINGS.md", *sorted((DOCS / "findings").glob("*.md"))]


def find_wrong_levels(text: str) -> Iterator[str]:
    """Ids beside a level that their requirement hasn't, whatever a subject claims."""
    by_id = load_registry().by_id
    for found in _NAMED.finditer(text):
        for id_ in found["ids"].split(", "):
            if id_ in by_id and found["level"] not in _list_levels(by_id[id_]):
                yield f"{id_} {found['level']}"


def correct_levels(text: str) -> str:
    """The text, each id with its level, or with the severity of its practice."""
    return _NAMED.sub(lambda found: _name_weights(found) if any(find_wrong_levels(found[0])) else found[0], text)


def _name_weights(found: re.Match[str]) -> str:
    by_weight: dict[str, list[str]] = {}
    for id_ in found["ids"].split(", "):
        row = load_registry().by_id.get(id_)
        is_right = row is None or found["level"] in _list_levels(row)
        weight = found["level"] if row is None or is_right else weight_in_words(row.level, row.severity)
        by_weight.setdefault(weight, []).append(id_)
    return "; ".join(f"{', '.join(ids)} {weight}" for weight, ids in by_weight.items())


def _list_levels(row: Requirement) -> set[str | None]:
    return {row.level, row.elsewhere.level if row.elsewhere else None}


def list_findings(text: str) -> Iterator[Finding]:
    """The rows of every table that says which words are broken."""
    column = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells:
            column = None
        elif column is None:
            column = next((at for at, cell in enumerate(cells) if cell.startswith(_COLUMN)), 0)
        elif column and not line.startswith("|-"):
            yield Finding(_read_weights(cells[0]), cells[column])


def find_unsaid_words(text: str) -> Iterator[str]:
    """Ids of which no words are shown that stand in their quote."""
    for weights, words in list_findings(text):
        phrases = _QUOTED.findall(words)
        for id_, weight in weights.items():
            quote = load_registry().by_id[id_].quote or ""
            is_free = words and (weight.startswith("practice") or words.startswith(_NONE))
            if not is_free and not any(phrase in quote for phrase in phrases):
                yield f"{id_} {weight}: {words}"


def find_differences(text: str, report: Report) -> Iterator[str]:
    """What a page lacks of a report, and what it has beyond it; what is blocked may be told of."""
    told = {pair for finding in list_findings(text) for pair in finding.weights.items()}
    unmet, blocked = (_list_weights(report, verdicts) for verdicts in (_UNMET, (Verdict.BLOCKED,)))
    yield from (f"missing: {id_} {weight}" for id_, weight in sorted(unmet - told))
    yield from (f"superfluous: {id_} {weight}" for id_, weight in sorted(told - unmet - blocked))


def _list_weights(report: Report, verdicts: Sequence[Verdict]) -> set[tuple[str, str]]:
    rows = (row for row in report.requirements if row.verdict in verdicts)
    return {(row.id, weight_in_words(row.level, row.severity)) for row in rows}


def _read_weights(cell: str) -> dict[str, str]:
    return {
        id_: found["weight"].replace("practices", "practice")
        for found in _WEIGHED.finditer(cell)
        for id_ in found["ids"].split(", ")
    }


def main(arguments: Sequence[str]) -> int:
    """Write every page, or print how pages differ from reports; 1 if any does."""
    if not arguments:
        for path in list_documents():
            path.write_text(correct_levels(path.read_text(encoding="utf-8")), encoding="utf-8")
    lines = [line for argument in arguments for line in _compare_page(argument)]
    for line in lines:
        print(line)
    return int(bool(lines))


def _compare_page(argument: str) -> Iterator[str]:
    name, _, report = argument.partition("=")
    text = (DOCS / "findings" / f"{name}.md").read_text(encoding="utf-8")
    yield from (f"{name}: {line}" for line in find_differences(text, read_report(Path(report))))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
