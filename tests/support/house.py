"""The house as a test sees it: its floors, its modules, and what they import and define."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from os import walk
from pathlib import Path

ROOT = Path(__file__).parents[2]

FLOORS = {
    f"react_tck.{package}": floor
    for floor, packages in enumerate(
        (
            ("adapter",),
            ("model", "texts"),
            ("dialects",),
            ("reference",),
            ("fakes",),
            ("record", "files", "collector", "distribution"),
            ("judges", "scripts"),
            ("subjects",),
            ("play", "variations"),
            ("steps",),
            ("catalogue",),
            ("results",),
            ("engine",),
            ("processes",),
            ("diagnose", "fuzz", "gate", "unit_tests"),
            ("prove",),
            ("reports",),
            ("api",),
            ("cli", "demo", "examples", "wire", "pytest_plugin", "pytest_steps", "__main__"),
        ),
        start=1,
    )
    for package in packages
}
#: What everybody may import: data, and the version; `react_tck` hands out the API as well, to whoever asks for it.
GROUND = ("react_tck", "react_tck.features")
#: What `init` copies to its users, and what other interpreters run: data, though some of it is Python.
RUN_ELSEWHERE = {"templates"}
LINKED_FOLDERS = {"steps", "fakes", "reference", "features"}


@dataclass(frozen=True)
class Module:
    """A module of the package, by the name it is imported with."""

    name: str
    path: Path

    @cached_property
    def source(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @property
    def package(self) -> str:
        """The package that it is in, or that it is."""
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]

    @property
    def is_empty(self) -> bool:
        """Whether it says no more than what its package is for."""
        return all(isinstance(node, ast.Expr) for node in self.tree.body)

    @property
    def classes(self) -> Iterator[str]:
        return (node.name for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef))


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


def imports_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and target of every import, wherever it stands; a relative one's target keeps its dots."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            target = "." * node.level + (node.module or "")
            names = [f"react_tck.{alias.name}" for alias in node.names]
            # `from react_tck import model` is an import of react_tck.model; the version is just a name.
            inner = [name for name in names if target == "react_tck" and floor_of(name) is not None]
            yield from ((node.lineno, name) for name in inner or [target])
