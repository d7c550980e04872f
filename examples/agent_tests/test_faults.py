"""An agent under faults: a provider that is busy, or dies in the middle of a stream."""

from typing import Any

import pytest
from openai import OpenAI

from react_tck import ScriptedLM

QUESTION: Any = [{"role": "user", "content": "What is 2+3?"}]


def test_the_client_waits_out_a_busy_provider(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.fails(429).fails(500).says("5")

    client = OpenAI(base_url=lm.base_url, api_key=lm.api_key, max_retries=2)

    assert client.chat.completions.create(model="any", messages=QUESTION).choices[0].message.content == "5"
    assert len(lm.requests) == 3


def test_half_an_answer_is_no_answer(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.fails("truncated-stream")

    stream = OpenAI(base_url=lm.base_url, api_key=lm.api_key).chat.completions.create(
        model="any", messages=QUESTION, stream=True
    )

    with pytest.raises(Exception, match=r"Connection error|peer closed connection"):
        list(stream)
