"""One episode, driven sync or async: effects are performed in order, their results and exceptions come back."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest

from react_tck.reference.drive import Episode, adrive_episode, drive_episode

Drive = Callable[[Episode[Any]], Any]


def _adrive(episode: Episode[Any]) -> Any:
    return asyncio.run(adrive_episode(episode))


@dataclass
class Say:
    """An effect that gives a value, or raises it."""

    value: Any
    done: list[str] = field(default_factory=list)

    def run(self) -> Any:
        """Blocking."""
        self.done.append("run")
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value

    async def arun(self) -> Any:
        """Awaiting."""
        await asyncio.sleep(0)
        self.done.append("arun")
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value


def _sum(*values: Any) -> Episode[int]:
    total = 0
    for value in values:
        total += yield Say(value)
    return total


def _recovering(error: Exception) -> Episode[str]:
    try:
        yield Say(error)
    except Exception as caught:
        after = yield Say("went on")
        return f"{type(caught).__name__}, {after}"
    return "never raised"


def test_exception_of_an_effect_can_be_caught_by_the_episode(subtests: pytest.Subtests) -> None:
    cases_0: list[Drive] = [drive_episode, _adrive]
    cases_1: list[Exception] = [ValueError("no"), StopAsyncIteration(), KeyError("k")]
    for perform, error in product(cases_0, cases_1):
        with subtests.test(perform=perform, error=error):
            assert perform(_recovering(error)) == f"{type(error).__name__}, went on"


def test_even_the_exception_that_ends_generators_can_be_caught() -> None:
    assert drive_episode(_recovering(StopIteration("not the episode's"))) == "StopIteration, went on"


def test_exception_that_the_episode_does_not_catch_is_the_callers(subtests: pytest.Subtests) -> None:
    cases: list[Drive] = [drive_episode, _adrive]
    for perform in cases:
        with subtests.test(perform=perform), pytest.raises(ValueError, match=r"^no$"):
            perform(_sum(1, ValueError("no"), 3))


@pytest.mark.parametrize(("perform", "how"), [(drive_episode, "run"), (_adrive, "arun")])
def test_effects_are_performed_once_and_as_the_caller_called(perform: Drive, how: str) -> None:
    effect = Say("x")

    def episode() -> Episode[None]:
        yield effect

    perform(episode())
    assert effect.done == [how]
