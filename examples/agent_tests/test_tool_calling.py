"""An agent that calls tools: what it does with the LM's calls, and what it tells the LM of them."""

import json
from collections.abc import Callable
from typing import Any

from openai import OpenAI

from react_tck import ScriptedLM


def add(a: int, b: int) -> int:
    return a + b


def agent(question: str, tools: dict[str, Callable[..., Any]], client: OpenAI) -> str:
    """Return the loop that most agents have."""
    offered: Any = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in tools]
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        said: Any = client.chat.completions.create(model="any", messages=messages, tools=offered).choices[0].message
        if not said.tool_calls:
            return said.content or ""
        messages.append(said)
        for call in said.tool_calls:
            result = tools[call.function.name](**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": str(result)})


def test_the_agent_tells_the_lm_what_the_tool_returned(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.calls("add", a=2, b=3).says("It is 5.")

    answer = agent("What is 2+3?", {"add": add}, OpenAI(base_url=lm.base_url, api_key=lm.api_key))

    assert answer == "It is 5."
    assert lm.requests[1].messages[-1].content == "5"


def test_the_agent_makes_all_calls_of_a_turn(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.calls(("add", {"a": 2, "b": 3}), ("add", {"a": 4, "b": 5})).says("5 and 9.")

    agent("2+3? 4+5?", {"add": add}, OpenAI(base_url=lm.base_url, api_key=lm.api_key))

    assert [message.content for message in lm.requests[1].messages if message.role == "tool"] == ["5", "9"]
