"""`react-tck sentences [WORD]`: the sentences of scenarios, what each means and an example of its use."""

import re
from collections.abc import Iterator
from difflib import get_close_matches

import click
from rich.text import Text

from react_tck.catalogue.sentences import StepSentence, load_step_sentences
from react_tck.cli.mistakes import Mistake
from react_tck.reports.printing import terminal


class UnknownWord(Mistake):
    """No sentence has the word."""


@click.command()
@click.argument("word", required=False, default="")
def command(word: str) -> int:
    """List the sentences that scenarios are written with: what each means, what may stand in it, and an example.

    With a WORD, those that have it in their text, meaning or example. In a text, (a|b) is one of the two, and what has
    a ? behind it may be left away.
    """
    sentences = [each for each in load_step_sentences() if each.contains_word(word)]
    if not sentences:
        raise UnknownWord(f"No sentence has {word!r} in it. {_suggest_words(word)}")
    console = terminal()
    for sentence in sentences:
        for line in _format_sentence(sentence):
            console.print(line)
    return 0


def _suggest_words(word: str) -> str:
    known = {each for one in load_step_sentences() for each in re.findall(r"[\w-]+", one.text.lower())}
    near = get_close_matches(word.lower(), sorted(known))
    return f"Did you mean {' or '.join(near)}?" if near else "`react-tck sentences` lists them all."


def _format_sentence(sentence: StepSentence) -> Iterator[Text]:
    yield Text(f"{sentence.keyword} {sentence.text}", style="bold")
    yield Text(f"    {sentence.meaning}")
    yield from (Text(f"    {{{place.name}}}: {place.kind}") for place in sentence.places)
    yield Text("    for example:")
    yield from (Text(f"      {line}") for line in sentence.example)
    yield Text(f"    {sentence.location}", style="dim")
