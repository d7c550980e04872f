"""The step definitions in `react_tck.steps`: which of them match the text of a step."""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from react_tck.steps.definitions import StepDefinition, StepType, definitions_in

DEFAULT_PACKAGE = "react_tck.steps"


@dataclass(frozen=True)
class Located:
    """One `@given`, `@when` or `@then`, and where it stands."""

    definition: StepDefinition
    location: str


@dataclass(frozen=True)
class StepDefinitions:
    """All step definitions of a package; it is the linter's step matcher."""

    definitions: tuple[Located, ...]

    def matching(self, type_: StepType, text: str) -> tuple[str, ...]:
        """Where the definitions stand that match: none is an undefined step, two are ambiguous."""
        return tuple(found.location for found in self.definitions if found.definition.matches(type_, text))


def load_step_definitions(package: str = DEFAULT_PACKAGE) -> StepDefinitions:
    """Import every module of the package and collect what the decorators left in them."""
    found = [definition for module in _modules(package) for definition in definitions_in(module)]
    # A definition imported into a second module is still one definition.
    return StepDefinitions(tuple(Located(each, _location(each)) for each in dict.fromkeys(found)))


def _modules(package: str) -> Iterator[ModuleType]:
    root = importlib.import_module(package)
    yield root
    for module in pkgutil.walk_packages(root.__path__, prefix=f"{package}."):
        yield importlib.import_module(module.name)


def _location(definition: StepDefinition) -> str:
    code = definition.function.__code__
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}"
