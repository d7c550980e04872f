"""A program that shows an answer while it comes, and says so where the model won't answer."""

from collections.abc import Iterator
from typing import Any

from openai import OpenAI

from react_tck import ScriptedLM


def screens(question: str, client: OpenAI) -> Iterator[str]:
    """Yield what stands on the screen, again whenever there is more."""
    messages: Any = [{"role": "user", "content": question}]
    shown = ""
    for chunk in client.chat.completions.create(model="any", messages=messages, stream=True):
        delta = chunk.choices[0].delta
        shown += delta.content or delta.refusal or ""
        if chunk.choices[0].finish_reason == "content_filter":
            shown += " (cut off by the provider)"
        if delta.content or delta.refusal or chunk.choices[0].finish_reason == "content_filter":
            yield shown


def test_the_answer_is_shown_while_it_comes(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.slowly(tokens_per_second=10).says("It is five.")

    seen = screens("What is 2+3?", OpenAI(base_url=lm.base_url, api_key=lm.api_key))

    assert list(seen) == ["It i", "It is fi", "It is five."]


def test_what_the_model_will_not_say_is_shown_as_such(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.refuses("I can't help with that.").filters("First, take")

    client = OpenAI(base_url=lm.base_url, api_key=lm.api_key)

    assert list(screens("How?", client))[-1] == "I can't help with that."
    assert list(screens("How?", client))[-1] == "First, take (cut off by the provider)"
