"""The floors of the house: a module imports only from its own floor and from those below it."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from os import walk
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

FLOORS = {
    "react_tck.model": 1,
    "react_tck.dialects": 2,
    "react_tck.reference": 3,
    "react_tck.fakes": 4,
    "react_tck.subjects": 5,
    "react_tck.steps": 6,
    "react_tck.runner": 6,
    "react_tck.reports": 7,
    "react_tck.cli": 7,
    "react_tck.pytest_plugin": 7,
    "react_tck.__main__": 7,
}
#: What everybody may import: the version, and data.
GROUND = ("react_tck", "react_tck.features", "react_tck.schemas")
#: What `init` copies to its users, and what other interpreters run: data, though some of it is Python.
RUN_ELSEWHERE = {"templates", "harnesses"}
LINKED_FOLDERS = {"steps", "fakes", "reference", "features"}

IO_MODULES = {"os", "pathlib", "socket", "subprocess", "time", "random", "datetime", "urllib", "http"}
#: Floors without I/O, and the one module there that writes files.
PURE_FLOORS = {1, 2}
WRITES_SCHEMAS = "react_tck.model.schemas"

#: The part of the reference that is also the oracle: no I/O, and no dspy.
SANS_IO = (
    "react_tck.reference",
    "react_tck.reference.drive",
    "react_tck.reference.loop*",
    "react_tck.reference.parser",
    "react_tck.reference.seams",
)
DSPY_USERS = ("react_tck.reference*", "react_tck.fakes.mutants*", "react_tck.subjects*")
UDSPY_USERS = ("react_tck.subjects*",)
#: Modules that do something when imported: only pytest or `python -m` can do that.
RUN_ON_IMPORT = ("react_tck.runner.suite", "react_tck.runner.warm", "*.__main__")


@dataclass(frozen=True)
class Module:
    """A module of the package, by the name it is imported with."""

    name: str
    path: Path

    @property
    def is_dspy_free(self) -> bool:
        return matches(self.name, SANS_IO) or not matches(self.name, DSPY_USERS)

    @property
    def is_pure(self) -> bool:
        if self.name == WRITES_SCHEMAS:
            return False
        return matches(self.name, SANS_IO) or floor_of(self.name) in PURE_FLOORS


Rule = Callable[[Module, str], str | None]


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def floor_of(name: str) -> int | None:
    """The floor of a module: 0 is the ground, None is outside the house."""
    if name in GROUND:
        return 0
    package = ".".join(name.split(".")[:2])
    return 0 if package in GROUND[1:] else FLOORS.get(package)


def modules_of(root: Path) -> Iterator[Module]:
    # rglob follows links to folders or doesn't, depending on Python's version.
    for folder, _, names in walk(root / "react_tck", followlinks=True):
        if RUN_ELSEWHERE & set(Path(folder).parts):
            continue
        for path in (Path(folder, name) for name in sorted(names) if name.endswith(".py")):
            parts = path.relative_to(root).with_suffix("").parts
            yield Module(".".join(parts).removesuffix(".__init__"), path)


def imports_of(source: str) -> Iterator[tuple[int, str]]:
    """Line and target of every import, wherever it stands; a relative one's target keeps its dots."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            target = "." * node.level + (node.module or "")
            names = [f"react_tck.{alias.name}" for alias in node.names]
            # `from react_tck import model` is an import of react_tck.model; the version is just a name.
            inner = [name for name in names if target == "react_tck" and floor_of(name) is not None]
            yield from ((node.lineno, name) for name in inner or [target])


def not_relative(_: Module, target: str) -> str | None:
    return f"imports {target} relatively" if target.startswith(".") else None


def not_by_folder(_: Module, target: str) -> str | None:
    if target.split(".")[0] not in LINKED_FOLDERS:
        return None
    return f"imports {target}, a second copy of react_tck.{target}"


def not_upwards(module: Module, target: str) -> str | None:
    here, there = floor_of(module.name), floor_of(target)
    if target.split(".")[0] != "react_tck" or (here is not None and there is not None and there <= here):
        return None
    return f"imports {target} (floor {there}) from floor {here}"


def no_io(module: Module, target: str) -> str | None:
    if not module.is_pure or target.split(".")[0] not in IO_MODULES:
        return None
    return f"imports {target} where there is no I/O"


def no_stray_extra(module: Module, target: str) -> str | None:
    extra = target.split(".")[0]
    allowed = {"dspy": not module.is_dspy_free, "udspy": matches(module.name, UDSPY_USERS)}
    return None if allowed.get(extra, True) else f"imports {target}, which not everybody has installed"


