"""A person's response to `UdspyReAct`, as S3 documents it: udspy's own releases can't resume a call."""

import asyncio
import json
from itertools import product
from typing import Any

import pytest
from pydantic import Field

udspy = pytest.importorskip("udspy")
dspy = pytest.importorskip("dspy")

from react_tck.model.intent import Answer, CallTool, Finish  # noqa: E402 - only with the two libraries
from react_tck.reference import (  # noqa: E402
    ConfirmationRequired,
    ResponseRefused,
    get_confirmation_status,
)
from react_tck.reference import UdspyReAct as ReAct  # noqa: E402 - the one line that changes
from tests.support.dspy_stage import DspyStage  # noqa: E402

ANSWER = Answer(outputs={"answer": "done"}, reasoning="seen")
DELETE = CallTool(tool="delete_file", args={"path": "a.txt"}, thought="tidy up")


@pytest.fixture
def stage() -> DspyStage:
    """An empty one."""
    return DspyStage()


class QA(udspy.Signature):  # type: ignore[misc, name-defined]  # made known by importorskip
    """Answer questions using available tools."""

    question: str = udspy.InputField()
    answer: str = udspy.OutputField()


@udspy.tool(name="search", description="Search for information")  # type: ignore[untyped-decorator]
def search(query: str = Field(...)) -> str:
    """As S3 writes it."""
    return f"Results for: {query}"


def deleting() -> tuple[Any, list[str]]:
    """A tool that needs confirmation, and what it has deleted."""
    deleted: list[str] = []

    @udspy.tool(name="delete_file", description="Delete a file", require_confirmation=True)  # type: ignore[untyped-decorator]
    def delete_file(path: str = Field(...)) -> str:
        deleted.append(path)
        return f"Deleted {path}"

    return delete_file, deleted


def calls(tool: str, **args: Any) -> CallTool:
    return CallTool(tool=tool, args=args, thought=f"use {tool}")


def test_what_the_exception_says(stage: DspyStage) -> None:
    delete_file, deleted = deleting()
    agent = ReAct(QA, tools=[search, delete_file])
    with stage.says(calls("search", query="a"), DELETE, answers=()), pytest.raises(ConfirmationRequired) as raised:
        agent(question="Delete my files")
    asked = raised.value
    assert asked.question == 'Confirm execution of delete_file with args: {"path": "a.txt"}? (yes/no)'
    assert asked.tool_call is not None
    assert (asked.tool_call.name, asked.tool_call.args) == ("delete_file", {"path": "a.txt"})
    assert asked.context["iteration"] == 1
    assert asked.context["input_args"] == {"question": "Delete my files"}
    assert asked.context["trajectory"]["observation_0"] == "Results for: a"
    assert get_confirmation_status(asked.confirmation_id) == "pending"
    assert deleted == []


def test_the_confirmation_loop(stage: DspyStage, subtests: pytest.Subtests) -> None:
    cases_0: list[tuple[str, list[str], str]] = [
        ("yes", ["a.txt"], "approved"),
        ("n", [], "rejected"),
        ("keep the newest one", [], "feedback"),
        (json.dumps({"edit": {"name": "delete_file", "args": {"path": "b.txt"}}}), ["b.txt"], "edited"),
    ]
    for (response, run, status), is_async in product(cases_0, [False, True]):
        with subtests.test(response=response, run=run, status=status, is_async=is_async):
            delete_file, deleted = deleting()
            agent = ReAct(QA, tools=[delete_file])
            with stage.says(DELETE, Finish(), answers=(ANSWER,)):
                with pytest.raises(ConfirmationRequired) as raised:
                    agent(question="Delete my files")
                asked = raised.value
                result = asyncio.run(agent.aresume(response, asked)) if is_async else agent.resume(response, asked)
            assert (result.answer, deleted) == ("done", run)
            assert get_confirmation_status(asked.confirmation_id) == status


def test_a_malformed_response_leaves_the_call_waiting(stage: DspyStage) -> None:
    delete_file, deleted = deleting()
    agent = ReAct(QA, tools=[delete_file])
    with stage.says(DELETE, Finish(), answers=(ANSWER,)):
        with pytest.raises(ConfirmationRequired) as raised:
            agent(question="Delete my files")
        with pytest.raises(ResponseRefused, match="edit"):
            agent.resume('{"edit": {"name": "format_disk"}}', raised.value)
        agent.resume("yes", raised.value)
        with pytest.raises(ResponseRefused, match="approved"):
            agent.resume("yes", raised.value)
    assert deleted == ["a.txt"]


def test_who_has_configured_no_lm_is_told_how_udspy_is(subtests: pytest.Subtests) -> None:
    for is_async, theirs in product([False, True], [False, True]):
        with subtests.test(is_async=is_async, theirs=theirs):
            agent = (udspy.ReAct if theirs else ReAct)(QA, tools=[search])
            with dspy.context(lm=None), pytest.raises(RuntimeError, match=r"udspy\.settings\.configure\(lm=LM\(model="):
                asyncio.run(agent.aforward(question="2+3?")) if is_async else agent(question="2+3?")
