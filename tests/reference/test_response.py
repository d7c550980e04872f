"""What a response means, what becomes of confirmations, and what may run because of it."""

import json

import pytest

from react_tck.model.case import Resumption
from react_tck.model.intent import CallTool
from react_tck.model.record import Resumed
from react_tck.record.approvals import find_agreed_call
from react_tck.reference.confirmation import (
    CLARIFY,
    ConfirmationRequired,
    Confirmations,
    ResponseRefused,
    WaitingCall,
    read_response,
)
from react_tck.reference.loop import Approved, Call, Declined

CALL = Call(name="delete", args={"path": "a"})
TOOLS = ("delete", "search")


@pytest.mark.parametrize("word", ["yes", "y", " YES \n"])
def test_agreement_runs_the_call_as_it_is(word: str) -> None:
    assert read_response(word, CALL, TOOLS) == ("approved", Approved(tool="delete", args={"path": "a"}))


@pytest.mark.parametrize("word", ["no", "n", "No"])
def test_rejection_is_observed(word: str) -> None:
    status, event = read_response(word, CALL, TOOLS)
    assert status == "rejected"
    assert event == Declined(observation="The user rejected the execution of delete.")


@pytest.mark.parametrize(
    ("edit", "runs"),
    [
        ({"args": {"path": "b"}}, Approved(tool="delete", args={"path": "b"})),
        ({"name": "search"}, Approved(tool="search", args={"path": "a"})),
        ({"name": "search", "args": {"query": "b"}}, Approved(tool="search", args={"query": "b"})),
    ],
)
def test_an_edit_changes_what_it_names(edit: object, runs: Approved) -> None:
    assert read_response(json.dumps({"edit": edit}), CALL, TOOLS) == ("edited", runs)


@pytest.mark.parametrize(
    "response",
    [
        "",
        "  ",
        "{",
        '{"edit": {}}',
        '{"edit": []}',
        '{"edit": {"tool": "x"}}',
        '{"other": 1}',
        '{"edit": {"name": "x"}}',
    ],
)
def test_what_is_no_response_is_refused(response: str) -> None:
    with pytest.raises(ResponseRefused):
        read_response(response, CALL, TOOLS)


@pytest.mark.parametrize("answer", ["yes", "no", '{"edit": 1}'])
def test_a_clarification_takes_any_text(answer: str) -> None:
    question = Call(name=CLARIFY, args={"question": "Which?"})
    assert read_response(answer, question, TOOLS).event == Declined(observation=answer)


def test_a_confirmation_is_settled_once() -> None:
    confirmations = Confirmations()
    confirmations.record_question("a")
    confirmations.record_response("a", "rejected")
    assert confirmations.find_status("a") == "rejected"
    with pytest.raises(ResponseRefused, match="rejected"):
        confirmations.record_response("a", "approved")
    with pytest.raises(LookupError, match="'b'"):
        confirmations.find_status("b")


def test_a_suspension_survives_json() -> None:
    asked = ConfirmationRequired(
        "Really?", tool_call=WaitingCall(name="delete", args={"path": "a"}), context={"n": (1,)}
    )
    loaded = ConfirmationRequired.load(json.loads(json.dumps(asked.dump())))
    assert (loaded.question, loaded.confirmation_id, loaded.tool_call) == (
        "Really?",
        asked.confirmation_id,
        asked.tool_call,
    )
    assert loaded.context == {"n": [1]}


@pytest.mark.parametrize(
    ("response", "runs"),
    [
        ("yes", CallTool(tool="delete", args={"path": "a"})),
        ('{"edit": {"args": {"path": "b"}}}', CallTool(tool="delete", args={"path": "b"})),
        ("no", None),
        ("later", None),
        ('{"edit": "b"}', None),
    ],
)
def test_the_kit_knows_what_may_run(response: str, runs: CallTool | None) -> None:
    said = (Resumed(invocation=0, resumption=Resumption(response=response)),)
    assert find_agreed_call(CallTool(tool="delete", args={"path": "a"}), said) == runs


def test_a_response_to_another_confirmation_lets_nothing_run() -> None:
    said = (Resumed(invocation=0, resumption=Resumption(response="yes", confirmation_id="another")),)
    assert find_agreed_call(CallTool(tool="delete"), said) is None
