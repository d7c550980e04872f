"""What can be counted of a tree: its size, its names, its docstrings, its rooms.

`python -m tests.support.house_measures [CHECKOUT…]` prints a column for each checkout, this one by default.
"""

import ast
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import quantiles

from tests.support.house import ROOT

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

    @property
    def lines(self) -> int:
        """The lines of all files that are text."""
        return sum(self._read(path).count("\n") for path in self.files)

    @property
    def product_lines(self) -> int:
        return sum(self._read(path).count("\n") for path in self.product)

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
    def function_lines(self) -> list[int]:
        return sorted((node.end_lineno or node.lineno) - node.lineno + 1 for _, node in self.functions)

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
    def examples(self) -> int:
        """Docstrings that show how to use what they are of."""
        return sum(">>> " in text for _, text in self.docstrings)

    @property
    def rooms(self) -> Counter[Path]:
        """How many modules each folder of the product has on its own level."""
        return Counter(path.parent for path in self.product if path.name != "__init__.py")

    @property
    def subjects_of_commits(self) -> list[int]:
        """The characters of every commit's subject."""
        log = subprocess.run(
            ["git", "log", "--no-merges", "--format=%s"], cwd=self.root, capture_output=True, text=True, check=True
        )
        return sorted(len(line) for line in log.stdout.splitlines())

    def _read(self, path: Path) -> str:
        return (self.root / path).read_text(encoding="utf-8", errors="replace")


def measure(tree: Tree) -> dict[str, str]:
    """The table of the house, a row a measure."""
    largest, modules = tree.rooms.most_common(1)[0]
    return {
        "tracked files": f"{len(tree.files):,}",
        "lines": f"{tree.lines:,}",
        "product's own lines": f"{tree.product_lines:,}",
        "one-word function names": f"{tree.one_word_names:.0%}",
        "one-word private names of several modules": str(len(tree.shared_private_names)),
        "function lines, median / p90": _median_and_p90(tree.function_lines),
        "docstrings of four words or fewer": str(len(tree.short_docstrings)),
        "docstrings with an example": str(tree.examples),
        "most modules on one level": f"{modules} ({largest})",
        "commit subject, median / p90": _median_and_p90(tree.subjects_of_commits),
    }


def _median_and_p90(values: list[int]) -> str:
    tenths = quantiles(values, n=10)
    return f"{tenths[4]:.0f} / {tenths[8]:.0f}"


def main() -> None:
    """Print the table."""
    roots = [Path(word) for word in sys.argv[1:]] or [ROOT]
    columns = [measure(Tree(root)) for root in roots]
    print(f"| | {' | '.join(root.resolve().name for root in roots)} |")
    print(f"|---|{'---|' * len(roots)}")
    for row in columns[0]:
        print(f"| {row} | {' | '.join(column[row] for column in columns)} |")


if __name__ == "__main__":
    main()
