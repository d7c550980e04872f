"""An agent of pydantic-ai, on OpenAI's or Anthropic's client: what it streams, and the type that it answers with."""

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

import react_tck

agents = pytest.importorskip("pydantic_ai")


class Sum(BaseModel):
    """What the answer is to be."""

    total: int


def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


def make_model(client: str, lm: Any) -> Any:
    """Its model on one of the clients."""
    if client == "openai":
        models = pytest.importorskip("pydantic_ai.models.openai")
        providers = pytest.importorskip("pydantic_ai.providers.openai")
        return models.OpenAIChatModel("m", provider=providers.OpenAIProvider(base_url=lm.base_url, api_key=lm.api_key))
    pytest.importorskip("anthropic")
    models = pytest.importorskip("pydantic_ai.models.anthropic")
    providers = pytest.importorskip("pydantic_ai.providers.anthropic")
    return models.AnthropicModel("m", provider=providers.AnthropicProvider(base_url=lm.root_url, api_key=lm.api_key))


@pytest.mark.parametrize("client", ["openai", "anthropic"])
def test_it_keeps_the_text_beside_a_call(scripted_lm: react_tck.ScriptedLM, client: str) -> None:
    lm = scripted_lm()
    model = make_model(client, lm)
    lm.says("Let me add.", calls=[("add", {"a": 2, "b": 3}), ("add", {"a": 4, "b": 5})]).says("5 and 9.")

    done = agents.Agent(model, tools=[add]).run_sync("2+3? 4+5?")

    assert done.output == "5 and 9."
    said = [part for message in done.all_messages() for part in message.parts if part.part_kind == "text"]
    assert [part.content for part in said] == ["Let me add.", "5 and 9."]
    assert [message.content for message in lm.requests[1].messages if message.role == "tool"] == ["5", "9"]
    assert [message.content for message in lm.requests[1].messages if message.role == "assistant"] == ["Let me add."]


async def stream_texts(model: Any) -> list[str]:
    async with agents.Agent(model).run_stream("2+3?") as stream:
        return [text async for text in stream.stream_text(delta=True, debounce_by=None)]


@pytest.mark.parametrize("client", ["openai", "anthropic"])
def test_it_streams_at_the_pace_of_the_model(scripted_lm: react_tck.ScriptedLM, client: str) -> None:
    lm = scripted_lm()
    model = make_model(client, lm)
    lm.slowly(tokens_per_second=50).says("It is five.")

    assert asyncio.run(stream_texts(model)) == ["It i", "s fi", "ve."]


@pytest.mark.parametrize("client", ["openai", "anthropic"])
def test_it_answers_with_a_type(scripted_lm: react_tck.ScriptedLM, client: str) -> None:
    lm = scripted_lm()
    model = make_model(client, lm)
    lm.answers(total=5)

    assert agents.Agent(model, output_type=Sum).run_sync("2+3?").output == Sum(total=5)
