"""The sentences that scenarios are written with, as their writers read them: what may stand in each, and an example."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from string import Formatter
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

from pytest_bdd.steps import StepFunctionContext, StepNamePrefix, step_function_context_registry

from react_tck.adapter.declare import Capability
from react_tck.catalogue.features import ScenarioRow, StepInfo, StepType, load_features
from react_tck.collector import import_without_gc
from react_tck.steps.language import Sentence, find_needs

DEFAULT_PACKAGE = "react_tck.steps"


@dataclass(frozen=True, eq=False)
class StepDefinition:
    """One `@given`, `@when`, `@then` or `@step`, as pytest-bdd keeps it."""

    context: StepFunctionContext

    @property
    def sentence(self) -> str:
        """The sentence as it was declared, with the places of its values."""
        return self.context.parser.name

    @property
    def location(self) -> str:
        """The file name and the line of its function, as `name.py:12`."""
        code = self.context.step_func.__code__
        return f"{Path(code.co_filename).name}:{code.co_firstlineno}"

    def matches_step(self, type_: str, text: str) -> bool:
        """Tell whether a step of that type and text is carried out by it."""
        return self.context.type in (None, type_) and self.context.parser.is_matching(text)


@dataclass(frozen=True)
class StepDefinitions:
    """All step definitions of a package; it is the linter's step matcher."""

    definitions: tuple[StepDefinition, ...]

    def find_step(self, type_: str, text: str) -> StepFunctionContext | None:
        """Return what carries out a step of that type and text: the first definition that matches, or None."""
        return next((each.context for each in self.definitions if each.matches_step(type_, text)), None)

    def find_locations(self, type_: StepType, text: str) -> tuple[str, ...]:
        """Return where the definitions stand that match: none is an undefined step, two are ambiguous."""
        return tuple(each.location for each in self.definitions if each.matches_step(type_, text))


@cache
def load_step_definitions(package: str = DEFAULT_PACKAGE) -> StepDefinitions:
    """Import every module of the package and collect what the decorators left in them."""
    # A definition imported into a second module is still one definition.
    found = {id(each): each for module in step_modules(package) for each in find_definitions(module)}
    return StepDefinitions(tuple(map(StepDefinition, found.values())))


@cache
def step_modules(package: str = DEFAULT_PACKAGE) -> tuple[ModuleType, ...]:
    """Return the modules of a package of step definitions, those in its folders too."""
    root = import_module(package)
    return (root, *(import_without_gc(name) for name in modules_of(root)))


def modules_of(package: ModuleType) -> list[str]:
    """Return the names of a package's modules, those in its folders too."""
    return [module.name for module in walk_packages(package.__path__, prefix=f"{package.__name__}.")]


def find_definitions(module: ModuleType) -> Iterator[StepFunctionContext]:
    """Yield what pytest-bdd's decorators left in a module: fixtures, under telling names."""
    for name, fixture in vars(module).items():
        if name.startswith(f"{StepNamePrefix.step_def.value}_"):
            yield step_function_context_registry[inspect.unwrap(fixture)]


def find_first_needs(row: ScenarioRow) -> Iterable[Capability]:
    """Return what a subject has to declare to be asked what the row asks first: else nothing is played."""
    first = next((step for step in row.row.steps if step.type == "then"), None)
    found = load_step_definitions().find_step(first.type, first.text) if first else None
    values = found.parser.parse_arguments(first.text) if found and first else None
    return find_needs(found.step_func, *(values or {}).values()) if found else ()


#: What the library `parse` and regular expressions have signs for.
_BY_SIGN: Mapping[str, str] = {
    **{"w": "A word.", "d": "A whole number."},
    **{r"\w+": "A word.", r"\d+": "A whole number.", r"\{.*\}": "A JSON object."},
}
_NAMED_GROUP = re.compile(r"\(\?P<(?P<name>\w+)>(?P<pattern>[^()]*)\)(?P<optional>\??)")
#: A few words, one of which stands there, perhaps.
_WORDS = re.compile(r"(?P<group>\(\?:)?(?P<words>[^\\\[\](){}.*+?^$]+)(?(group)\)(?P<optional>\?)?)")

#: An example of more characters is one only where there is no shorter.
_LONG = 120


@dataclass(frozen=True)
class ValuePlace:
    """A place in a sentence where a value stands."""

    name: str
    #: What may stand there, in a sentence or two.
    kind: str


@dataclass(frozen=True)
class StepSentence:
    """A sentence of the kit's."""

    #: None for one that may stand anywhere.
    type: StepType | None
    #: With the places of its values in braces.
    text: str
    places: tuple[ValuePlace, ...]
    #: A step of the features that uses it, line by line: its table stands below it.
    example: tuple[str, ...]
    #: What it does, in the words of its function.
    meaning: str
    #: The file and the line of its function.
    location: str

    @property
    def keyword(self) -> str:
        """The keyword that a step with this sentence begins with; all three where any may stand there."""
        return self.type.capitalize() if self.type else "Given, When or Then"

    def contains_word(self, word: str) -> bool:
        """Tell whether the word is in its text, its example or its meaning, in small letters or capitals."""
        return any(word.lower() in text.lower() for text in (self.text, self.meaning, *self.example))


