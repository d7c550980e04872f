"""Clients that others have written, unmodified: a turn with a tool, and what became of it, with the scripted LM."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from openai import AsyncOpenAI, OpenAI

from react_tck.fakes.server import CuedEndpoint, LaneServer

#: Each makes one call of `add`, runs it, and gives the text that comes then.
Client = Callable[[CuedEndpoint], str | None]
QUESTION = "What is 2+3?"
PARAMETERS: Any = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
TOOLS: Any = [{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": PARAMETERS}}]


def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


def ran(arguments: str) -> str:
    return str(add(**json.loads(arguments)))


def after(call_id: str, arguments: str) -> list[Any]:
    """The conversation once the tool has run."""
    call = {"id": call_id, "type": "function", "function": {"name": "add", "arguments": arguments}}
    return [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "content": ran(arguments)},
    ]


def openai_sync(lm: CuedEndpoint) -> str | None:
    ask: Any = OpenAI(base_url=lm.base_url, api_key=lm.api_key).chat.completions.create
    first = ask(model="m", messages=[{"role": "user", "content": QUESTION}], tools=TOOLS)
    [call] = first.choices[0].message.tool_calls
    done = ask(model="m", messages=after(call.id, call.function.arguments), tools=TOOLS)
    return str(done.choices[0].message.content)


def openai_async(lm: CuedEndpoint) -> str | None:
    async def asked() -> str:
        async with AsyncOpenAI(base_url=lm.base_url, api_key=lm.api_key) as client:
            ask: Any = client.chat.completions.create
            first = await ask(model="m", messages=[{"role": "user", "content": QUESTION}], tools=TOOLS)
            [call] = first.choices[0].message.tool_calls
            done = await ask(model="m", messages=after(call.id, call.function.arguments), tools=TOOLS)
            return str(done.choices[0].message.content)

    return asyncio.run(asked())


def openai_streaming(lm: CuedEndpoint) -> str | None:
    client: Any = OpenAI(base_url=lm.base_url, api_key=lm.api_key)

    def ask(messages: list[Any]) -> Any:
        with client.chat.completions.stream(model="m", messages=messages, tools=TOOLS) as stream:
            return stream.get_final_completion().choices[0].message

    [call] = ask([{"role": "user", "content": QUESTION}]).tool_calls
    return str(ask(after(call.id, call.function.arguments)).content)


def openai_responses(lm: CuedEndpoint) -> str | None:
    ask: Any = OpenAI(base_url=lm.base_url, api_key=lm.api_key).responses.create
    offers = [{"type": "function", "name": "add", "parameters": PARAMETERS, "strict": False}]
    first = ask(model="m", input=QUESTION, tools=offers)
    [call] = first.output
    result = {"type": "function_call_output", "call_id": call.call_id, "output": ran(call.arguments)}
    done = ask(model="m", input=[result], tools=offers, previous_response_id=first.id)
    return str(done.output_text)


def litellm_completion(lm: CuedEndpoint) -> str | None:
    litellm = pytest.importorskip("litellm")

    def ask(messages: list[Any]) -> Any:
        where = {"api_base": lm.base_url, "api_key": lm.api_key}
        return litellm.completion("openai/m", messages, tools=TOOLS, **where).choices[0].message

    [call] = ask([{"role": "user", "content": QUESTION}]).tool_calls
    return str(ask(after(call.id, call.function.arguments)).content)


def langchain_openai(lm: CuedEndpoint) -> str | None:
    chat = pytest.importorskip("langchain_openai").ChatOpenAI(model="m", base_url=lm.base_url, api_key=lm.api_key)
    messages = pytest.importorskip("langchain_core.messages")
    asked: list[Any] = [messages.HumanMessage(QUESTION)]
    model = chat.bind_tools([add])
    said = model.invoke(asked)
    [call] = said.tool_calls
    result = messages.ToolMessage(str(add(**call["args"])), tool_call_id=call["id"])
    return str(model.invoke([*asked, said, result]).content)


def pydantic_ai(lm: CuedEndpoint) -> str | None:
    agents = pytest.importorskip("pydantic_ai")
    models = pytest.importorskip("pydantic_ai.models.openai")
    providers = pytest.importorskip("pydantic_ai.providers.openai")
    provider = providers.OpenAIProvider(base_url=lm.base_url, api_key=lm.api_key)
    agent = agents.Agent(models.OpenAIChatModel("m", provider=provider), tools=[add])
    return str(agent.run_sync(QUESTION).output)


#: By who makes them; what frameworks import takes long.
CLIENTS: dict[str, list[Client]] = {
    "openai": [openai_sync, openai_async, openai_streaming, openai_responses],
    "frameworks": [litellm_completion, langchain_openai, pydantic_ai],
}


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


@pytest.mark.parametrize("maker", ["openai", pytest.param("frameworks", marks=pytest.mark.all)])
def test_a_client_runs_the_tool_and_ends(server: LaneServer, maker: str, subtests: pytest.Subtests) -> None:
    for client in CLIENTS[maker]:
        with subtests.test(client=client):
            lm = CuedEndpoint(server).calls("add", a=2, b=3).usage(1200, 34).says("It is 5.")

            assert client(lm) == "It is 5."

            assert lm.complaints == ()
            assert [request.messages[-1].content for request in lm.requests] == [QUESTION, "5"]
            assert [offer.name for offer in lm.requests[0].tools] == ["add"]
