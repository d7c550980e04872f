"""Who breaks off and forces a submit in text is given the answer, though no request says that it asks for it."""

from typing import Any

import pytest

pytest.importorskip("dspy")

from react_tck.fakes.lm import breaks_off
from react_tck.fakes.tools import TOOLBOX
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, BadArgs, CallTool, Fault, Garbled, Reply, Script
from react_tck.model.record import Record
from react_tck.model.signature import parse_arrow
from react_tck.play.session import play_episode
from react_tck.reference.loop import Policy
from react_tck.subjects.libraries.reference import react

SEARCH = CallTool(tool="search", args={"query": "hills"})
UNKNOWN = CallTool(tool="multiply", args={"a": 2})
GARBLED = Garbled(form="prose", meant=SEARCH)
BROKEN = BadArgs(tool="search", text="{'query'")


def played(said: Reply, **choices: Any) -> Record:
    case = Case(
        id="hills",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["search"],),
        options=Options(system="transcript", max_steps=5),
        invocations=(Invocation(inputs={"question": "How many hills?"}),),
    )
    script = Script(
        steps=(said, SEARCH.model_copy(update={"sticky": True})), answers=(Answer(outputs={"answer": "7"}),)
    )
    return play_episode(react.transcript(Policy(**choices)), Episode(case=case, script=script, nonce="n"))


def test_the_answer_follows_what_is_declared_to_break_off(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Reply, dict[str, Any]]] = [
        (UNKNOWN, {"unknown_tool": "extract"}),
        (GARBLED, {"malformed_reply": "extract"}),
        (BROKEN, {"malformed_reply": "extract", "malformed_args": "extract"}),
        (Fault(fault="timeout"), {"lm_fault": "extract"}),
    ]
    for said, choices in cases:
        with subtests.test(said=said, choices=choices):
            record = played(said, **choices)
            assert record.outcomes[0].outputs == {"answer": "7"}
            assert [asked.ask.phase for asked in record.requests if asked.ask][-1] == "extraction"
            assert not record.tool_runs


def test_where_the_loop_goes_on_it_is_a_step_that_is_asked_for() -> None:
    record = played(UNKNOWN)
    assert len(record.tool_runs) == 4
    assert [asked.ask.phase for asked in record.requests if asked.ask] == ["step"] * 5 + ["extraction"]


def test_a_call_that_has_run_breaks_nothing_off() -> None:
    quoted = CallTool(tool="`search`", args={"query": "hills"})
    record = played(quoted, unknown_tool="extract", tool_name_matching="quotes and space ignored")
    assert len(record.tool_runs) == 5


def test_a_question_to_the_user_is_no_unknown_tool() -> None:
    """Two rows of CNF-011 were held against who breaks off after an unknown tool."""
    manifest = react.transcript(Policy(unknown_tool="extract")).initialize()
    case = Case(id="hills", signature=parse_arrow("question -> answer"), tools=(TOOLBOX["search"],))
    question = CallTool(tool=manifest.clarification_tool, args={"question": "Which hills?"})

    assert breaks_off(UNKNOWN, case, manifest)
    assert not breaks_off(question, case, manifest)
