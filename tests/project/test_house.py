"""The rules of the house: its floors, one meaning a name, and no room too large to be seen at once."""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from fnmatch import fnmatchcase
from itertools import combinations
from pathlib import Path

from tests.support.house import FLOORS, LINKED_FOLDERS, ROOT, Module, floor_of, imports_of, modules_of
from tests.support.house_measures import Tree

IO_MODULES = {"os", "pathlib", "socket", "subprocess", "time", "random", "datetime", "urllib", "http"}
#: Floors without I/O.
PURE_FLOORS = {2, 3}

#: The part of the reference that is also the oracle: no I/O, and no dspy.
SANS_IO = (
    "react_tck.reference",
    "react_tck.reference.drive",
    "react_tck.reference.loop*",
    "react_tck.reference.parser",
    "react_tck.reference.seams",
)
DSPY_USERS = ("react_tck.reference*", "react_tck.prove.mutants*", "react_tck.subjects*", "react_tck.examples*")
UDSPY_USERS = ("react_tck.subjects*", "react_tck.reference.udspy_objects")
#: Modules that do something when imported: only pytest or `python -m` can do that.
RUN_ON_IMPORT = ("react_tck.features.*", "*.__main__")

#: Hands out the API, and imports a name's module when it is asked for.
FRONT_DOOR = "react_tck"

#: Lines of a module at the most: a thought that needs more is two.
LINES = 400
#: The size of the house: none may grow. A bound is raised by an issue that asks for a capability, never by the change
#: that met it (CONTRIBUTING.md).
BOUNDS = {
    "product, lines": 59_005,
    "product, modules": 381,
    "mutants, lines": 8_850,
    "mutants": 642,
    "tests, lines": 34_683,
    "benchmarks, lines": 800,
    "docs_site, lines": 430,
    "schemas in git, lines": 0,
    "commands": 15,
}

#: The share of functions that may be named with one word.
ONE_WORD_NAMES = 0.2
#: Modules on one level of a room at the most.
ROOM = 20

Rule = Callable[[Module, str], str | None]


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def is_dspy_free(module: Module) -> bool:
    return matches(module.name, SANS_IO) or not matches(module.name, DSPY_USERS)


def is_pure(module: Module) -> bool:
    return matches(module.name, SANS_IO) or floor_of(module.name) in PURE_FLOORS


def not_relative(_: Module, target: str) -> str | None:
    return f"imports {target} relatively" if target.startswith(".") else None


def not_by_folder(_: Module, target: str) -> str | None:
    if target.split(".")[0] not in LINKED_FOLDERS:
        return None
    return f"imports {target}, a second copy of react_tck.{target}"


def not_upwards(module: Module, target: str) -> str | None:
    if module.name == FRONT_DOOR:
        return None
    here, there = floor_of(module.name), floor_of(target)
    if target.split(".")[0] != "react_tck" or (here is not None and there is not None and there <= here):
        return None
    return f"imports {target} (floor {there}) from floor {here}"


def no_io(module: Module, target: str) -> str | None:
    if not is_pure(module) or target.split(".")[0] not in IO_MODULES:
        return None
    return f"imports {target} where there is no I/O"


def no_stray_extra(module: Module, target: str) -> str | None:
    extra = target.split(".")[0]
    allowed = {"dspy": not is_dspy_free(module), "udspy": matches(module.name, UDSPY_USERS)}
    return None if allowed.get(extra, True) else f"imports {target}, which not everybody has installed"


RULES: tuple[Rule, ...] = (not_relative, not_by_folder, not_upwards, no_io, no_stray_extra)


def violations_in(root: Path) -> list[str]:
    return [
        f"{module.path.relative_to(root)}:{line} {complaint}"
        for module in modules_of(root)
        for line, target in imports_of(module.tree)
        for rule in RULES
        if (complaint := rule(module, target))
    ]


def test_every_import_goes_downwards() -> None:
    violations = violations_in(ROOT)

    assert not violations, "\n" + "\n".join(violations)


def test_every_module_stands_on_a_floor() -> None:
    assert [module.name for module in modules_of(ROOT) if floor_of(module.name) is None] == []


def test_every_name_above_means_a_module() -> None:
    names = [module.name for module in modules_of(ROOT)]
    for pattern in (*FLOORS, *SANS_IO):
        assert any(fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern}.*") for name in names), pattern


def test_core_imports_without_the_extras() -> None:
    free = [module.name for module in modules_of(ROOT) if is_dspy_free(module)]
    names = [name for name in free if not matches(name, RUN_ON_IMPORT)]
    program = (
        "import importlib, sys\n"
        "sys.modules.update(dict.fromkeys(['dspy', 'udspy']))\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, *names], cwd=ROOT, capture_output=True, text=True)

    assert run.returncode == 0, run.stderr


def packages_that_import_each_other(modules: list[Module]) -> list[tuple[str, str]]:
    """Pairs of packages of which neither is a part of the other."""
    by_name = {module.name: module.package for module in modules}
    imported: defaultdict[str, set[str]] = defaultdict(set)
    for module in modules:
        for _, target in imports_of(module.tree):
            imported[module.package].add(by_name.get(target, ""))
    return [
        (one, other)
        for one, other in combinations(sorted(imported), 2)
        if not f"{other}.".startswith(f"{one}.") and other in imported[one] and one in imported[other]
    ]


def class_names_that_stand_twice(modules: list[Module]) -> set[str]:
    homes: defaultdict[str, set[str]] = defaultdict(set)
    for module in modules:
        for name in module.classes:
            homes[name].add(module.name)
    return {name for name, modules_ in homes.items() if len(modules_) > 1}


def test_no_two_packages_import_each_other() -> None:
    assert packages_that_import_each_other(list(modules_of(ROOT))) == []


def test_a_class_name_has_one_meaning() -> None:
    assert class_names_that_stand_twice(list(modules_of(ROOT))) == set()


def test_a_module_can_be_read_at_once() -> None:
    assert {module.name for module in modules_of(ROOT) if len(module.source.splitlines()) > LINES} == set()


def test_the_house_grows_no_larger() -> None:
    sizes = Tree(ROOT).sizes

    assert {name: sizes[name] for name, bound in BOUNDS.items() if sizes[name] > bound} == {}


def test_a_function_is_named_by_a_verb_and_its_object() -> None:
    tree = Tree(ROOT)
    assert tree.one_word_names < ONE_WORD_NAMES
    assert tree.shared_private_names == {}


def test_a_docstring_says_more_than_the_name() -> None:
    assert Tree(ROOT).short_docstrings == []


def test_a_room_can_be_seen_at_once() -> None:
    assert {room: modules for room, modules in Tree(ROOT).rooms.items() if modules > ROOM} == {}
