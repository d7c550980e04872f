"""Two agents that share one LM: each gets its own replies, by the model that it asks."""

from typing import Any

from openai import OpenAI

from react_tck import ScriptedLM


def ask(client: OpenAI, model: str, text: str) -> str:
    messages: Any = [{"role": "user", "content": text}]
    return client.chat.completions.create(model=model, messages=messages).choices[0].message.content or ""


def write(topic: str, client: OpenAI) -> str:
    """Write and have it judged until the critic is content."""
    text = ask(client, "writer", f"Write about {topic}.")
    while (said := ask(client, "critic", text)) != "Good.":
        text = ask(client, "writer", f"{text}\n{said}")
    return text


def test_the_writer_writes_until_the_critic_is_content(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.when(model="writer").says("Rome is hot.").when("How hot?", model="writer").says("Rome has 31 degrees.")
    lm.when(model="critic").says("How hot?").when(model="critic", matches=r"\d+ degrees").says("Good.")

    assert write("Rome", OpenAI(base_url=lm.base_url, api_key=lm.api_key)) == "Rome has 31 degrees."
