"""How many texts a second our `chat` parser is fuzzed with: made, read, judged and held against itself."""

from collections.abc import Iterator
from time import process_time

from benchmarks.figures import Figure, at_least
from react_tck.fuzz.parser.campaign import ParserCampaign
from react_tck.fuzz.shards import Budget, GivenSubject
from react_tck.subjects.catalogue import resolve

_EXAMPLES = 5000
_RATE = at_least("texts of the chat parser fuzzed, a second of the processor", 5000, "a second")
BOUNDS = (_RATE,)


def figures() -> Iterator[Figure]:
    """Measured once: its clock doesn't see the others."""
    yield _RATE.measured(fuzzed_a_second())


def fuzzed_a_second() -> float:
    """Texts in a second of one core, however busy the others are."""
    subject = resolve("reference")
    manifest = subject.initialize().model_copy(update={"dialects": ("chat",)})
    start = process_time()
    ParserCampaign(GivenSubject(subject), Budget(_EXAMPLES), manifest=manifest).find_differences()
    return _EXAMPLES / (process_time() - start)
