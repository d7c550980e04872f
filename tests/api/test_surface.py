"""What `import react_tck` gives, frozen: docs/API.md has every name, signature and docstring of it as it is."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import react_tck
from tests.support.api_reference import DOCUMENT, NAMES, document

#: Who only asks for the version, or for help, waits for none of them.
_PROGRAM = "import sys, react_tck; react_tck.__version__; print(*(n for n in sys.modules if n.startswith('react_tck')))"


def test_the_reference_is_what_the_code_says() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run python -m tests.support.api_reference"


def test_every_name_is_on_the_page() -> None:
    assert set(NAMES) == set(react_tck.__all__)
    assert set(react_tck.__all__) <= set(dir(react_tck))


def test_nothing_is_imported_before_it_is_used() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "react_tck\n"


LIBRARIES = Path(react_tck.__file__).parent / "subjects" / "libraries"
#: All but the reference, which is the kit's own; `machina` is built on what `dspy` is.
CONNECTED = (
    "agno",
    "deviations",
    "dspy",
    "google_adk",
    "langchain",
    "langchain_classic",
    "langchain_parts",
    "llama_index",
    "machina",
    "openai_agents",
    "pydantic_ai",
    "smolagents",
    "strands",
    "udspy",
)
CONNECTIONS = tuple(f"react_tck.subjects.libraries.{library}" for library in CONNECTED)


def inner_names(source: str) -> Iterator[str]:
    """What a text uses of the kit beyond the API and what is itself connected by it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.startswith("react_tck."))
        elif isinstance(node, ast.ImportFrom) and (module := node.module or "").startswith("react_tck"):
            yield from (
                f"{module}.{each.name}" for each in node.names if not f"{module}.{each.name}".startswith(CONNECTIONS)
            )
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "react_tck":
            yield from () if node.attr in react_tck.__all__ else (f"react_tck.{node.attr}",)


def test_all_libraries_are_connected_so() -> None:
    there = {path.stem for path in LIBRARIES.iterdir() if not path.stem.startswith("_")}
    assert there == {*CONNECTED, "reference"}


@pytest.mark.parametrize("library", CONNECTED)
def test_subjects_are_connected_by_the_api_alone(library: str) -> None:
    files = [*LIBRARIES.glob(f"{library}.py"), *LIBRARIES.glob(f"{library}/*.py")]
    assert files
    for file in files:
        assert list(inner_names(file.read_text(encoding="utf-8"))) == []


def test_what_is_not_of_the_api_is_found() -> None:
    source = "import react_tck.fakes\nfrom react_tck.fakes.lm import CUT_TEXT\nreact_tck.secret\nreact_tck.Done"
    assert set(inner_names(source)) == {
        "react_tck.fakes",
        "react_tck.fakes.lm.CUT_TEXT",
        "react_tck.secret",
    }
