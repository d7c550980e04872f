"""Drives an episode, sync or async, from one and the same generator.

An episode yields the effects it wants performed and is sent their results, or thrown their exceptions.
"""

import asyncio
from collections.abc import Coroutine, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from contextvars import copy_context
from threading import local
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")

#: The event loop of the episode that each thread drives, made when something is awaited first.
_DRIVEN = local()


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
    """Perform the episode's effects until it returns; all that they await is awaited in one event loop."""
    with _hold_loop():
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


def run_coroutine(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Return what a coroutine returns, for a caller who can't await it: in the event loop of the episode under way."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        runner: asyncio.Runner | None = getattr(_DRIVEN, "runner", None)
        return runner.get_loop().run_until_complete(coroutine) if runner else asyncio.run(coroutine)
    # Inside a running loop a sync caller can only wait for a loop of another thread.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(copy_context().run, asyncio.run, coroutine).result()


@contextmanager
def _hold_loop() -> Iterator[None]:
    outer = getattr(_DRIVEN, "runner", None)
    with closing(asyncio.Runner()) as _DRIVEN.runner:
        try:
            yield
        finally:
            _DRIVEN.runner = outer


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
