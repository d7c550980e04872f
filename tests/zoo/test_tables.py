"""docs/ROBUSTNESS.md lists the kinds of these zoos and their status; `python -m tests.zoo.test_tables` writes it."""

from collections.abc import Iterator
from pathlib import Path

from tests.zoo.hostile_files import FILES
from tests.zoo.interrupts import INTERRUPTS
from tests.zoo.outputs import OUTPUTS

DOCUMENT = Path(__file__).parents[2] / "docs" / "ROBUSTNESS.md"
BEGIN, END = "<!-- files, outputs and interrupts: from tests/zoo -->\n", "<!-- end of tests/zoo -->\n"


def table(heading: str, rows: Iterator[tuple[str, int]]) -> str:
    """The table of one zoo."""
    lines = (f"| {kind} | {status} |\n" for kind, status in rows)
    return f"\n| {heading} | status |\n|---|---|\n{''.join(lines)}"


def tables() -> str:
    """What stands between the marks."""
    return "".join(
        (
            table("a hostile file", ((kind, hostile.status) for kind, hostile in FILES.items())),
            table("an output", ((kind, failing.status) for kind, failing in OUTPUTS.items())),
            table("an interrupt", ((kind, interrupt.expected) for kind, interrupt in INTERRUPTS.items())),
            "\n",
        )
    )


def test_the_document_lists_the_kinds() -> None:
    written = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    assert written == tables()


if __name__ == "__main__":
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    DOCUMENT.write_text(f"{before}{BEGIN}{tables()}{END}{rest.partition(END)[2]}", encoding="utf-8")
