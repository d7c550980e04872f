"""`react-tck list`: the selected scenarios, each under its requirement; or the sentences they are written with."""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import groupby

import click
from rich.text import Text

from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.registry import Registry, load_registry
from react_tck.catalogue.selection import NothingSelected, Selection
from react_tck.catalogue.sentences import StepSentence, load_step_sentences
from react_tck.cli.arguments import selection, selection_options
from react_tck.cli.mistakes import Mistake
from react_tck.reports.printing import terminal


class UnknownWord(Mistake):
    """No sentence has the word."""


@click.command()
@selection_options
@click.option(
    "--sentences",
    "word",
    is_flag=False,
    flag_value="",
    metavar="[WORD]",
    help="list rather the sentences of scenarios; of those that have the word, what each means, and an example",
)
def command(profile: str | None, tags: str | None, title: str | None, word: str | None) -> int:
    """List the selected scenarios under their requirements.

    In the text of a sentence, (a|b) is one of the two, and what has a ? behind it may be left away.
    """
    chosen = selection(profile, tags, title)
    lines: Iterable[Text]
    lines = _list_scenarios(chosen) if word is None else _list_sentences(word) if word else _list_all_sentences()
    console = terminal()
    for line in lines:
        console.print(line)
    return 0


def _list_scenarios(chosen: Selection) -> list[Text]:
    scenarios = [scenario for scenario in load_features() if chosen.includes_scenario(scenario)]
    if not scenarios and not chosen.is_whole_profile:
        raise NothingSelected("No scenario fits the selection.")
    return _format_requirements(load_registry(), scenarios, chosen)


def _format_requirements(registry: Registry, scenarios: list[ScenarioInfo], chosen: Selection) -> list[Text]:
    lines: list[Text] = []
    for requirement in registry.requirements:
        mine = [scenario for scenario in scenarios if scenario.requirement_id == requirement.id]
        whole = chosen.is_whole_profile and chosen.profile in ("all", requirement.profile)
        if not mine and not whole:
            continue
        lines.append(Text(f"{requirement.id} {requirement.weight:<8} {requirement.plain_sentence}", style="bold"))
        lines += [Text(f"    {scenario.title}") for scenario in mine]
        if waiting := requirement.pending or requirement.excluded:
            lines.append(Text(f"    {waiting}", style="dim"))
    return lines


def _list_all_sentences() -> Iterator[Text]:
    """Yield a line a sentence, under the file of its function."""
    for file, sentences in groupby(load_step_sentences(), key=lambda each: each.location.partition(":")[0]):
        yield Text(file, style="dim")
        yield from (Text(f"  {each.keyword} {each.text}") for each in sentences)


def _list_sentences(word: str) -> list[Text]:
    sentences = [each for each in load_step_sentences() if each.contains_word(word)]
    if not sentences:
        raise UnknownWord(f"No sentence has {word!r} in it. {_suggest_words(word)}")
    return [line for sentence in sentences for line in _format_sentence(sentence)]


def _suggest_words(word: str) -> str:
    known = {each for one in load_step_sentences() for each in re.findall(r"[\w-]+", one.text.lower())}
    near = get_close_matches(word.lower(), sorted(known))
    return f"Did you mean {' or '.join(near)}?" if near else "`react-tck list --sentences` lists them all."


def _format_sentence(sentence: StepSentence) -> Iterator[Text]:
    yield Text(f"{sentence.keyword} {sentence.text}", style="bold")
    yield Text(f"    {sentence.meaning}")
    yield from (Text(f"    {{{place.name}}}: {place.kind}") for place in sentence.places)
    yield Text("    for example:")
    yield from (Text(f"      {line}") for line in sentence.example)
    yield Text(f"    {sentence.location}", style="dim")
