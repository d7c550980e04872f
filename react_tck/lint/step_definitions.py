"""The step definitions in `react_tck.steps`: which of them match the text of a step."""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from react_tck.engine.step_table import StepFunctionContext, find_definitions
from react_tck.suite.features import StepType

DEFAULT_PACKAGE = "react_tck.steps"


@dataclass(frozen=True)
class Located:
    """One `@given`, `@when` or `@then`, and where it stands."""

    definition: StepFunctionContext
    location: str

    @property
    def sentence(self) -> str:
        """The sentence as the step definition has it."""
        return self.definition.parser.name

    def matches(self, type_: StepType, text: str) -> bool:
        """Whether a step of that type and text is carried out by it."""
        return self.definition.type in (None, type_) and self.definition.parser.is_matching(text)


@dataclass(frozen=True)
class StepDefinitions:
    """All step definitions of a package; it is the linter's step matcher."""

    definitions: tuple[Located, ...]

    def matching(self, type_: StepType, text: str) -> tuple[str, ...]:
        """Where the definitions stand that match: none is an undefined step, two are ambiguous."""
        return tuple(found.location for found in self.definitions if found.matches(type_, text))


def load_step_definitions(package: str = DEFAULT_PACKAGE) -> StepDefinitions:
    """Import every module of the package and collect what the decorators left in them."""
    # A definition imported into a second module is still one definition.
    found = {id(each): each for module in _modules(package) for each in find_definitions(module)}
    return StepDefinitions(tuple(Located(each, _location(each)) for each in found.values()))


def _modules(package: str) -> Iterator[ModuleType]:
    root = importlib.import_module(package)
    yield root
    for module in pkgutil.walk_packages(root.__path__, prefix=f"{package}."):
        yield importlib.import_module(module.name)


def _location(definition: StepFunctionContext) -> str:
    code = definition.step_func.__code__
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}"
