"""`@given`, `@when` and `@then`: what a sentence is, and the function that does it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from types import FunctionType, ModuleType, NoneType
from typing import Any, Literal, TypeVar, get_args

import parse

StepType = Literal["given", "when", "then"]
#: The rows of a step's table, the head among them.
Table = tuple[tuple[str, ...], ...]
Done = TypeVar("Done", bound=Callable[..., None])

#: What a value may be that nobody can change.
_FIXED = (str, int, float, NoneType)
#: Where a function keeps what its decorators say.
_DEFINITIONS = "__step_definitions__"


@dataclass(frozen=True)
class Sentence:
    """A text with values in it, as `parse` writes their places: `{name:Type}`."""

    text: str
    types: Mapping[str, Callable[[str], Any]]

    @cached_property
    def head(self) -> str:
        """What a text begins with that can be this sentence: there are too many to try each on everything."""
        return re.split(r"\{", self.text, maxsplit=1)[0]

    @cached_property
    def _parser(self) -> parse.Parser:
        return parse.compile(self.text, extra_types=dict(self.types), case_sensitive=True)

    def read(self, text: str) -> Mapping[str, Any] | None:
        """The values in a text, if it is this sentence."""
        if not text.startswith(self.head):
            return None
        try:
            found = self._parser.parse(text)
        except ValueError:
            return None
        return found.named if found else None


@dataclass(frozen=True)
class Pattern:
    """A regular expression, for sentences with parts that may be left out; each group is a value."""

    text: str

    def read(self, text: str) -> Mapping[str, Any] | None:
        """The values in a text, if it is this sentence."""
        found = re.fullmatch(self.text, text)
        return found.groupdict() if found else None


@dataclass(frozen=True)
class Words:
    """A sentence that has no values in it."""

    text: str

    def read(self, text: str) -> Mapping[str, Any] | None:
        """No values, if it is this sentence."""
        return {} if text == self.text else None


@dataclass(frozen=True, eq=False)
class StepDefinition:
    """A sentence, and the function that does what it says."""

    #: None for a sentence that may stand anywhere.
    type: StepType | None
    sentence: Sentence | Pattern | Words
    function: Callable[..., None]

    @cached_property
    def parameters(self) -> frozenset[str]:
        """What the function takes."""
        return frozenset(signature(self.function).parameters)

    def matches(self, type_: StepType, text: str) -> bool:
        """Whether a step of that type and text is done by it."""
        return self.type in (None, type_) and self.sentence.read(text) is not None


@dataclass(frozen=True)
class Found:
    """What does a step, and the values in its text."""

    definition: StepDefinition
    values: Mapping[str, Any]

    def do(self, world: object, table: Table) -> None:
        """Have it done in the world; what the function doesn't take is there for the reader."""
        given = {**self.values, "world": world, **({"datatable": [list(row) for row in table]} if table else {})}
        taken = self.definition.parameters
        self.definition.function(**{name: value for name, value in given.items() if name in taken})


class UndefinedStep(Exception):
    """No definition matches a step."""


class Definitions:
    """The step definitions of some modules, looked up once a sentence, and read once unless its values may change."""

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        every = [definition for module in modules for definition in definitions_in(module)]
        types: tuple[StepType, ...] = get_args(StepType)
        self._of = {type_: [each for each in every if each.type in (None, type_)] for type_ in types}
        self._known: dict[tuple[StepType, str], StepDefinition] = {}
        self._read: dict[tuple[StepType, str], Found] = {}

    def find(self, type_: StepType, text: str) -> Found:
        """What the step is done by. Who is given a list or an object may change it: each time it is another.

        Raises:
            UndefinedStep: if it is nothing that anybody does.
        """
        step = type_, text
        if step in self._read:
            return self._read[step]
        known = self._known.get(step)
        for definition in [known] if known else self._of[type_]:
            values = definition.sentence.read(text)
            if values is not None:
                self._known[step] = definition
                found = Found(definition, values)
                if all(isinstance(value, _FIXED) for value in values.values()):
                    self._read[step] = found
                return found
        raise UndefinedStep(f"no step is defined that matches: {type_.capitalize()} {text}")


def definitions_in(module: ModuleType) -> Iterator[StepDefinition]:
    """What the decorators left in a module, imported functions included."""
    for thing in vars(module).values():
        if isinstance(thing, FunctionType):
            yield from vars(thing).get(_DEFINITIONS, ())


def given(sentence: str | Sentence | Pattern) -> Callable[[Done], Done]:
    """The function arranges what the sentence says."""
    return _defined("given", sentence)


def when(sentence: str | Sentence | Pattern) -> Callable[[Done], Done]:
    """The function does what the sentence says."""
    return _defined("when", sentence)


def then(sentence: str | Sentence | Pattern) -> Callable[[Done], Done]:
    """The function raises unless what the sentence says is so."""
    return _defined("then", sentence)


def anywhere(sentence: str | Sentence | Pattern) -> Callable[[Done], Done]:
    """The sentence may arrange, do and judge."""
    return _defined(None, sentence)


def _defined(type_: StepType | None, sentence: str | Sentence | Pattern) -> Callable[[Done], Done]:
    said = Words(sentence) if isinstance(sentence, str) else sentence

    def decorated(function: Done) -> Done:
        vars(function).setdefault(_DEFINITIONS, []).append(StepDefinition(type_, said, function))
        return function

    return decorated
