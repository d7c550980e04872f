"""What a response means, what becomes of confirmations, and what may run because of it."""

import json

import pytest

from react_tck.model.case import Resumption
from react_tck.model.intent import CallTool
from react_tck.model.record import Resumed
from react_tck.record.approvals import find_agreed_call
from react_tck.reference.confirmation import (
    ConfirmationRequired,
    ResponseRefused,
    WaitingCall,
    read_response,
)
from react_tck.reference.loop import Call

CALL = Call(name="delete", args={"path": "a"})
TOOLS = ("delete", "search")


def test_what_is_no_response_is_refused(subtests: pytest.Subtests) -> None:
    for response in [
        "",
        "  ",
        "{",
        '{"edit": {}}',
        '{"edit": []}',
        '{"edit": {"tool": "x"}}',
        '{"other": 1}',
        '{"edit": {"name": "x"}}',
    ]:
        with subtests.test(response=response), pytest.raises(ResponseRefused):
            read_response(response, CALL, TOOLS)


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


def test_the_kit_knows_what_may_run(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, CallTool | None]] = [
        ("yes", CallTool(tool="delete", args={"path": "a"})),
        ('{"edit": {"args": {"path": "b"}}}', CallTool(tool="delete", args={"path": "b"})),
        ("no", None),
        ("later", None),
        ('{"edit": "b"}', None),
    ]
    for response, runs in cases:
        with subtests.test(response=response, runs=runs):
            said = (Resumed(invocation=0, resumption=Resumption(response=response)),)
            assert find_agreed_call(CallTool(tool="delete", args={"path": "a"}), said) == runs
