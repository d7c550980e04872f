"""The tables of docs/ROBUSTNESS.md, from the tests' own: `python -m tests.zoo` writes them."""

import re
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from pathlib import Path

from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit
from tests.cli.test_own_faults import COMMANDS_AT_FAULT
from tests.project.test_no_square import READERS
from tests.zoo.attacks import ATTACKS
from tests.zoo.fates import ENDINGS, FATES, STATUS
from tests.zoo.harness import TRICKS
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


def _promises() -> str:
    told = (
        ("a run ends with a report, whatever a subject does", "zoo/test_in_process.py", len(KINDS)),
        ("… whatever a harness does; each row has its verdict", "zoo/test_stdio.py", len(FATES)),
        ("… also where it does all of that at random", "zoo/soak.py", sum(TRICKS[name][0] == "call" for name in FATES)),
        ("the kit alone gives the exit status; its own faults are 5", "cli/test_own_faults.py", len(COMMANDS_AT_FAULT)),
        ("a user's mistake in a file is status 2", "zoo/test_hostile_files.py", len(FILES)),
        ("what is told is never lost", "zoo/test_outputs.py", len(OUTPUTS)),
        ("an interrupt leaves nothing running", "zoo/test_interrupts.py", len(INTERRUPTS)),
        ("a door answers everybody", "zoo/test_doors.py", len(ATTACKS)),
        ("twice as much takes about twice as long", "project/test_no_square.py", len(READERS)),
    )
    rows = ((promise, f"`tests/{test}`", str(count)) for promise, test, count in told)
    return _table(("promised", "tested by", "attacks"), rows)


TABLES: Mapping[str, Callable[[], str]] = {
    "promises": _promises,
    "subjects": _subjects,
    "harnesses": _harnesses,
    "attacks": _attacks,
    "files": lambda: _with_status("a hostile file", {kind: each.status for kind, each in FILES.items()}),
    "outputs": lambda: _with_status("an output", {kind: each.status for kind, each in OUTPUTS.items()}),
    "interrupts": lambda: _with_status("an interrupt", {kind: each.expected for kind, each in INTERRUPTS.items()}),
}
