"""docs/DROP_IN.md read: a table for each class, a row for each name of the original's or difference in behaviour."""

import re
from dataclasses import dataclass
from typing import Literal, cast, get_args

from tests.programs.stage import Seen
from tests.support.documents import ROOT

Verdict = Literal["same", "different", "not offered"]


#: Programs that end with an error, with both classes; of any other an error says nothing.
REFUSED = {
    ("ReAct", "one_step_truncated"),
    ("TranscriptReAct", "never_submitted"),
    ("ConversationReAct", "no_step"),
    ("UdspyReAct", "missing_input"),
}


@dataclass(frozen=True)
class Row:
    """What it is about, as it stands there and by the names quoted in it, how ours has it, and what shows it."""

    what: str
    verdict: Verdict
    why: str
    #: The programs that are run with both classes, by their names.
    programs: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names it is about; none, if it is about what the class does."""
        quoted = re.findall(r"`([^`]+)`", self.what)
        return tuple(quoted) if not re.sub(r"`[^`]+`|,", "", self.what).strip() else ()


def rows(ours: str) -> list[Row]:
    """The rows of the table for this class of ours."""
    return [_row(*cells) for cells in read_table("DROP_IN.md", ours)]


def read_table(page: str, ours: str) -> list[list[str]]:
    """The cells of the table that a page of docs/ has for this class of ours, a list a row."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    section = text.split(f"\n## `{ours}`", 1)[1].split("\n## ", 1)[0]
    lines = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line] for line in lines[1:]]


def _row(what: str, verdict: str, why: str = "", programs: str = "") -> Row:
    assert verdict in get_args(Verdict), f"{what}: {verdict!r} is no verdict"
    return Row(what, cast("Verdict", verdict), why, tuple(re.findall(r"`(\w+)`", programs)))


def list_verdicts(ours: str, *, of_grid: bool = False) -> dict[str, Verdict]:
    """What each program shows of the class, by the program's name, or each cell of the grid."""
    shown = {name: row.verdict for row in rows(ours) for name in row.programs}
    contradicted = [name for row in rows(ours) for name in row.programs if shown[name] != row.verdict]
    assert not contradicted, f"docs/DROP_IN.md has two verdicts on {', '.join(contradicted)}"
    return {name: verdict for name, verdict in shown.items() if name.startswith("grid_") == of_grid}


def check_program(ours: str, program: str, theirs: Seen, made: Seen) -> None:
    """Whether what came of a program with each of the two classes is as the program's row has it."""
    if list_verdicts(ours)[program] == "different":
        assert made != theirs, f"docs/DROP_IN.md needn't tell of {program} any more"
    else:
        assert made == theirs
        assert str(theirs.value).endswith("Error") == ((ours, program) in REFUSED), theirs.value
