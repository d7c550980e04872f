"""An agent that Anthropic's client runs by itself: it calls functions as often as is asked, in a thread of messages."""

from typing import Any

import pytest

from react_tck import ScriptedLM

anthropic = pytest.importorskip("anthropic", reason="Anthropic's client isn't installed: pip install anthropic")

ORDERS = {17: "sent on Monday"}


def lookup_order(number: int) -> str:
    """Tells where an order is.

    Args:
        number: the order's number.
    """
    return ORDERS[number]


def answer(question: str, client: Any) -> str:
    runner = client.beta.messages.tool_runner(
        model="any",
        max_tokens=500,
        system="You answer questions about orders.",
        tools=[anthropic.beta_tool(lookup_order)],
        messages=[{"role": "user", "content": question}],
    )
    return "".join(block.text for block in runner.until_done().content if block.type == "text")


def test_the_order_is_looked_up(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm(environment=True)
    lm.says("Let me see.", calls=[("lookup_order", {"number": 17})]).after("lookup_order").says("It was sent.")

    assert answer("Where is my order 17?", anthropic.Anthropic()) == "It was sent."
    assert [message.content for message in lm.requests[1].messages] == [
        "You answer questions about orders.",
        "Where is my order 17?",
        "Let me see.",
        "sent on Monday",
    ]


def test_an_order_that_is_not_there_is_told_to_the_lm(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm(environment=True)
    lm.calls("lookup_order", number=18).says("There is no such order.")

    assert answer("Where is my order 18?", anthropic.Anthropic()) == "There is no such order."
    assert "KeyError" in (lm.requests[1].messages[-1].content or "")
