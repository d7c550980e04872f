"""Drives an episode, sync or async, from one and the same generator.

An episode yields the effects it wants performed and is sent their results, or thrown their exceptions.
"""

from collections.abc import Generator
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class EpisodeFailed(RuntimeError):
    """The policy says that what happened ends the run with an error."""


class Effect(Protocol):
    """Something only the outside can do: ask an LM, run a tool."""

    def run(self) -> Any:
        """Perform the effect in this thread and give back its result; raises what it raises."""

    async def arun(self) -> Any:
        """Perform the effect without blocking the event loop; result and errors as those of `run`."""


Episode = Generator[Effect, Any, Result]


def drive_episode(episode: Episode[Result]) -> Result:
    """Perform the episode's effects until it returns."""
    try:
        effect = next(episode)
        while True:
            try:
                result = effect.run()
            except Exception as error:
                effect = episode.throw(error)
            else:
                effect = episode.send(result)
    except StopIteration as stop:
        value: Result = stop.value
        return value


async def adrive_episode(episode: Episode[Result]) -> Result:
    """Perform the episode's effects until it returns, without blocking the event loop."""
    try:
        effect = next(episode)
        while True:
            try:
                result = await effect.arun()
            except Exception as error:
                effect = episode.throw(error)
            else:
                effect = episode.send(result)
    except StopIteration as stop:
        value: Result = stop.value
        return value
