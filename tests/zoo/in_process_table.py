"""The zoo of Python subjects as a table in docs/ROBUSTNESS.md; `python -m tests.zoo.in_process_table` writes it."""

from pathlib import Path

from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit
from tests.zoo.in_process import KINDS
from tests.zoo.kinds import Kind

FILE = Path(__file__).parents[2] / "docs" / "ROBUSTNESS.md"
_BEGIN, _END = "<!-- python subjects: begin -->\n", "<!-- python subjects: end -->\n"
_STATUS = {Verdict.ERROR: Exit.HARNESS_BROKEN, Verdict.FAILED: Exit.NOT_CONFORMANT, Verdict.PASSED: Exit.CONFORMANT}


def table() -> str:
    """The rows, a kind each."""
    head = "| kind | what it does | the scenario | exit | what the report tells |\n|---|---|---|---|---|\n"
    return head + "".join(map(_row, KINDS))


def _row(kind: Kind) -> str:
    told = " ".join(kind.evidence.split()).replace("|", "\\|")
    shown = f"`{told}`" if told else "–"
    scenario = f"passed; {kind.violates} is violated" if kind.violates else kind.verdict
    return f"| {kind.name} | {kind.does} | {scenario} | {_STATUS[kind.verdict].value} | {shown} |\n"


def with_table(text: str) -> str:
    """The document with the table as it is now."""
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}{table()}{_END}{after}"


if __name__ == "__main__":
    FILE.write_text(with_table(FILE.read_text(encoding="utf-8")), encoding="utf-8")
