"""An agent on Anthropic's client: what it shows while it works, and what it tells the LM of its tools."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from react_tck import ScriptedLM

anthropic = pytest.importorskip("anthropic", reason="Anthropic's client isn't installed: pip install anthropic")

PARAMETERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}


def add(a: int, b: int) -> int:
    return a + b


THINKING = {"type": "enabled", "budget_tokens": 1024}


def agent(
    question: str, tools: dict[str, Callable[..., Any]], client: Any, thinking: Any = anthropic.omit
) -> Iterator[str]:
    """Each text that a user is shown, as it comes, until there is nothing left to be called."""
    offered = [{"name": name, "description": f"Can {name}.", "input_schema": PARAMETERS} for name in tools]
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        with client.messages.stream(
            model="any", max_tokens=500, messages=messages, tools=offered, thinking=thinking
        ) as stream:
            yield "".join(stream.text_stream)
            said = stream.get_final_message()
        if said.stop_reason != "tool_use":
            return
        calls = [block for block in said.content if block.type == "tool_use"]
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": str(tools[call.name](**call.input))}
            for call in calls
        ]
        messages += [{"role": "assistant", "content": said.content}, {"role": "user", "content": results}]


def test_the_agent_says_what_it_is_about_to_do(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.says("Let me add.", calls=[("add", {"a": 2, "b": 3})]).says("It is 5.")

    shown = agent("What is 2+3?", {"add": add}, anthropic.Anthropic(base_url=lm.root_url, api_key=lm.api_key))

    assert list(shown) == ["Let me add.", "It is 5."]
    assert lm.requests[1].messages[-1].content == "5"


def test_the_client_waits_out_a_busy_provider(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm(environment=True)
    lm.fails(429).fails(500).says("5")

    said = anthropic.Anthropic(max_retries=2).messages.create(
        model="any", max_tokens=10, messages=[{"role": "user", "content": "2+3?"}]
    )

    assert said.content[0].text == "5"
    assert len(lm.requests) == 3


def test_a_thought_comes_back_with_its_call(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.thinks("Two and three …").calls("add", a=2, b=3).thinks("So it is.").says("It is 5.")

    shown = agent("What is 2+3?", {"add": add}, anthropic.Anthropic(base_url=lm.root_url, api_key=lm.api_key), THINKING)

    assert list(shown) == ["", "It is 5."]
    assert b'"thinking":"Two and three \xe2\x80\xa6","type":"thinking"' in lm.bodies[1]
