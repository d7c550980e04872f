"""The step definitions in `react_tck.steps`: which of them match the text of a step."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from react_tck.suite.bdd import StepFunctionContext, definitions_in
from react_tck.suite.features import StepType

DEFAULT_PACKAGE = "react_tck.steps"


@dataclass(frozen=True)
class StepDefinition:
    """One `@given`, `@when` or `@then`, and where it stands."""

    context: StepFunctionContext
    location: str

    def matches(self, type_: StepType, text: str) -> bool:
        """Whether pytest-bdd would choose it for this step."""
        return self.context.type in (None, type_) and self.context.parser.is_matching(text)


@dataclass(frozen=True)
class StepDefinitions:
    """All step definitions of a package; it is the linter's step matcher."""

    definitions: tuple[StepDefinition, ...]

    def matching(self, type_: StepType, text: str) -> tuple[str, ...]:
        """Where the definitions stand that match: none is an undefined step, two are ambiguous."""
        return tuple(found.location for found in self.definitions if found.matches(type_, text))


def load_step_definitions(package: str = DEFAULT_PACKAGE) -> StepDefinitions:
    """Import every module of the package and collect what pytest-bdd's decorators left in them."""
    contexts = [context for module in _modules(package) for context in definitions_in(module)]
    # A definition imported into a second module is still one definition.
    unique = {id(context): context for context in contexts}
    return StepDefinitions(tuple(StepDefinition(context, _location(context)) for context in unique.values()))


def _modules(package: str) -> Iterator[ModuleType]:
    root = importlib.import_module(package)
    yield root
    for module in pkgutil.walk_packages(root.__path__, prefix=f"{package}."):
        yield importlib.import_module(module.name)


def _location(context: StepFunctionContext) -> str:
    code = inspect.unwrap(context.step_func).__code__
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}"
