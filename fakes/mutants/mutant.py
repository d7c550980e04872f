"""What a mutant is, and how one is declared."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

React = TypeVar("React", bound=type[Any])


@dataclass(frozen=True)
class Mutant:
    """One deliberate violation: its name, the requirement it breaks, and the class that breaks it."""

    name: str
    requirement_id: str
    description: str
    react: type[Any]


MUTANTS: dict[str, Mutant] = {}


def mutant(name: str, requirement_id: str) -> Callable[[React], React]:
    """Declare a subclass of `reference.ReAct` a mutant; its docstring says what is wrong with it.

    Raises:
        ValueError: if the name is taken, or the class doesn't say what is wrong.
    """

    def declare(react: React) -> React:
        if name in MUTANTS:
            raise ValueError(f"there are two mutants named {name!r}")
        if not react.__doc__:
            raise ValueError(f"the mutant {name!r} doesn't say what it does wrong")
        MUTANTS[name] = Mutant(name, requirement_id, react.__doc__.strip(), react)
        return react

    return declare
