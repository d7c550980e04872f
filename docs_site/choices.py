"""The choices that the sources leave open, on one page."""

import inspect
from collections.abc import Iterator

from docs_site.markdown import page, prose
from react_tck.catalogue.registry import load_registry
from react_tck.cli.commands.explain import list_open_requirements
from react_tck.judges.choices.observers import OBSERVERS
from react_tck.model.requirement import Choice


def choice_page() -> str:
    """Each with its question, its variants, and the requirements that leave it open."""
    told = (
        "Where the sources leave a choice, the variant is observed and held against what the subject declares, under "
        "`choices` in its manifest or `[choices]` in `react-tck.toml`. `react-tck check --choices` finds them out."
    )
    return page("Choices", told, *(block for each in load_registry().choices for block in _choice(each)))


def _choice(choice: Choice) -> Iterator[str]:
    observer = OBSERVERS.get(choice.name)
    question = inspect.getdoc(observer) if observer else choice.note
    yield f"## {choice.name}"
    yield prose(question or "")
    yield "\n".join(f"- `{variant}`" for variant in choice.variants)
    if choice.by_dialect:
        yield "It may be another one in each dialect: `first in chat, or last in json`."
    if choice.note and observer:
        yield prose(choice.note)
    if ids := [f"[{each.id}](requirements/{each.id}.md)" for each in list_open_requirements(choice)]:
        yield f"Left open by {', '.join(ids)}."
    yield "Observed in every episode." if observer else "Declared, and not observed."
