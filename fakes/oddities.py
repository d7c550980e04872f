"""What tools hand back that JSON can't hold: odd values, and what has to be consumed or awaited before it is one."""

import copy
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator, Iterator, Mapping
from typing import Any


class _Odd:
    """A value of a class of nobody's."""

    def __repr__(self) -> str:
        return "<odd>"


_VALUES: Mapping[str, Any] = {"bytes": b"\x00\xff", "object": _Odd(), "set": {1}, "nan": float("nan")}


def _generate_results(results: list[Any]) -> Generator[Any]:
    yield from results


async def _async_generator(results: list[Any]) -> AsyncGenerator[Any]:
    for result in results:
        yield result


async def _return_results(results: list[Any]) -> list[Any]:
    return results


_DEFERRED: Mapping[str, Callable[[list[Any]], Any]] = {
    "generator": _generate_results,
    "iterator": iter,
    "async generator": _async_generator,
    "coroutine": _return_results,
}


def make_oddity(name: str, results: list[Any]) -> tuple[Any, Any]:
    """Return what is handed back, and the value it is or comes to; only what is deferred comes to the results."""
    if name in _DEFERRED:
        return _DEFERRED[name](results), results
    return copy.deepcopy(_VALUES[name]), _VALUES[name]


def settle_result(result: Any) -> Any:
    """Return a tool's result, consumed or awaited if it has to be: behind a wire nobody else can. Nothing waits."""
    if isinstance(result, Coroutine):
        return _await_result(result)
    if isinstance(result, AsyncIterator):
        return list(_drain_results(result))
    return list(result) if isinstance(result, Iterator) else result


def _await_result(coroutine: Coroutine[Any, Any, Any]) -> Any:
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise RuntimeError("a tool of the kit's waits for something")


def _drain_results(results: AsyncIterator[Any]) -> Iterator[Any]:
    while True:
        try:
            yield _await_result(results.__anext__())  # type: ignore[arg-type]
        except StopAsyncIteration:
            return
