"""One episode, driven sync or async: effects are performed in order, their results and exceptions come back."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from react_tck.reference.drive import Episode, drive_episode


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


def _recovering(error: Exception) -> Episode[str]:
    try:
        yield Say(error)
    except Exception as caught:
        after = yield Say("went on")
        return f"{type(caught).__name__}, {after}"
    return "never raised"


def test_even_the_exception_that_ends_generators_can_be_caught() -> None:
    assert drive_episode(_recovering(StopIteration("not the episode's"))) == "StopIteration, went on"
