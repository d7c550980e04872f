"""The sentences that scenarios are written with, on one page."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from docs_site.markdown import fenced, page, prose
from react_tck.catalogue.sentences import StepSentence, load_step_sentences


def sentence_page() -> str:
    """Each with its meaning, what may stand in it, and an example, by what it begins with."""
    told = (
        "What scenarios are written with, here and in features of your own. A name in braces is the place of a value; "
        "`(a|b)` is one of the two, and what has a `?` behind it may be left away. "
        "`react-tck list --sentences WORD` finds those with a word."
    )
    parts = groupby(load_step_sentences(), lambda each: each.keyword)
    return page("Sentences", told, *(block for keyword, some in parts for block in _part(keyword, some)))


def _part(keyword: str, sentences: Iterable[StepSentence]) -> Iterator[str]:
    yield f"## {keyword}"
    for sentence in sentences:
        yield from _blocks(sentence)


def _blocks(sentence: StepSentence) -> Iterator[str]:
    yield f"### {prose(sentence.text)}"
    yield prose(sentence.meaning)
    yield "\n".join(f"- `{place.name}`: {prose(place.kind)}" for place in sentence.places)
    yield fenced("\n".join(sentence.example), "gherkin", sentence.location)
