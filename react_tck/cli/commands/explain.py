"""`react-tck explain NAME`: a requirement, a malformed form (`form:prose`) or a choice (`choice:tool-error`)."""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import cast

import click
from click.shell_completion import CompletionItem
from rich.text import Text

from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.kill_matrix import load_kill_matrix
from react_tck.catalogue.registry import load_registry
from react_tck.cli.mistakes import Mistake
from react_tck.fakes.malformed import FORMS, list_samples, requirement_of
from react_tck.judges.choices.observers import OBSERVERS
from react_tck.model.intent import GarbledForm
from react_tck.model.requirement import Choice, Requirement
from react_tck.reports.grounds import describe_grounds, describe_history, describe_weights
from react_tck.reports.printing import terminal

#: Requirements that leave a choice open and don't say its name.
_OPEN: Mapping[str, tuple[str, ...]] = {
    "max-steps-zero": ("LOOP-004",),
    "step-adapter": ("ADP-001", "ADP-002"),
    "clarification-tool": ("CNF-011",),
}


class UnknownName(Mistake):
    """There is no requirement, form or choice of the name."""


def _complete_name(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    named = (f"{kind}:{name}" for kind, (names, _) in _list_kinds().items() for name in names)
    known = [*load_registry().by_id, *named]
    return [CompletionItem(name) for name in known if name.lower().startswith(incomplete.lower())]


@click.command()
@click.argument("name", shell_complete=_complete_name)
def command(name: str) -> int:
    """Show a requirement, a malformed form of a reply, or a choice that the sources leave open.

    \b
    NAME is the requirement's id, such as LOOP-001: its source, scenarios and mutants;
    form:NAME, such as form:fenced: its text in every dialect, and what may be read in it;
    choice:NAME, such as choice:tool-error: its question, variants and requirement.
    Without a NAME, form: and choice: list them all.
    """
    kind, colon, rest = name.partition(":")
    if not colon:
        told = _explain_requirement(_check_name(name.upper(), "requirement", load_registry().by_id))
    elif kind not in _list_kinds():
        raise UnknownName(f"There is nothing called {name!r}: give an id such as LOOP-001, form:NAME or choice:NAME.")
    else:
        names, explain = _list_kinds()[kind]
        told = explain(_check_name(rest.lower(), kind, names)) if rest else (f"{kind}:{each}" for each in names)
    console = terminal()
    for paragraph in told:
        console.print(Text(paragraph))
    return 0


def _list_kinds() -> Mapping[str, tuple[Collection[str], Callable[[str], Iterator[str]]]]:
    return {"form": (FORMS, _explain_form), "choice": (load_registry().choices_by_name, _explain_choice)}


def _check_name(name: str, kind: str, names: Collection[str]) -> str:
    if name in names:
        return name
    near = ", ".join(get_close_matches(name, names, n=3))
    hints = [f"Did you mean {near}?"] if near else []
    if kind != "requirement":
        hints.append(f"There are {', '.join(names)}.")
    elif not near:
        hints.append("`react-tck list --profile all` names them all.")
    raise UnknownName(f"There is no {kind} {name!r}. {' '.join(hints)}")


def _explain_requirement(requirement_id: str) -> Iterator[str]:
    yield from _drop_backticks(_explain_sentence(load_registry().by_id[requirement_id]))
    matrix = load_kill_matrix()
    for scenario in load_features():
        if scenario.requirement_id == requirement_id:
            yield _describe_scenario(scenario, matrix.killed_by(scenario))


def _drop_backticks(paragraphs: Iterable[str]) -> Iterator[str]:
    """Yield our own words, in which backticks mean code; in a scenario and in a reply they mean themselves."""
    return (each.replace("`", "") for each in paragraphs)


def _explain_sentence(requirement: Requirement) -> Iterator[str]:
    told = (requirement.id, *describe_weights(requirement), f"profile {requirement.profile}")
    yield " · ".join((*told, f"since revision {requirement.since}"))
    yield requirement.sentence
    yield from describe_grounds(requirement)
    yield from describe_history(requirement)
    for key in ("note", "pending", "excluded"):
        if said := getattr(requirement, key):
            yield f"{key}: {said}"


def _describe_scenario(scenario: ScenarioInfo, mutants: Sequence[str]) -> str:
    head = f"\n{scenario.title}\n  features/{scenario.profile}/{scenario.path.name}:{scenario.line}"
    sentences = [f"    {step.keyword} {step.text}" for step in scenario.steps]
    rows = [f"      | {' | '.join(row)} |" for table in scenario.examples for row in (table.columns, *table.rows)]
    return "\n".join([head, *sentences, *rows, f"  kills: {', '.join(mutants)}"])


def _explain_form(name: str) -> Iterator[str]:
    yield f"form:{name}, a malformed form of an LM's reply"
    form = cast(GarbledForm, name)
    for meant, requirement_id in (
        ("step", requirement_of(form, "step")),
        ("answer", requirement_of(form, "extraction")),
    ):
        yield f"{meant}: {_describe_requirement(load_registry().by_id[requirement_id])}"
    for sample in list_samples(form):
        read = "may be read as it is meant" if sample.may_be_read else "any reading would be a guess"
        yield f"\n{sample.dialect}, {sample.meant}: {read}"
        yield "\n".join(f"    {line}".rstrip() for line in (sample.text or "(nothing)").split("\n"))


def _explain_choice(name: str) -> Iterator[str]:
    yield from _drop_backticks(_tell_choice(name))


def _tell_choice(name: str) -> Iterator[str]:
    registry = load_registry()
    choice, observer = registry.choices_by_name[name], OBSERVERS.get(name)
    yield f"choice:{name}"
    question = inspect.getdoc(observer) if observer else choice.note
    yield f"question: {question}"
    yield f"variants: {', '.join(choice.variants)}"
    if choice.note and observer:
        yield f"note: {choice.note}"
    yield from (f"left open by {_describe_requirement(requirement)}" for requirement in list_open_requirements(choice))
    if observer:
        yield f"seen in every episode, by {observer.__module__}.{observer.__name__}; see `react-tck check --choices`"
    else:
        yield "declared in the manifest, under `choices`; not observed"


def _describe_requirement(requirement: Requirement) -> str:
    return f"{requirement.label}: {requirement.plain_sentence}"


def list_open_requirements(choice: Choice) -> list[Requirement]:
    """Return the requirements whose sentence or note names the choice."""
    said = f"choice `{choice.name}`"
    return [
        requirement
        for requirement in load_registry().requirements
        if said in f"{requirement.sentence} {requirement.note}" or requirement.id in _OPEN.get(choice.name, ())
    ]
