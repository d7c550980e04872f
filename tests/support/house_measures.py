"""What can be counted of a tree: its sizes, its names, its docstrings, its rooms.

`python -m tests.support.house_measures [CHECKOUT...]` prints a table of sizes, a column a checkout.
"""

import ast
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

#: Where the product is; what it leaves out.
PRODUCT = ("react_tck", "reference", "steps", "fakes")
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module
#: Docstrings with no more words than this say nothing that the name doesn't.
FEW_WORDS = 4


@dataclass(frozen=True)
class Tree:
    """A checkout of the project."""

    root: Path

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """All files that git tracks, relative to the root."""
        named = subprocess.run(["git", "ls-files"], cwd=self.root, capture_output=True, text=True, check=True).stdout
        return tuple(path for path in map(Path, named.splitlines()) if (self.root / path).is_file())

    @cached_property
    def product(self) -> dict[Path, ast.Module]:
        """The product's own modules: mutants are evidence."""
        own = [path for path in self.files if path.parts[0] in PRODUCT and "mutants" not in path.parts]
        return {path: ast.parse(self._read(path)) for path in own if path.suffix == ".py"}

    @cached_property
    def functions(self) -> tuple[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef], ...]:
        """Every function and method of the product, but those that Python names."""
        found = ((path, node) for path, tree in self.product.items() for node in ast.walk(tree))
        return tuple(
            (path, node)
            for path, node in found
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("__")
        )

    @property
    def one_word_names(self) -> float:
        """The share of functions that are named with one word."""
        return sum("_" not in node.name.strip("_") for _, node in self.functions) / len(self.functions)

    @property
    def shared_private_names(self) -> dict[str, int]:
        """One-word names that modules keep to themselves, and how many modules define each: two or more."""
        homes: defaultdict[str, set[Path]] = defaultdict(set)
        for path, node in self.functions:
            if node.name.startswith("_") and "_" not in node.name.strip("_"):
                homes[node.name].add(path)
        return {name: len(paths) for name, paths in sorted(homes.items()) if len(paths) > 1}

    @property
    def docstrings(self) -> Iterator[tuple[Path, str]]:
        for path, tree in self.product.items():
            for node in ast.walk(tree):
                if isinstance(node, Definition) and (text := ast.get_docstring(node)):
                    yield path, text

    @property
    def short_docstrings(self) -> list[str]:
        return [f"{path}: {text}" for path, text in self.docstrings if len(text.split()) <= FEW_WORDS]

    @property
    def rooms(self) -> Counter[Path]:
        """How many modules each folder of the product has on its own level."""
        return Counter(path.parent for path in self.product if path.name != "__init__.py")

    @property
    def sizes(self) -> dict[str, int]:
        """Lines of Python, modules that hold something, and what else there may not be more of."""
        mutants = [path for path in self._list_python("react_tck") if "mutants" in path.parts]
        features = [path for path in self.files if path.suffix == ".feature"]
        return {
            "product, lines": sum(self._count_lines(path) for path in self.product),
            "product, modules": sum(bool(tree.body) for tree in self.product.values()),
            "mutants, lines": sum(self._count_lines(path) for path in mutants),
            "mutants": len(json.loads(self._read(Path("features/mutants.json")))),
            "scenarios": sum(len(re.findall(r"^ *Scenario", self._read(path), re.MULTILINE)) for path in features),
            "tests, lines": sum(self._count_lines(path) for path in self._list_python("tests")),
            "benchmarks, lines": sum(self._count_lines(path) for path in self._list_python("benchmarks")),
            "docs_site, lines": sum(self._count_lines(path) for path in self._list_python("docs_site")),
            "schemas in git, lines": sum(self._count_lines(path) for path in self.files if "schemas" in path.parts),
            "commands": len(list((self.root / "react_tck/cli/commands").glob("[!_]*.py"))),
        }

    def _list_python(self, folder: str) -> list[Path]:
        return [path for path in self.files if path.parts[0] == folder and path.suffix == ".py"]

    def _count_lines(self, path: Path) -> int:
        return len(self._read(path).splitlines())

    def _read(self, path: Path) -> str:
        return (self.root / path).read_text(encoding="utf-8", errors="replace")


def main() -> None:
    """Print the sizes of the checkouts that are named, or of the one here."""
    roots = [Path(word) for word in sys.argv[1:]] or [Path()]
    columns = [Tree(root).sizes for root in roots]
    for name in columns[0]:
        print(f"{name:<22}", *(f"{column[name]:>8,}" for column in columns))


if __name__ == "__main__":
    main()
