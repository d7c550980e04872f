"""langchain-classic's ReAct agent is driven as its users drive it, in the form in which ReAct was published."""

from importlib.util import find_spec

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subject_checks import report_of, verdicts

# Looked for, not imported: every process that collects the tests would spend a second on it.
pytestmark = pytest.mark.skipif(find_spec("langchain_classic") is None, reason="needs the extra 'frameworks'")


def test_it_is_connected() -> None:
    assert exit_status(report_of("langchain-classic", Selection(tags="@smoke"))) is Exit.CONFORMANT


def test_its_default_is_declared_as_it_is() -> None:
    from langchain_classic.agents import AgentExecutor

    from react_tck.subjects.catalogue import resolve

    manifest = resolve("langchain-classic").initialize()
    assert manifest.default_max_steps == AgentExecutor.model_fields["max_iterations"].default


@pytest.mark.parametrize(
    ("title", "verdict"),
    [
        ("Each step gets the user's inputs and the trajectory", Verdict.PASSED),
        ("The agent takes a thought that looks like a reply for a thought", Verdict.UNSUPPORTED),
        ("A tool that takes args of any name gets all the LM gives", Verdict.PASSED),
    ],
)
def test_what_is_found_in_it(title: str, verdict: Verdict) -> None:
    assert verdict in verdicts("langchain-classic", title).values()
