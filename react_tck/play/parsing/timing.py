"""PRS-002: a parser takes time linear in the length of the text.

A text of a shape is doubled until the parser takes long enough to be timed, or the text is long enough. Each time is
the least of several, as nothing makes a parser faster than it is. Over the last eightfold growth a linear parser takes
8 times as long and a quadratic one 64 times; the line is drawn between them. A shape is called worse than linear only
if it is so in each of the last doublings as well, as a text that outgrows a cache makes one jump, and in every one of
several measurements, so that a busy machine doesn't decide.
"""

import gc
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter

from react_tck.dialects.markup import MARKUPS
from react_tck.judges.verdict import Violation
from react_tck.model.lm import Completion
from react_tck.model.protocol import Parsing
from react_tck.play.parsing.properties import Schemas
from react_tck.subjects.api import Parser

_FIRST, _LAST = 256, 2**19
#: Seconds: a text that takes longer is long enough, and one that takes less can't be timed.
_ENOUGH, _MEASURABLE = 0.06, 0.03
#: Time grows with this power of the length: 1 is linear, 2 quadratic. A doubling takes 2 or 4 times as long.
_LINE, _DOUBLING = 1.65, 2.8
_REPEATS, _MEASUREMENTS = 3, 5

Shape = Callable[[int, str, Schemas], str]


def _mark(dialect: str, name: str) -> str:
    return MARKUPS[dialect].opening(name)


def _one_value(size: int, dialect: str, schemas: Schemas) -> str:
    return _mark(dialect, next(iter(schemas))) + "word " * (size // 5)


def _marks(size: int, dialect: str, _: Schemas) -> str:
    mark = _mark(dialect, "other")
    return f"{mark}\n" * (size // len(mark))


def _different_marks(size: int, dialect: str, _: Schemas) -> str:
    markup = MARKUPS[dialect]
    return markup.reply((f"other_{number}", '"x"') for number in range(size // 30))


def _the_same_mark(size: int, dialect: str, schemas: Schemas) -> str:
    markup, name = MARKUPS[dialect], next(iter(schemas))
    return markup.reply((name, '"x"') for _ in range(size // 30))


def _blanks(size: int, dialect: str, schemas: Schemas) -> str:
    return f"{_mark(dialect, next(iter(schemas)))}{' ' * size}x"


def _repeated(piece: str) -> Shape:
    return lambda size, _, __: piece * (size // len(piece))


SHAPES: Mapping[str, Shape] = {
    "one long value": _one_value,
    "many marks": _marks,
    "many fields": _different_marks,
    "one field many times": _the_same_mark,
    "much blank space": _blanks,
    "many line feeds": _repeated("\n"),
    "halves of marks": _repeated("[[ ## <a "),
    "opening brackets": _repeated("["),
    "opening braces": _repeated("{"),
    "open objects": _repeated('{"a":'),
    "open elements": _repeated("<a>"),
    "quotes": _repeated('"'),
    "backslashes": _repeated("\\"),
    "ampersands": _repeated("&amp;&"),
    "digits": _repeated("9"),
    "fences": _repeated("```json\n"),
}


def slower_than_linear(parser: Parser, dialect: str, shape: str, schemas: Schemas) -> Violation | None:
    """What is wrong if the time grows faster than the text, in every measurement."""
    measurements = 1
    times = _measured(parser, dialect, shape, schemas)
    while _is_worse(times) and measurements < _MEASUREMENTS:
        times = _measured(parser, dialect, shape, schemas)
        measurements += 1
    return _told(times, f"{shape} in {dialect}") if _is_worse(times) else None


def _measured(parser: Parser, dialect: str, shape: str, schemas: Schemas) -> dict[int, float]:
    with _uncollected():
        return dict(_times(parser, dialect, SHAPES[shape], schemas))


def _is_worse(times: Mapping[int, float]) -> bool:
    last = max(times)
    if times[last] < _MEASURABLE or last // 8 not in times:
        return False
    doublings = times[last] / times[last // 2], times[last // 2] / times[last // 4]
    return _power(times) >= _LINE and min(doublings) >= _DOUBLING


def _power(times: Mapping[int, float]) -> float:
    last = max(times)
    return math.log(times[last] / times[last // 8]) / math.log(8)


def _told(times: Mapping[int, float], what: str) -> Violation:
    last = max(times)
    return Violation(
        f"the time for {what} grows as the text does, with the power 1 of its length",
        f"with the power {_power(times):.1f}: {times[last // 8] * 1000:.1f} ms for {last // 8} characters, "
        f"{times[last] * 1000:.1f} ms for {last}",
    )


def _times(parser: Parser, dialect: str, shape: Shape, schemas: Schemas) -> Iterator[tuple[int, float]]:
    """Sizes, and the seconds that each takes."""
    size = _FIRST
    while size <= _LAST:
        parsing = Parsing(
            dialect=dialect, reply=Completion(content=shape(size, dialect, schemas)), fields=dict(schemas)
        )
        took = min(_seconds(parser, parsing) for _ in range(_REPEATS))
        yield size, took
        if took > _ENOUGH:
            return
        size *= 2


@contextmanager
def _uncollected() -> Iterator[None]:
    """The garbage of earlier scenarios is not this parser's to wait for."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _seconds(parser: Parser, parsing: Parsing) -> float:
    start = perf_counter()
    parser.parse(parsing)
    return perf_counter() - start