@cache
def load_step_sentences() -> tuple[StepSentence, ...]:
    """Those of Given, When and Then, in this order, then those that may stand anywhere; each in its modules' order."""
    definitions = load_step_definitions()
    order = (*get_args(StepType), None)
    # The core's are the plainest.
    scenarios = sorted(load_features(), key=lambda each: each.profile != "core")
    steps = {(step.type, step.text): step for each in scenarios for row in each.rows for step in row.steps}
    uses: dict[int, list[StepInfo]] = {}
    for step in steps.values():
        uses.setdefault(id(definitions.find_step(step.type, step.text)), []).append(step)
    found = [_read_sentence(each, uses.get(id(each.context), [])) for each in definitions.definitions]
    return tuple(sorted(found, key=lambda each: order.index(each.type)))


def _read_sentence(definition: StepDefinition, uses: list[StepInfo]) -> StepSentence:
    function = definition.context.step_func
    text, places = _describe_sentence(definition, uses)
    return StepSentence(
        type=definition.context.type,
        text=text,
        places=places,
        example=_choose_example(definition, uses),
        meaning=" ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split()),
        location=f"{function.__module__.removeprefix('react_tck.').replace('.', '/')}.py:{_find_line(function)}",
    )


def _find_line(function: Callable[..., object]) -> int:
    return function.__code__.co_firstlineno


def _choose_example(definition: StepDefinition, uses: list[StepInfo]) -> tuple[str, ...]:
    """Return the use in which most of the values stand; of those, the first that is short."""

    def rank(step: StepInfo) -> tuple[int, bool]:
        values = definition.context.parser.parse_arguments(step.text) or {}
        return -sum(1 for value in values.values() if value), len(f"{step.text}{step.table}") > _LONG

    if not uses:
        own = getattr(definition.context.parser, "example", "")
        return (f"{(definition.context.type or 'then').capitalize()} {own}",) if own else ()
    step = min(uses, key=rank)
    return f"{step.type.capitalize()} {step.text}", *(f"  | {' | '.join(row)} |" for row in step.table)


def _describe_sentence(definition: StepDefinition, uses: list[StepInfo]) -> tuple[str, tuple[ValuePlace, ...]]:
    """Return the text with the names of its places, and what may stand in them."""
    parser, types = definition.context.parser, inspect.get_annotations(definition.context.step_func)
    if isinstance(parser, Sentence):
        return _describe_places(parser, types, [parser.parse_arguments(step.text) or {} for step in uses])
    if _NAMED_GROUP.search(parser.name):
        return _describe_pattern(parser.name)
    return parser.name, ()


def _describe_places(
    parser: Sentence, types: Mapping[str, object], values: list[dict[str, Any]]
) -> tuple[str, tuple[ValuePlace, ...]]:
    fields = [(text, name, sign or "") for text, name, sign, _ in Formatter().parse(parser.name)]
    text = "".join(before + ("" if name is None else f"{{{name}}}") for before, name, _ in fields)
    return text, tuple(
        ValuePlace(
            name,
            " ".join(_describe_value(sign, parser.types.get(sign), types.get(name), [each[name] for each in values])),
        )
        for _, name, sign in fields
        if name is not None
    )


def _describe_value(sign: str, read: Callable[[str], Any] | None, type_: object, values: list[object]) -> Iterator[str]:
    """Yield what may stand in a place: what its function reads, or its type leaves; values that features have."""
    if read is not None:
        yield from _list_words(str(vars(read)["pattern"]))
        yield " ".join((inspect.getdoc(read) or "").split())
    elif get_origin(type_) is Literal:
        yield f"{_join_choices(get_args(type_))}."
    else:
        yield _BY_SIGN.get(sign) or _any_text(tuple(dict.fromkeys(map(str, values))))


def _any_text(values: tuple[str, ...]) -> str:
    return f"Any text, such as {_join_choices(values[:3])}." if len(values) > 1 else "Any text."


def _describe_pattern(pattern: str) -> tuple[str, tuple[ValuePlace, ...]]:
    """Return a regular expression as text: `(a|b)` is one of the two, and `?` may be left away."""
    places = [
        ValuePlace(found["name"], _kind_by_pattern(found["pattern"], bool(found["optional"])))
        for found in _NAMED_GROUP.finditer(pattern)
    ]
    text = _NAMED_GROUP.sub(lambda found: f"{{{found['name']}}}", pattern)
    return text.replace("(?:", "(").replace("\\", ""), tuple(places)


def _kind_by_pattern(pattern: str, is_optional: bool) -> str:
    return next(_list_words(f"(?:{pattern})?" if is_optional else pattern), _BY_SIGN.get(pattern, _any_text(())))


def _list_words(pattern: str) -> Iterator[str]:
    """Yield the words that a pattern leaves to choose from, if it is as simple as that."""
    if found := _WORDS.fullmatch(pattern):
        yield f"{_join_choices(found['words'].split('|'), or_nothing=bool(found['optional']))}."


def _join_choices(words: list[str] | tuple[str, ...], or_nothing: bool = False) -> str:
    *others, last = [*(f"`{word.strip()}`" for word in words), *(["nothing"] if or_nothing else [])]
    return f"{', '.join(others)} or {last}" if others else last
