"""Each library is driven as its users drive it, where it is installed: it is connected, and what is found in it."""

from importlib.metadata import version
from inspect import signature

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit
from react_tck.subjects.catalogue import BUILT_IN, is_importable, resolve
from tests.support.subject_checks import report_of, verdicts

PASSED, FAILED, UNSUPPORTED, UNTESTABLE = Verdict.PASSED, Verdict.FAILED, Verdict.UNSUPPORTED, Verdict.UNTESTABLE
UNTYPED = "The value of an untyped output is a string, whatever it reads like"
NO_OBJECT = "The agent runs no tool on JSON args that are no object"
UNKNOWN = "The agent runs no tool on an unknown tool name"
INTERRUPTED = "An interruption of a tool ends the call"
ODD = "The run goes on, whatever a tool returns"

#: What is played of a library beside `smoke`: how all rows of it end, or which of them fail.
FOUND: dict[str, dict[str, Verdict | tuple[str, ...]]] = {
    "agno": {UNTYPED: PASSED, NO_OBJECT: (f"{NO_OBJECT} [ping, []]",)},
    "google-adk": {UNTYPED: PASSED, "The agent converts or refuses a text that stands for the declared type": FAILED},
    "langchain": {
        UNTYPED: PASSED,
        "max_steps may be larger than the default": UNTESTABLE,
        "Two tools of one name are refused, or both offered": FAILED,
    },
    "langchain-classic": {
        "Each step gets the user's inputs and the trajectory": PASSED,
        "A tool that takes args of any name gets all the LM gives": PASSED,
    },
    "llama-index": {
        "A call after a failed one behaves as it would alone": PASSED,
        UNKNOWN: (f"{UNKNOWN} [add search]", f"{UNKNOWN} [add(2, 3)]"),
    },
    "openai-agents": {
        UNTYPED: PASSED,
        "An open object gets every key the LM gives": PASSED,
        INTERRUPTED: tuple(f"{INTERRUPTED} [CancelledError, {how}]" for how in ("with", "asynchronously with")),
    },
    # Its documentation says of tools what they may return: an object of a class of its own is unsupported.
    "pydantic-ai": {UNTYPED: PASSED, ODD: PASSED},
    "smolagents": {
        "An LM that never finishes is stopped at the documented default": PASSED,
        "A nested object that doesn't fit is refused": FAILED,
        "The tool gets an object with attributes wherever it declares a model": PASSED,
    },
    "strands": {
        UNTYPED: PASSED,
        "A parameter may have any legal name": ("A parameter may have any legal name [self]",),
    },
    "udspy": {"The loop continues with the steps that its call was given": PASSED},
}
#: Whose answer is all that the LM has said.
ANSWERS_WITH_ALL = {"agno": ["SAN-007"]}


def skip_unless_installed(library: str) -> None:
    if not is_importable(BUILT_IN[library][1]):
        pytest.skip(f"{library} is not installed")


@pytest.mark.parametrize("library", FOUND)
def test_it_is_connected(library: str) -> None:
    skip_unless_installed(library)
    report = report_of(library, Selection(tags="@smoke"), replays=False)
    failed = [each.id for each in report.requirements if each.verdict is FAILED]
    assert (report.ledger.errors, failed) == (0, ANSWERS_WITH_ALL.get(library, []))


@pytest.mark.parametrize("library", FOUND)
def test_what_is_found_in_it(library: str) -> None:
    skip_unless_installed(library)
    seen = verdicts(library, *FOUND[library])
    for title, found in FOUND[library].items():
        rows = {row: verdict for row, verdict in seen.items() if row.startswith(title)}
        assert rows
        if isinstance(found, tuple):
            assert {row for row, verdict in rows.items() if verdict is FAILED} == {*found}
        else:
            assert {*rows.values()} - {UNSUPPORTED} == {found}, title


def test_who_lacks_the_library_is_told_how_to_install_it(capsys: pytest.CaptureFixture[str]) -> None:
    missing = [name for name in FOUND if not is_importable(BUILT_IN[name][1])]
    for library in missing:
        assert main(["run", library]) == Exit.USAGE
        assert f"pip install 'react-tck[{BUILT_IN[library][2]}]'" in capsys.readouterr().err


def test_what_is_declared_of_a_library_is_so() -> None:
    for library in ("langchain-classic", "pydantic-ai", "smolagents"):
        skip_unless_installed(library)
    from langchain_classic.agents import AgentExecutor
    from pydantic_ai import UsageLimits
    from pydantic_ai._output import DEFAULT_OUTPUT_TOOL_NAME
    from smolagents import FinalAnswerTool, MultiStepAgent

    declared = {name: resolve(name).initialize() for name in ("langchain-classic", "pydantic-ai", "smolagents")}
    limits = {name: manifest.default_max_steps for name, manifest in declared.items()}
    assert limits == {
        "langchain-classic": AgentExecutor.model_fields["max_iterations"].default,
        "pydantic-ai": UsageLimits().request_limit,
        "smolagents": signature(MultiStepAgent).parameters["max_steps"].default,
    }
    assert declared["pydantic-ai"].answer_tool == DEFAULT_OUTPUT_TOOL_NAME
    assert declared["smolagents"].answer_tool == FinalAnswerTool.name
    assert declared["pydantic-ai"].version == version("pydantic-ai-slim")


def test_an_edit_that_udspys_bridge_cant_read_is_refused_and_never_taken_as_feedback() -> None:
    skip_unless_installed("udspy")
    from react_tck.subjects.libraries.udspy import bridge

    for response in ('{"edit": {"name": "translate", "args": {', '{"edit": "translate"}', '{"edit": {"args": [1]}}'):
        with pytest.raises(ValueError, match="edit"):
            bridge.answer_confirmation("1", "translate", response)
