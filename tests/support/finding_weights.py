"""What findings call a requirement: a MUST, a SHOULD, a MAY or a practice, as the registry has it now.

`python -m tests.support.finding_weights` writes it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from react_tck.catalogue.registry import load_registry
from react_tck.model.requirement import Requirement, weight_in_words

DOCS = Path(__file__).parents[2] / "docs"
_ID = r"[A-Z]{3,4}-\d{3}"
#: Ids and the level that they share.
_NAMED = re.compile(rf"(?P<ids>{_ID}(?:, {_ID})*) (?P<level>MUST|SHOULD|MAY)\b")


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


def main() -> None:
    """Write every page."""
    for path in list_documents():
        path.write_text(correct_levels(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
