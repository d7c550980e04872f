"""OpenAI's Agents SDK is driven as its users drive it, where its extra is installed."""

from importlib.util import find_spec

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subject_checks import report_of, verdicts

is_installed = find_spec("agents") is not None
needs_it = pytest.mark.skipif(not is_installed, reason="needs the extra 'openai-agents'")


@pytest.mark.skipif(is_installed, reason="it is installed")
def test_what_is_not_installed_by_default_says_how_to_install_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "openai-agents"]) == Exit.USAGE
    assert "pip install 'react-tck[openai-agents]'" in capsys.readouterr().err


@needs_it
def test_it_is_connected() -> None:
    assert exit_status(report_of("openai-agents", Selection(tags="@smoke"))) is Exit.CONFORMANT


@needs_it
def test_typed_answers_are_the_json_that_the_request_demands() -> None:
    found = verdicts("openai-agents", "The value of an untyped output is a string, whatever it reads like")
    assert set(found.values()) == {Verdict.PASSED}


@needs_it
def test_what_a_strict_schema_cannot_say_is_asked_for_without_one() -> None:
    found = verdicts("openai-agents", "An open object gets every key the LM gives")
    assert set(found.values()) == {Verdict.PASSED}


@needs_it
def test_what_is_found_in_it() -> None:
    found = verdicts("openai-agents", "An interruption of a tool ends the call")
    assert {title for title, verdict in found.items() if verdict is Verdict.FAILED} == {
        "An interruption of a tool ends the call [CancelledError, with]",
        "An interruption of a tool ends the call [CancelledError, asynchronously with]",
    }
