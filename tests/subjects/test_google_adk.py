"""Google's Agent Development Kit is driven as its users drive it, where its extra is installed."""

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

is_installed = is_importable("google.adk")
needs_it = pytest.mark.skipif(not is_installed, reason="needs the extra 'google-adk'")


@pytest.mark.skipif(is_installed, reason="it is installed")
def test_what_is_not_installed_by_default_says_how_to_install_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "google-adk"]) == Exit.USAGE
    assert "pip install 'react-tck[google-adk]'" in capsys.readouterr().err


@needs_it
def test_it_is_connected() -> None:
    report = report_of("google-adk", Selection(tags="@smoke"))
    assert (exit_status(report), report.subject.version) == (Exit.CONFORMANT, version("google-adk"))


@needs_it
def test_its_library_is_imported_before_the_first_row() -> None:
    said = "import react_tck.subjects.libraries.google_adk, sys; sys.exit('litellm.main' not in sys.modules)"
    assert subprocess.run([sys.executable, "-c", said], check=False).returncode == 0


@needs_it
def test_typed_answers_are_the_json_that_the_request_demands() -> None:
    found = verdicts("google-adk", "The value of an untyped output is a string, whatever it reads like")
    assert set(found.values()) == {Verdict.PASSED}


@needs_it
def test_what_is_found_in_it() -> None:
    found = verdicts("google-adk", "The agent converts or refuses a text that stands for the declared type")
    assert {title for title, verdict in found.items() if verdict is Verdict.FAILED} == set(found)
