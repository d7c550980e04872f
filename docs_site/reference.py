"""Reference pages: choices, commands, sentences and JSON Schemas, each on one page."""

import importlib
import inspect
from collections.abc import Iterator

import click

from docs_site.markdown import fenced, page, prose, table
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sentences import StepSentence, load_step_sentences
from react_tck.cli.commands.explain import list_open_requirements
from react_tck.cli.main import COMMANDS
from react_tck.judges.choices.observers import OBSERVERS
from react_tck.model.protocol import schema_texts
from react_tck.model.requirement import Choice
from react_tck.results.exit_status import Exit

_WIDTH = 100


def reference_pages() -> dict[str, str]:
    """Return each by its place, and the files that it leads to."""
    schemas = {f"reference/schemas/{name}": text for name, text in schema_texts().items()}
    return {
        "reference/choices.md": _choice_page(),
        "reference/commands.md": _command_page(),
        "reference/sentences.md": _sentence_page(),
        "reference/schemas.md": page(
            "JSON Schemas",
            "They are made of the kit's own types, and lie in its wheel as `react_tck/schemas/`.",
            "\n".join(f"- [`{name}`](schemas/{name})" for name in schema_texts()),
        ),
        **schemas,
    }


def _choice_page() -> str:
    told = (
        "Where the sources leave a choice, the variant is observed and held against what the subject declares, under "
        "`choices` in its manifest or `[choices]` in `react-tck.toml`. `react-tck check --choices` finds them out."
    )
    return page("Choices", told, *(block for each in load_registry().choices for block in _choice(each)))


def _choice(choice: Choice) -> Iterator[str]:
    observer = OBSERVERS.get(choice.name)
    yield f"## {choice.name}"
    yield prose((inspect.getdoc(observer) if observer else choice.note) or "")
    yield "\n".join(f"- `{variant}`" for variant in choice.variants)
    if choice.by_dialect:
        yield "It may be another one in each dialect: `first in chat, or last in json`."
    if choice.note and observer:
        yield prose(choice.note)
    if ids := [f"[{each.id}](requirements/{each.id}.md)" for each in list_open_requirements(choice)]:
        yield f"Left open by {', '.join(ids)}."
    yield "Observed in every episode." if observer else "Declared, and not observed."


def _command_page() -> str:
    """Return what `--help` says of each command, in its order, and the exit statuses."""
    blocks = (block for name in COMMANDS for block in _command(name))
    statuses = table(("status", "name"), ((str(each.value), each.name.lower().replace("_", " ")) for each in Exit))
    return page("Commands", *blocks, "## Exit statuses", statuses)


def _command(name: str) -> Iterator[str]:
    command: click.Command = importlib.import_module(f"react_tck.cli.commands.{name}").command
    context = click.Context(command, info_name=f"react-tck {name}", max_content_width=_WIDTH, terminal_width=_WIDTH)
    yield f"## {name}"
    yield fenced(command.get_help(context).removeprefix("Usage: "), "console")


def _sentence_page() -> str:
    told = (
        "What scenarios are written with, here and in features of your own. A name in braces is the place of a value; "
        "`(a|b)` is one of the two, and what has a `?` behind it may be left away."
    )
    return page("Sentences", told, *(block for each in load_step_sentences() for block in _sentence(each)))


def _sentence(sentence: StepSentence) -> Iterator[str]:
    yield f"## {sentence.keyword}: {prose(sentence.text)}"
    yield prose(sentence.meaning)
    yield "\n".join(f"- `{place.name}`: {prose(place.kind)}" for place in sentence.places)
    yield fenced("\n".join(sentence.example), "gherkin", sentence.location)
