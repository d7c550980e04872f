"""A program that demands structured output: the reply is held against the schema that it sends."""

from typing import Any

from openai import OpenAI
from pydantic import BaseModel

from react_tck import ScriptedLM


class Weather(BaseModel):
    city: str
    degrees: int


def weather_in(text: str, client: OpenAI) -> Weather:
    messages: Any = [{"role": "user", "content": text}]
    reply = client.chat.completions.parse(model="any", messages=messages, response_format=Weather)
    parsed = reply.choices[0].message.parsed
    assert parsed is not None
    return parsed


def test_the_report_is_read(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.answers(city="Rome", degrees=31)

    found = weather_in("Rome was hot: 31 degrees.", OpenAI(base_url=lm.base_url, api_key=lm.api_key))

    assert found == Weather(city="Rome", degrees=31)
    lm.assert_asked("31 degrees")
