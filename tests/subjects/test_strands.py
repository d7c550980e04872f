"""Strands' agent is driven as its users drive it, where its extra is installed."""

from importlib.util import find_spec

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subject_checks import report_of, verdicts

is_installed = find_spec("strands") is not None
needs_it = pytest.mark.skipif(not is_installed, reason="needs the extra 'strands'")


@pytest.mark.skipif(is_installed, reason="it is installed")
def test_what_is_not_installed_by_default_says_how_to_install_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "strands"]) == Exit.USAGE
    assert "pip install 'react-tck[strands]'" in capsys.readouterr().err


@needs_it
def test_it_is_connected() -> None:
    assert exit_status(report_of("strands", Selection(tags="@smoke"))) is Exit.CONFORMANT


@needs_it
def test_typed_answers_are_the_call_of_the_tool_that_it_makes_of_the_model() -> None:
    found = verdicts("strands", "The value of an untyped output is a string, whatever it reads like")
    assert set(found.values()) == {Verdict.PASSED}


@needs_it
def test_what_is_found_in_it() -> None:
    found = verdicts("strands", "A parameter may have any legal name")
    assert {title for title, verdict in found.items() if verdict is Verdict.FAILED} == {
        "A parameter may have any legal name [self]",
    }
