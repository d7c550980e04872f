"""Structured output, strict functions, `tool_choice` and parallel calls, asked for by the official SDK in every way."""

from collections.abc import Callable, Iterator
from typing import Any

import openai
import pytest
from openai import OpenAI
from pydantic import BaseModel

from react_tck.fakes.server import CuedEndpoint, LaneServer
from react_tck.fakes.server.standalone import LMEndpoint

QUESTION: list[Any] = [{"role": "user", "content": "How many?"}]


class Count(BaseModel):
    count: int


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def sdk(lm: LMEndpoint) -> Any:
    return OpenAI(base_url=lm.base_url, api_key=lm.api_key, max_retries=0)


def by_chat(lm: LMEndpoint, model: type[BaseModel], **options: Any) -> Any:
    said = sdk(lm).chat.completions.parse(model="m", messages=QUESTION, response_format=model, **options)
    return said.choices[0].message.parsed


def by_chat_in_pieces(lm: LMEndpoint, model: type[BaseModel], **options: Any) -> Any:
    with sdk(lm).chat.completions.stream(model="m", messages=QUESTION, response_format=model, **options) as stream:
        return stream.get_final_completion().choices[0].message.parsed


def by_responses(lm: LMEndpoint, model: type[BaseModel], **options: Any) -> Any:
    return sdk(lm).responses.parse(model="m", input="How many?", text_format=model, **options).output_parsed


def by_responses_in_pieces(lm: LMEndpoint, model: type[BaseModel], **options: Any) -> Any:
    with sdk(lm).responses.stream(model="m", input="How many?", text_format=model, **options) as stream:
        return stream.get_final_response().output_parsed


WAYS = (by_chat, by_chat_in_pieces, by_responses, by_responses_in_pieces)
Ask = Callable[..., Any]


@pytest.mark.parametrize("ask", WAYS)
def test_a_single_typed_output_is_an_object_of_the_schema(lm: CuedEndpoint, ask: Ask) -> None:
    lm.answers(count=42)

    assert ask(lm, Count) == Count(count=42)
    assert lm.complaints == ()


# Calls


def _chat_calls(lm: LMEndpoint, **options: Any) -> list[tuple[str, str]]:
    said = sdk(lm).chat.completions.create(model="m", messages=QUESTION, **options)
    return [(call.function.name, call.function.arguments) for call in said.choices[0].message.tool_calls]


def _chat_calls_in_pieces(lm: LMEndpoint, **options: Any) -> list[tuple[str, str]]:
    with sdk(lm).chat.completions.stream(model="m", messages=QUESTION, **options) as stream:
        said = stream.get_final_completion()
    return [(call.function.name, call.function.arguments) for call in said.choices[0].message.tool_calls]


def _flat(options: dict[str, Any]) -> dict[str, Any]:
    """As the responses API writes tools, and the choice of one."""
    flat = {**options, "tools": [{"type": "function", **tool["function"]} for tool in options["tools"]]}
    if isinstance(choice := options.get("tool_choice"), dict):
        kind = choice["type"]
        flat["tool_choice"] = {"type": kind, **choice[kind]}
    return flat


def _response_calls(lm: LMEndpoint, **options: Any) -> list[tuple[str, str]]:
    said = sdk(lm).responses.create(model="m", input="How many?", **_flat(options))
    assert said.parallel_tool_calls is options.get("parallel_tool_calls", True)
    return [(item.name, item.arguments) for item in said.output if item.type == "function_call"]


def _response_calls_in_pieces(lm: LMEndpoint, **options: Any) -> list[tuple[str, str]]:
    with sdk(lm).responses.stream(model="m", input="How many?", **_flat(options)) as stream:
        said = stream.get_final_response()
    return [(item.name, item.arguments) for item in said.output if item.type == "function_call"]


CALLS = [_chat_calls, _chat_calls_in_pieces, _response_calls, _response_calls_in_pieces]
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "note": {"type": ["string", "null"]}},
    "required": ["a", "note"],
    "additionalProperties": False,
}
STRICT: list[Any] = [
    {"type": "function", "function": {"name": name, "parameters": SCHEMA, "strict": True}} for name in ("add", "sub")
]


@pytest.mark.parametrize("ask", CALLS)
def test_args_of_a_strict_function_fit_it(lm: CuedEndpoint, ask: Ask) -> None:
    lm.calls("add", a=2, note=None).calls("add", a=2)

    assert ask(lm, tools=STRICT) == [("add", '{"a": 2, "note": null}')]
    with pytest.raises(openai.APIError, match=r"is strict, and its arguments .*t fit: \W+note\W+ is missing"):
        ask(lm, tools=STRICT)
    assert [offer.strict for offer in lm.requests[0].tools] == [True, True]


@pytest.mark.parametrize("ask", CALLS)
@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ("none", "lets no tool be called, and the reply calls 'add'"),
        ({"type": "function", "function": {"name": "sub"}}, "demands a call of 'sub', and the reply calls add"),
    ],
)
def test_a_call_that_may_not_be_chosen_is_a_mistake(lm: CuedEndpoint, ask: Ask, choice: Any, problem: str) -> None:
    lm.calls("add", a=2, note=None)

    with pytest.raises(openai.APIError, match=problem):
        ask(lm, tools=STRICT, tool_choice=choice)
