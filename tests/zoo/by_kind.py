"""What is played of a table of attacks: one of each kind in `make test`, all others of it in `make test-all`."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")
#: What a message about a process says of its end, by the kind of supervision that it needs.
_SAID = {
    "hang": ("did not answer", "did not come to an end"),
    "crash": ("exited with", "ended by signal", "still runs", "stopped the process", "ended the process"),
}


def name_supervision(told: str) -> str:
    """Name what is watched for: a hang, a crash, or noise, which is all else that nobody should say or do."""
    return next((kind for kind, words in _SAID.items() if any(each in told for each in words)), "noise")


def split_by_kind(table: Mapping[str, T], kind_of: Callable[[T], str]) -> list[ParameterSet]:
    """Split the names of a table: of each kind the first one, and, for `make test-all`, its others."""
    kinds: dict[str, list[str]] = {}
    for name, attack in table.items():
        kinds.setdefault(kind_of(attack), []).append(name)
    first = [pytest.param(names[:1], id=f"{kind}: {names[0]}") for kind, names in kinds.items()]
    others = {f"{kind}: {len(names) - 1} others": names[1:] for kind, names in kinds.items() if names[1:]}
    return [*first, *(pytest.param(names, id=id_, marks=pytest.mark.all) for id_, names in others.items())]
