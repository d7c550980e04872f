"""docs/DROP_IN.md read: a table for each class, a row for each name of the original's or difference in behaviour."""

import re
from dataclasses import dataclass
from typing import Literal, cast, get_args

from tests.support.documents import ROOT

Verdict = Literal["same", "different", "not offered"]


@dataclass(frozen=True)
class Row:
    """What it is about, as it stands there and by the names quoted in it, and how ours has it."""

    what: str
    verdict: Verdict
    why: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names it is about; none, if it is about what the class does."""
        quoted = re.findall(r"`([^`]+)`", self.what)
        return tuple(quoted) if not re.sub(r"`[^`]+`|,", "", self.what).strip() else ()


def rows(ours: str) -> list[Row]:
    """The rows of the table for this class of ours."""
    text = (ROOT / "docs" / "DROP_IN.md").read_text(encoding="utf-8")
    section = text.split(f"\n## `{ours}`", 1)[1].split("\n## ", 1)[0]
    lines = [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [_row(*(cell.strip() for cell in line)) for line in lines[1:]]


def _row(what: str, verdict: str, why: str = "") -> Row:
    assert verdict in get_args(Verdict), f"{what}: {verdict!r} is no verdict"
    return Row(what, cast("Verdict", verdict), why)


def differences(ours: str) -> set[str]:
    """What the class does otherwise on purpose, names aside."""
    return {row.what for row in rows(ours) if row.verdict == "different" and not row.names}
