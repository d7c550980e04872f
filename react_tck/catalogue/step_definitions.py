"""The step definitions in `react_tck.steps`: the sentences there are, and which of them the text of a step is."""

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from pytest_bdd.steps import StepFunctionContext, StepNamePrefix, step_function_context_registry

from react_tck.catalogue.features import ScenarioRow, StepType
from react_tck.collector import import_without_gc
from react_tck.model.manifest import Capability
from react_tck.steps.language import find_needs

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
