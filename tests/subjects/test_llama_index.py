"""llama-index's ReAct agent is driven as its users drive it, where its extra is installed."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit, exit_status
from react_tck.subjects.catalogue import is_importable
from tests.support.subject_checks import report_of, verdicts

is_installed = is_importable("llama_index.llms.openai_like")
needs_it = pytest.mark.skipif(not is_installed, reason="needs the extra 'llama-index'")


@pytest.mark.skipif(is_installed, reason="it is installed")
def test_what_is_not_installed_by_default_says_how_to_install_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "llama-index"]) == Exit.USAGE
    assert "pip install 'react-tck[llama-index]'" in capsys.readouterr().err


@needs_it
def test_its_library_is_imported_before_the_first_row() -> None:
    said = "import react_tck.subjects.libraries.llama_index, sys; sys.exit('llama_index.core.agent' not in sys.modules)"
    assert subprocess.run([sys.executable, "-c", said], check=False).returncode == 0


@needs_it
def test_it_is_connected() -> None:
    report = report_of("llama-index", Selection(tags="@smoke"))
    assert (exit_status(report), report.subject.version) == (Exit.CONFORMANT, version("llama-index-core"))


@needs_it
def test_each_call_has_a_client_of_its_own() -> None:
    found = verdicts("llama-index", "A call after a failed one behaves as it would alone")
    assert set(found.values()) == {Verdict.PASSED}


@needs_it
def test_what_is_found_in_it() -> None:
    found = verdicts("llama-index", "The agent runs no tool on an unknown tool name")
    assert {title for title, verdict in found.items() if verdict is Verdict.FAILED} == {
        "The agent runs no tool on an unknown tool name [add search]",
        "The agent runs no tool on an unknown tool name [add(2, 3)]",
    }
