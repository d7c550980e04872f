"""pydantic-ai's agent is driven as its users drive it."""

from importlib.util import find_spec

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subject_checks import report_of, verdicts

# Looked for, not imported: every process that collects the tests would spend a second on it.
pytestmark = pytest.mark.skipif(find_spec("pydantic_ai") is None, reason="needs the extra 'frameworks'")


def test_it_is_connected() -> None:
    assert exit_status(report_of("pydantic-ai", Selection(tags="@smoke"))) is Exit.CONFORMANT


def test_what_is_declared_of_the_library_is_so() -> None:
    from pydantic_ai import UsageLimits
    from pydantic_ai._output import DEFAULT_OUTPUT_TOOL_NAME

    from react_tck.subjects.catalogue import resolve

    manifest = resolve("pydantic-ai").initialize()
    assert manifest.default_max_steps == UsageLimits().request_limit
    assert manifest.answer_tool == DEFAULT_OUTPUT_TOOL_NAME


def test_typed_answers_are_the_call_of_a_tool() -> None:
    found = verdicts("pydantic-ai", "The value of an untyped output is a string, whatever it reads like")
    assert set(found.values()) == {Verdict.PASSED}


def test_a_tool_returns_what_can_be_serialized() -> None:
    """Its documentation says so of tools: an object of a class of its own is returned to nobody."""
    found = verdicts("pydantic-ai", "The run goes on, whatever a tool returns")
    odd = "The run goes on, whatever a tool returns [an object of its own class]"
    assert found.pop(odd) is Verdict.UNSUPPORTED
    assert set(found.values()) == {Verdict.PASSED}
