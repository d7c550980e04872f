"""An agent of langchain's, on OpenAI's or Anthropic's client: its tool looks notes up by embeddings."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest
from openai import OpenAI

import react_tck

pytestmark = pytest.mark.skipif(find_spec("langchain") is None, reason="needs the extra 'frameworks'")

NOTES = ("The library opens at nine.", "In Rome it is hot: 31 degrees.")


def make_model(client: str, lm: Any) -> Any:
    """Its model on one of the clients."""
    if client == "openai":
        made = pytest.importorskip("langchain_openai")
        return made.ChatOpenAI(model="m", base_url=lm.base_url, api_key=lm.api_key)
    made = pytest.importorskip("langchain_anthropic")
    return made.ChatAnthropic(model="m", base_url=lm.root_url, api_key=lm.api_key, max_tokens=100)


def make_agent(model: Any, **more: Any) -> Any:
    """An agent of langchain's, which is imported here: whoever collects tests would wait for it."""
    return pytest.importorskip("langchain.agents").create_agent(model, **more)


def make_tool(client: OpenAI) -> Callable[[str], str]:
    """A tool that finds the nearest note."""

    def look_up(query: str) -> str:
        """Look something up in the notes."""
        made = client.embeddings.create(model="e", input=[query, *NOTES]).data
        asked, *vectors = (each.embedding for each in made)
        nearness = [sum(a * b for a, b in zip(asked, vector, strict=True)) for vector in vectors]
        return NOTES[nearness.index(max(nearness))]

    return look_up


@pytest.mark.parametrize("client", ["openai", "anthropic"])
def test_it_tells_what_it_does_and_reads_the_note(scripted_lm: react_tck.ScriptedLM, client: str) -> None:
    lm = scripted_lm()
    model = make_model(client, lm)
    lm.says("Let me look.", calls=[("look_up", {"query": "How hot is it in Rome?"})]).says("31 degrees.")
    tool = make_tool(OpenAI(base_url=lm.base_url, api_key=lm.api_key))
    agent = make_agent(model, tools=[tool], system_prompt="Be brief.")

    said = agent.invoke({"messages": [("user", "How hot is it in Rome?")]})["messages"]

    assert [str(message.text) for message in said if message.type == "ai"] == ["Let me look.", "31 degrees."]
    assert [message.content for message in said if message.type == "tool"] == [NOTES[1]]
    assert lm.requests[1].messages[-1].content == NOTES[1]
    assert (lm.requests[0].system_text, lm.requests[0].tools[0].name) == ("Be brief.", "look_up")


@pytest.mark.parametrize("client", ["openai", "anthropic"])
def test_it_streams_its_tokens(scripted_lm: react_tck.ScriptedLM, client: str) -> None:
    lm = scripted_lm()
    model = make_model(client, lm)
    lm.slowly(tokens_per_second=50).says("31 degrees.")

    stream = make_agent(model, tools=[]).stream(
        {"messages": [("user", "How hot is it in Rome?")]}, stream_mode="messages"
    )

    texts = [text for chunk, _ in stream if (text := str(chunk.text))]
    assert texts == ["31 d", "egre", "es."]


def test_a_model_that_refuses_is_told_apart(scripted_lm: react_tck.ScriptedLM) -> None:
    lm = scripted_lm()
    model = make_model("openai", lm)
    lm.refuses("I can't help with that.")

    said = model.invoke("How?")

    assert (said.content, said.additional_kwargs["refusal"]) == ("", "I can't help with that.")
