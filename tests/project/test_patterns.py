"""A search doesn't begin anew at every character of what a pattern has just read: that takes square time."""

import importlib
import re
from collections.abc import Iterator, Sequence
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from tests.support.house import ROOT, Module, modules_of

#: How a pattern is looked for; `match` and `fullmatch` begin at one place.
SEARCHES = r"search|sub|subn|split|findall|finditer"
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
#: Modules that do something when they are imported, or whose patterns read what the kit itself has written.
LEFT_OUT = (
    "react_tck.features",
    "react_tck.subjects.libraries",
    "react_tck.prove.mutants",
    "react_tck.prove.__main__",
    "react_tck.__main__",
)


def begins_anywhere(items: Sequence[Any]) -> bool:
    """Whether it begins with as many characters as there are, nothing says where, and something has to follow."""
    for number, (code, value) in enumerate(items):
        rest = items[number + 1 :]
        if code is codes.AT or (code in (codes.ASSERT, codes.ASSERT_NOT) and value[0] < 0):
            return code is codes.AT and value is codes.AT_BOUNDARY and reads_hyphens(rest)
        if code is codes.SUBPATTERN:
            return begins_anywhere([*value[3], *rest])
        if code is codes.BRANCH:
            return any(begins_anywhere([*branch, *rest]) for branch in value[1])
        if code in REPEATS and value[1] is codes.MAXREPEAT:
            return bool(rest)
        if code not in REPEATS or value[0]:
            return False
    return False


def reads_hyphens(items: Sequence[Any]) -> bool:
    """Whether the first that is read without end behind a word's border reads on over other borders."""
    endless = (value[2][0] for code, value in items if code in REPEATS and value[1] is codes.MAXREPEAT)
    code, read = next(endless, (None, ()))
    return code is codes.IN and (codes.LITERAL, ord("-")) in read


def parse(pattern: str) -> Sequence[Any]:
    return list(parser.parse(pattern, re.VERBOSE if "\n" in pattern else 0))


def patterns_of(module: Module) -> Iterator[tuple[str, str]]:
    """Patterns that are searched for somewhere in the module, by their names."""
    for name, made in vars(importlib.import_module(module.name)).items():
        if isinstance(made, re.Pattern) and re.search(rf"\b{name}\.(?:{SEARCHES})\(", module.source):
            yield name, made.pattern if isinstance(made.pattern, str) else made.pattern.decode("latin-1")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"\\+u", True),
        (r"(?<!\\)\\+u", False),
        (r"\b[\w-]*key=", True),
        (r"\b\w*error", False),
        (r"a?(?:x|[ab]+)c", True),
        (r"^ *-", False),
        (r"x\d+y", False),
    ],
)
def test_such_a_pattern_is_known(pattern: str, found: bool) -> None:
    assert begins_anywhere(parse(pattern)) is found


def test_no_search_begins_anew_in_what_it_has_read() -> None:
    searched = [
        (module.name, *named)
        for module in modules_of(ROOT)
        if not module.name.startswith(LEFT_OUT)
        for named in patterns_of(module)
    ]
    assert len(searched) > 30
    assert [found for found in searched if begins_anywhere(parse(found[2]))] == []
