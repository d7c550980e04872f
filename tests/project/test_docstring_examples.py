"""What docstrings show is what runs: each as a reader types it, with no name but those that it brings itself."""

import ast
import doctest
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.documents import written
from tests.support.house import ROOT
from tests.support.house_measures import Definition, Tree

#: What an example may need that not everybody has installed.
OPTIONAL = ("dspy", "openai", "udspy")
#: There are at least so many.
FEWEST = 15
#: As which a reader's own file would run them.
MODULE = "my_module"


class Shown(NamedTuple):
    """A docstring with an example in it."""

    path: Path
    #: The class or function, or the module.
    name: str
    line: int
    text: str

    @property
    def needs(self) -> tuple[str, ...]:
        """What has to be installed for it: what it imports itself."""
        imported = set(
            re.findall(r"^(?:import|from) (\w+)", "".join(each.source for each in self.examples), re.MULTILINE)
        )
        return tuple(name for name in OPTIONAL if name in imported)

    @property
    def examples(self) -> list[doctest.Example]:
        return doctest.DocTestParser().get_examples(self.text)

    def run_examples(self) -> str:
        """What is said and shouldn't be, and the other way round; nothing if the examples hold."""
        names = {"__name__": MODULE}
        test = doctest.DocTestParser().get_doctest(self.text, names, self.name, str(self.path), self.line)
        told: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=told.append)
        return "".join(told)


@cache
def list_examples() -> tuple[Shown, ...]:
    """Those of the product; mutants and what is not tracked are left out."""
    return tuple(_list_examples())


def _list_examples() -> Iterator[Shown]:
    for path, tree in Tree(ROOT).product.items():
        for node in ast.walk(tree):
            if isinstance(node, Definition) and ">>> " in (text := ast.get_docstring(node) or ""):
                name, line = (path.parent.name, 1) if isinstance(node, ast.Module) else (node.name, node.lineno)
                yield Shown(path, name, line, text)


def test_what_people_meet_first_has_an_example() -> None:
    assert len(list_examples()) >= FEWEST


@pytest.fixture(scope="module")
def _files_of_the_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The modules that docs/API.md has its reader write can be imported."""
    folder = written(tmp_path_factory.mktemp("page"), "docs/API.md")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.syspath_prepend(folder)
        yield
    for file in folder.iterdir():
        sys.modules.pop(file.stem, None)


@pytest.mark.usefixtures("_files_of_the_page")
def test_examples_hold() -> None:
    runnable = [shown for shown in list_examples() if all(map(find_spec, shown.needs))]
    wrong = [f"{shown.path}:{shown.name}: {said}" for shown in runnable if (said := shown.run_examples())]
    assert not wrong, "\n".join(wrong)


def test_what_an_example_needs_is_what_it_imports() -> None:
    assert Shown(Path("one.py"), "ask", 7, ">>> from openai import OpenAI\n>>> import dspy\n>>> import json").needs == (
        "dspy",
        "openai",
    )
