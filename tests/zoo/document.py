"""The tables of docs/ROBUSTNESS.md that the tests' own tables give."""

import re
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from pathlib import Path

from tests.zoo.attacks import ATTACKS
from tests.zoo.count import ATTACKED
from tests.zoo.fates import ENDINGS, FATES, STATUS

PATH = Path(__file__).parents[2] / "docs" / "ROBUSTNESS.md"


def rewritten(text: str) -> str:
    """The document with its generated tables made anew."""
    for name, table in TABLES.items():
        place = re.compile(rf"(<!-- {name}: .*? -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        text = place.sub(lambda found, table=table: f"{found[1]}{table()}\n{found[2]}", text)  # type: ignore[misc]
    return text


def _harnesses() -> str:
    rows = (
        (name, f"{ENDINGS[fate.ending]}; status {STATUS[fate.ending]}", _code(fate.told))
        for name, fate in FATES.items()
    )
    return _table(("a harness that is called", "what becomes of it", "what is told"), rows)


def _attacks() -> str:
    rows = ((name, _reply(door.status), _code(door.told)) for name, door in ATTACKS.items())
    return _table(("what is sent", "what comes back", "what is told"), rows)


def _count() -> str:
    """How many attacks there are, of which each is a test that holds what becomes of it."""
    rows = ((what, f"`{test}`", str(number)) for (what, test), number in ATTACKED.items())
    total = ("together", "", str(sum(ATTACKED.values())))
    return _table(("what is attacked", "by", "attacks"), [*rows, total])


def _reply(status: int) -> str:
    return f"{status} {HTTPStatus(status).phrase}" if status else "nothing: the connection ends"


def _code(text: str) -> str:
    return f"`{text}`".replace("``", "").replace("|", "\\|") if text else ""


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = tuple(head)
    lines = [names, ("---",) * len(names), *rows]
    return "\n".join(f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines)


TABLES: Mapping[str, Callable[[], str]] = {"count": _count, "harnesses": _harnesses, "attacks": _attacks}
