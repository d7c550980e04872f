"""How tests ask the LM of agents' tests: by OpenAI's SDK, a question and another one."""

from typing import Any

from openai import OpenAI
from pydantic import BaseModel

from react_tck.fakes.server import CuedEndpoint

QUESTION: list[Any] = [{"role": "user", "content": "What is 2+3?"}]
OTHER: list[Any] = [{"role": "user", "content": "And 1+1?"}]


class Sum(BaseModel):
    """What an answer is to be."""

    count: int
    note: str


def sdk(lm: CuedEndpoint, retries: int = 0) -> OpenAI:
    """A client of it."""
    return OpenAI(base_url=lm.base_url, api_key=lm.api_key, max_retries=retries)


def asked(lm: CuedEndpoint, messages: list[Any] = QUESTION, **options: Any) -> Any:
    """The message that it answers with."""
    return sdk(lm).chat.completions.create(model="m", messages=messages, **options).choices[0].message
