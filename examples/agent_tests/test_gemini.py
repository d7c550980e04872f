"""An agent on Google's client, which calls functions by itself, and one that reads a stream and calls them itself."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from react_tck import ScriptedLM

genai = pytest.importorskip("google.genai", reason="Google's client isn't installed: pip install google-genai")


class Weather(BaseModel):
    city: str
    degrees: int


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def client_of(lm: Any) -> Any:
    return genai.Client(api_key=lm.api_key, http_options={"base_url": lm.root_url})


def agent(question: str, tools: dict[str, Callable[..., Any]], client: Any) -> Iterator[str]:
    """Yield what a user is shown turn by turn, thoughts in brackets, until there is nothing left to be called."""
    types = genai.types
    declared = [types.FunctionDeclaration.from_callable(client=client, callable=tool) for tool in tools.values()]
    config = types.GenerateContentConfig(
        system_instruction="You add.",
        tools=[types.Tool(function_declarations=declared)],
        thinking_config=types.ThinkingConfig(include_thoughts=True),
    )
    contents = [types.Content(role="user", parts=[types.Part.from_text(text=question)])]
    while True:
        parts: list[Any] = []
        for piece in client.models.generate_content_stream(model="any", contents=contents, config=config):
            parts += piece.candidates[0].content.parts or ()
        thought = "".join(part.text for part in parts if part.text and part.thought)
        yield f"[{thought}] " + "".join(part.text for part in parts if part.text and not part.thought)
        calls = [part.function_call for part in parts if part.function_call]
        if not calls:
            return
        returned = [(call.name, tools[call.name](**call.args)) for call in calls]
        results = [types.Part.from_function_response(name=name, response={"result": value}) for name, value in returned]
        contents += [types.Content(role="model", parts=parts), types.Content(role="user", parts=results)]


def test_the_agent_shows_what_is_thought_and_tells_what_tools_returned(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.thinks("Two sums …").says("Let me add.", calls=[("add", {"a": 2, "b": 3}), ("add", {"a": 2, "b": 4})])
    lm.after("add").says("5 and 6.")

    shown = agent("What is 2+3, and 2+4?", {"add": add}, client_of(lm))

    assert list(shown) == ["[Two sums …] Let me add.", "[] 5 and 6."]
    system, _, turn, *results = lm.requests[1].messages
    assert (system.content, turn.content) == ("You add.", "Let me add.")
    assert [call.arguments for call in turn.tool_calls] == ['{"a": 2, "b": 3}', '{"a": 2, "b": 4}']
    assert [(result.tool_call_id, result.content) for result in results] == [("call_1", "5"), ("call_2", "6")]


def test_the_client_calls_functions_by_itself(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm(environment=True)
    lm.thinks("Two and three …").calls("add", a=2, b=3).says("It is 5.").says("Yes.")

    client = genai.Client()
    chat = client.chats.create(model="any", config={"tools": [add]})

    assert chat.send_message("What is 2+3?").text == "It is 5."
    assert "".join(piece.text or "" for piece in chat.send_message_stream("Really?")) == "Yes."
    assert [message.role for message in lm.requests[2].messages] == ["user", "assistant", "tool", "assistant", "user"]
    assert lm.requests[1].messages[-1].content == "5"


def test_an_answer_has_the_schema_that_is_asked_for(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.answers(city="Rome", degrees=31)
    client = client_of(lm)
    config = {"response_mime_type": "application/json", "response_schema": Weather}

    said = client.models.generate_content(model="any", contents="How hot is Rome?", config=config)

    assert said.parsed == Weather(city="Rome", degrees=31)
