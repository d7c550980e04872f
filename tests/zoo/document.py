"""The tables of docs/ROBUSTNESS.md, from the tests' own: `python -m tests.zoo` writes them."""

import re
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from pathlib import Path

from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit
from tests.zoo.attacks import ATTACKS
from tests.zoo.fates import ENDINGS, FATES, STATUS
from tests.zoo.hostile_files import FILES
from tests.zoo.in_process import KINDS
from tests.zoo.interrupts import INTERRUPTS
from tests.zoo.kinds import Kind
from tests.zoo.outputs import OUTPUTS

PATH = Path(__file__).parents[2] / "docs" / "ROBUSTNESS.md"
_EXITS = {Verdict.ERROR: Exit.HARNESS_BROKEN, Verdict.FAILED: Exit.NOT_CONFORMANT, Verdict.PASSED: Exit.CONFORMANT}


def rewrite(text: str) -> str:
    """Make the document's tables anew."""
    for name, make in TABLES.items():
        place = re.compile(rf"(<!-- {name}: .*? -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        text = place.sub(lambda found, make=make: f"{found[1]}{make()}\n{found[2]}", text)  # type: ignore[misc]
    return text


def _subjects() -> str:
    head = ("kind", "what it does", "the scenario", "exit", "what the report tells")
    return _table(head, map(_subject, KINDS))


def _subject(kind: Kind) -> tuple[str, ...]:
    scenario = f"passed; {kind.violates} is violated" if kind.violates else kind.verdict
    return kind.name, kind.does, scenario, str(_EXITS[kind.verdict].value), _code(" ".join(kind.evidence.split()))


def _harnesses() -> str:
    rows = (
        (name, f"{ENDINGS[fate.ending]}; status {STATUS[fate.ending]}", _code(fate.told))
        for name, fate in FATES.items()
    )
    return _table(("a harness that is called", "what becomes of it", "what is told"), rows)


def _attacks() -> str:
    rows = ((name, _reply(door.status), _code(door.told)) for name, door in ATTACKS.items())
    return _table(("what is sent", "what comes back", "what is told"), rows)


def _with_status(heading: str, rows: Mapping[str, int]) -> str:
    return _table((heading, "status"), ((name, str(status)) for name, status in rows.items()))


def _reply(status: int) -> str:
    return f"{status} {HTTPStatus(status).phrase}" if status else "nothing: the connection ends"


def _code(text: str) -> str:
    return f"`{text}`".replace("``", "").replace("|", "\\|") if text else ""


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = tuple(head)
    lines = [names, ("---",) * len(names), *rows]
    return "\n".join(f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines)


TABLES: Mapping[str, Callable[[], str]] = {
    "subjects": _subjects,
    "harnesses": _harnesses,
    "attacks": _attacks,
    "files": lambda: _with_status("a hostile file", {kind: each.status for kind, each in FILES.items()}),
    "outputs": lambda: _with_status("an output", {kind: each.status for kind, each in OUTPUTS.items()}),
    "interrupts": lambda: _with_status("an interrupt", {kind: each.expected for kind, each in INTERRUPTS.items()}),
}
