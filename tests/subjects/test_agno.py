"""agno's agent is driven as its users drive it, where its extra is installed."""

from importlib.util import find_spec

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subject_checks import report_of, verdicts

is_installed = find_spec("agno") is not None
needs_it = pytest.mark.skipif(not is_installed, reason="needs the extra 'agno'")


@pytest.mark.skipif(is_installed, reason="it is installed")
def test_what_is_not_installed_by_default_says_how_to_install_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "agno"]) == Exit.USAGE
    assert "pip install 'react-tck[agno]'" in capsys.readouterr().err


@needs_it
def test_its_answer_is_all_that_the_lm_has_said() -> None:
    report = report_of("agno", Selection(tags="@smoke"))
    assert exit_status(report) is Exit.NOT_CONFORMANT
    assert [each.id for each in report.requirements if each.verdict is Verdict.FAILED] == ["SAN-007"]


@needs_it
def test_typed_answers_are_the_json_that_the_request_demands() -> None:
    found = verdicts("agno", "The value of an untyped output is a string, whatever it reads like")
    assert set(found.values()) == {Verdict.PASSED}


@needs_it
def test_what_is_found_in_it() -> None:
    found = verdicts("agno", "The agent runs no tool on JSON args that are no object")
    assert {title for title, verdict in found.items() if verdict is Verdict.FAILED} == {
        "The agent runs no tool on JSON args that are no object [ping, []]",
    }
