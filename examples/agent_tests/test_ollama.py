"""An agent on Ollama's client, with functions as tools: what it shows of thoughts, and what it tells the LM."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from react_tck import ScriptedLM

ollama = pytest.importorskip("ollama", reason="Ollama's client isn't installed: pip install ollama")


def add(a: int, b: int) -> int:
    """Add two numbers.

    Args:
        a: The one.
        b: The other.
    """
    return a + b


def agent(question: str, tools: dict[str, Callable[..., Any]], client: Any) -> Iterator[str]:
    """Yield what a user is shown turn by turn, thoughts in brackets, until there is nothing left to be called."""
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        turn: dict[str, Any] = {"role": "assistant", "content": "", "thinking": "", "tool_calls": []}
        for part in client.chat(model="any", messages=messages, tools=list(tools.values()), stream=True):
            turn["content"] += part.message.content
            turn["thinking"] += part.message.thinking or ""
            turn["tool_calls"] += part.message.tool_calls or ()
        yield f"[{turn['thinking']}] {turn['content']}"
        if not turn["tool_calls"]:
            return
        messages.append(turn)
        for call in turn["tool_calls"]:
            result = tools[call.function.name](**call.function.arguments)
            messages.append({"role": "tool", "tool_name": call.function.name, "content": str(result)})


def test_the_agent_shows_what_is_thought_and_tells_what_tools_returned(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.thinks("Two sums …").says("Let me add.", calls=[("add", {"a": 2, "b": 3}), ("add", {"a": 2, "b": 4})])
    lm.after("add").says("5 and 6.")

    shown = agent("What is 2+3, and 2+4?", {"add": add}, ollama.Client(host=lm.root_url))

    assert list(shown) == ["[Two sums …] Let me add.", "[] 5 and 6."]
    turn, *results = lm.requests[1].messages[1:]
    assert [(call.id, call.arguments) for call in turn.tool_calls] == [
        ("call_1", '{"a": 2, "b": 3}'),
        ("call_2", '{"a": 2, "b": 4}'),
    ]
    assert [(result.tool_call_id, result.content) for result in results] == [("call_1", "5"), ("call_2", "6")]


def test_the_client_finds_the_lm_in_its_environment(scripted_lm: ScriptedLM) -> None:
    scripted_lm(environment=True).usage(7, 3).says("5")

    said = ollama.Client().chat(model="any", messages=[{"role": "user", "content": "2+3?"}])

    assert (said.message.content, said.prompt_eval_count, said.eval_count) == ("5", 7, 3)
