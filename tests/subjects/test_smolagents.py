"""smolagents is driven as its users drive it."""

import inspect
from importlib.util import find_spec

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subject_checks import report_of, verdicts

# Looked for, not imported: every process that collects the tests would spend a second on it.
pytestmark = pytest.mark.skipif(find_spec("smolagents") is None, reason="needs the extra 'frameworks'")


def test_it_is_connected() -> None:
    assert exit_status(report_of("smolagents", Selection(tags="@smoke"))) is Exit.CONFORMANT


def test_what_is_declared_of_the_library_is_so() -> None:
    from smolagents import FinalAnswerTool, MultiStepAgent

    from react_tck.subjects.catalogue import resolve

    manifest = resolve("smolagents").initialize()
    assert manifest.default_max_steps == inspect.signature(MultiStepAgent).parameters["max_steps"].default
    assert manifest.answer_tool == FinalAnswerTool.name


def test_it_stops_at_the_default_and_gives_an_answer_without_tools() -> None:
    title = "An LM that never finishes is stopped at the documented default"
    assert verdicts("smolagents", title) == {title: Verdict.PASSED}


def test_what_is_found_in_it() -> None:
    title = "A nested object that doesn't fit is refused"
    found = verdicts("smolagents", title)
    assert set(found.values()) == {Verdict.FAILED}


def test_args_that_are_no_object_reach_its_tools_as_they_would_a_users_forward() -> None:
    cut_off = "The agent runs no tool on a step that is cut off"
    assert verdicts("smolagents", cut_off)[f"{cut_off} [80]"] is Verdict.FAILED
    model = "The tool gets an object with attributes wherever it declares a model"
    assert set(verdicts("smolagents", model).values()) == {Verdict.PASSED}
