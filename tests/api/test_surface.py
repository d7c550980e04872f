"""What `import react_tck` gives, frozen: docs/API.md has every name, signature and docstring of it as it is."""

import subprocess
import sys

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
