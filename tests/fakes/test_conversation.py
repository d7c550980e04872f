"""The validator of the message protocol: each rule, and that all problems of a request are found."""

from typing import Any

import pytest

from react_tck.fakes.conversation import find_problems
from react_tck.model.lm import Completion, LMRequest, ToolCall

USER = {"role": "user", "content": "hello"}
SYSTEM = {"role": "system", "content": "be brief"}
ADD = {"id": "call_1", "name": "add", "arguments": '{"a": 1, "b": [2]}'}
SEARCH = {"id": "call_2", "name": "search", "arguments": "not JSON"}
GIVEN = [
    Completion(tool_calls=(ToolCall(**ADD), ToolCall(**SEARCH))),
    Completion(content="five"),
    Completion(tool_calls=(ToolCall(id="call_3", name="add", arguments="{}"),)),
]


def answer(call_id: str | None) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": ""}


def turn(*calls: dict[str, str]) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": calls}


BOTH = turn(ADD, SEARCH)
ANSWERS = (answer("call_1"), answer("call_2"))


def found(*messages: dict[str, Any], **values: Any) -> list[str]:
    request = LMRequest.model_validate({"messages": messages, **values})
    return find_problems(request, GIVEN)


def test_what_is_right_is_left_alone(subtests: pytest.Subtests) -> None:
    cases: list[list[dict[str, Any]]] = [
        [USER],
        [SYSTEM, {"role": "developer", "content": "x"}, USER],
        [SYSTEM, USER, {"role": "assistant", "content": ""}, USER, USER],
        [USER, BOTH, *ANSWERS],
        [USER, BOTH, answer("call_2"), answer("call_1"), USER],
        [
            USER,
            {**BOTH, "content": "both"},
            answer("call_1"),
            answer("call_2"),
            {"role": "assistant", "content": "five"},
        ],
        [
            USER,
            turn({**ADD, "arguments": '{"b":[2],"a":1}'}, SEARCH),
            answer("call_1"),
            answer("call_2"),
        ],
    ]
    for messages in cases:
        with subtests.test(messages=messages):
            assert found(*messages) == []


def test_problem_is_found(subtests: pytest.Subtests) -> None:
    cases: list[tuple[list[dict[str, Any]], str]] = [
        ([], "the request has no messages"),
        ([USER, SYSTEM], "messages[1]: a system message comes after the conversation has begun"),
        (
            [USER, {"role": "developer", "content": "x"}],
            "messages[1]: a developer message comes after the conversation has begun",
        ),
        ([{"role": "user"}], "messages[0]: the user message is empty"),
        ([{"role": "user", "content": ""}], "messages[0]: the user message is empty"),
        ([{"role": "system", "content": ""}], "messages[0]: the system message is empty"),
        ([USER, {"role": "assistant"}], "messages[1]: the assistant message is empty"),
        ([{**USER, "tool_call_id": "call_1"}], "messages[0]: a user message has a tool_call_id"),
        ([USER, BOTH, answer("call_1")], "messages[1]: the tool call 'call_2' is not answered directly after its turn"),
        (
            [USER, BOTH, answer("call_1"), *ANSWERS],
            "messages[3]: tool_call_id 'call_1' is unknown in the turn before it, or already answered",
        ),
        (
            [USER, turn({**ADD, "id": "call_9"}), answer("call_9")],
            "messages[1]: the tool call 'call_9' was never given",
        ),
        (
            [
                USER,
                turn({**ADD, "name": "sub"}, SEARCH),
                answer("call_1"),
                answer("call_2"),
            ],
            "messages[1]: the tool call 'call_1' was given as 'add', and is echoed as 'sub'",
        ),
        (
            [
                USER,
                turn({**ADD, "arguments": '{"a": 2}'}, SEARCH),
                answer("call_1"),
                answer("call_2"),
            ],
            "messages[1]: the tool call 'call_1' was given with the arguments "
            '{"a": 1, "b": [2]}, and is echoed with {"a": 2}',
        ),
        (
            [
                USER,
                turn(ADD, {**SEARCH, "arguments": "{"}),
                answer("call_1"),
                answer("call_2"),
            ],
            "messages[1]: the arguments of the tool call 'call_2' are not JSON: '{'",
        ),
        (
            [USER, turn(ADD), answer("call_1")],
            "messages[1]: the turn was given with the tool calls call_1, call_2, and is echoed with call_1",
        ),
        (
            [USER, turn(SEARCH, ADD), *ANSWERS],
            "messages[1]: the turn was given with the tool calls call_1, call_2, and is echoed with call_2, call_1",
        ),
    ]
    for messages, problem in cases:
        with subtests.test(messages=messages, problem=problem):
            assert found(*messages) == [problem]


def test_problems_of_tools_are_found() -> None:
    tools = [
        {"name": "add up"},
        {"name": "ping", "parameters": {"type": "array"}},
        {"name": "ping", "parameters": {"type": "object", "properties": {"a": {"type": "int"}}}},
    ]

    assert found(USER, tools=tools, tool_choice="pong") == [
        "tools[0]: the name 'add up' is not 1 to 64 letters, digits, underscores or hyphens",
        "tools[1]: the parameters of 'ping' are not a schema of type \"object\"",
        "tools[2]: the parameters of 'ping' are not valid JSON Schema: "
        "'int' is not valid under any of the given schemas",
        "tools[2]: the name 'ping' is offered twice",
        "tool_choice is 'pong', which is not among the tools offered: add up, ping, ping",
    ]
