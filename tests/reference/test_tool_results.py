"""What a tool hands back to be awaited or consumed is so before it is observed (TOOL-006)."""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from typing import Any

import pytest

from react_tck.reference.tools import bind_tool


def generated() -> Iterator[int]:
    """Two numbers."""
    yield from (1, 2)


def iterated() -> Iterator[int]:
    """Two numbers."""
    return iter([1, 2])


async def generated_async() -> AsyncIterator[int]:
    """Two numbers."""
    for number in (1, 2):
        yield number


async def awaited() -> Iterator[int]:
    """Two numbers, once awaited and consumed."""
    return iter([1, 2])


class Promise:
    """Something else that can be awaited."""

    def __await__(self) -> Generator[Any, Any, list[int]]:
        yield from asyncio.sleep(0).__await__()
        return [1, 2]


def promised() -> Promise:
    """Two numbers."""
    return Promise()


def test_the_result_is_a_value(subtests: pytest.Subtests) -> None:
    cases: list[Callable[..., Any]] = [generated, iterated, generated_async, awaited, promised]
    for function in cases:
        with subtests.test(function=function):
            assert bind_tool(function).invoke({}) == [1, 2]
            assert asyncio.run(bind_tool(function).ainvoke({})) == [1, 2]
