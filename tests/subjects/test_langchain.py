"""langchain's agent is driven as its users drive it."""

from importlib.util import find_spec

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subject_checks import report_of, verdicts

# Looked for, not imported: every process that collects the tests would spend a second on it.
pytestmark = pytest.mark.skipif(find_spec("langchain_openai") is None, reason="needs the extra 'frameworks'")


def test_it_is_connected() -> None:
    assert exit_status(report_of("langchain", Selection(tags="@smoke"))) is Exit.CONFORMANT


def test_more_steps_than_the_kit_plays_are_untestable() -> None:
    title = "max_steps may be larger than the default"
    assert verdicts("langchain", title) == {title: Verdict.UNTESTABLE}


def test_typed_answers_are_the_call_of_a_tool() -> None:
    found = verdicts("langchain", "The value of an untyped output is a string, whatever it reads like")
    assert set(found.values()) == {Verdict.PASSED}


def test_what_is_found_in_it() -> None:
    title = "Two tools of one name are refused, or both offered"
    assert verdicts("langchain", title) == {title: Verdict.FAILED}