RULES: tuple[Rule, ...] = (not_relative, not_by_folder, not_upwards, no_io, no_stray_extra)


def violations_in(root: Path) -> list[str]:
    return [
        f"{module.path.relative_to(root)}:{line} {complaint}"
        for module in modules_of(root)
        for line, target in imports_of(module.path.read_text(encoding="utf-8"))
        for rule in RULES
        if (complaint := rule(module, target))
    ]


def test_every_import_goes_downwards() -> None:
    violations = violations_in(ROOT)

    assert not violations, "\n" + "\n".join(violations)


def test_every_module_stands_on_a_floor() -> None:
    assert [module.name for module in modules_of(ROOT) if floor_of(module.name) is None] == []


@pytest.mark.parametrize("pattern", [*FLOORS, *SANS_IO, WRITES_SCHEMAS])
def test_every_name_above_means_a_module(pattern: str) -> None:
    assert any(matches(module.name, (pattern, f"{pattern}.*")) for module in modules_of(ROOT))


def test_core_imports_without_the_extras() -> None:
    free = [module.name for module in modules_of(ROOT) if module.is_dspy_free]
    names = [name for name in free if not matches(name, RUN_ON_IMPORT)]
    program = (
        "import importlib, sys\n"
        "sys.modules.update(dict.fromkeys(['dspy', 'udspy']))\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, *names], cwd=ROOT, capture_output=True, text=True)

    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize(
    ("path", "source", "complaint"),
    [
        (
            "react_tck/dialects/chat.py",
            "def f():\n    from react_tck.steps.world import World",
            "react_tck/dialects/chat.py:2 imports react_tck.steps.world (floor 6) from floor 2",
        ),
        (
            "react_tck/model/case.py",
            "from react_tck import cli",
            "react_tck/model/case.py:1 imports react_tck.cli (floor 7) from floor 1",
        ),
        (
            "reference/loop.py",
            "import react_tck.fakes.lm",
            "react_tck/reference/loop.py:1 imports react_tck.fakes.lm (floor 4) from floor 3",
        ),
        (
            "react_tck/cellar.py",
            "import react_tck.model",
            "react_tck/cellar.py:1 imports react_tck.model (floor 1) from floor None",
        ),
        (
            "steps/world.py",
            "from . import given",
            "react_tck/steps/world.py:1 imports . relatively",
        ),
        (
            "react_tck/runner/session.py",
            "import fakes.lm",
            "react_tck/runner/session.py:1 imports fakes.lm, a second copy of react_tck.fakes.lm",
        ),
        (
            "react_tck/model/nonce.py",
            "from random import random",
            "react_tck/model/nonce.py:1 imports random where there is no I/O",
        ),
        (
            "reference/loop_state.py",
            "import time",
            "react_tck/reference/loop_state.py:1 imports time where there is no I/O",
        ),
        (
            "reference/loop.py",
            "if x:\n    import dspy",
            "react_tck/reference/loop.py:2 imports dspy, which not everybody has installed",
        ),
        (
            "fakes/lm.py",
            "from dspy.clients import LM",
            "react_tck/fakes/lm.py:1 imports dspy.clients, which not everybody has installed",
        ),
        (
            "fakes/mutants.py",
            "import udspy",
            "react_tck/fakes/mutants.py:1 imports udspy, which not everybody has installed",
        ),
    ],
)
def test_planted_violation_is_found(tmp_path: Path, path: str, source: str, complaint: str) -> None:
    plant(tmp_path, path, source)

    assert violations_in(tmp_path) == [complaint]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("react_tck/cli/main.py", "import os\nfrom react_tck import __version__, runner"),
        ("react_tck/model/schemas.py", "from pathlib import Path\nfrom react_tck.model import case"),
        ("react_tck/runner/session.py", "import react_tck.steps.world\nimport react_tck.features"),
        ("reference/react.py", "import dspy"),
        ("fakes/mutants/loop.py", "import dspy\nimport random"),
        ("react_tck/subjects/udspy.py", "import udspy"),
    ],
)
def test_allowed_import_is_left_alone(tmp_path: Path, path: str, source: str) -> None:
    plant(tmp_path, path, source)

    assert violations_in(tmp_path) == []


def plant(root: Path, path: str, source: str) -> None:
    (root / "react_tck").mkdir()
    for folder in LINKED_FOLDERS:
        (root / folder).mkdir()
        (root / "react_tck" / folder).symlink_to(Path("..", folder))
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text(source, encoding="utf-8")
