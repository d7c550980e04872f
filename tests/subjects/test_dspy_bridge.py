"""The bridge to dspy carries native tool calls both ways, as a provider does."""

import pytest

pytest.importorskip("dspy")

from dspy import lm15

from react_tck.model.lm import Completion, LMRequest, ToolCall
from react_tck.subjects.adapted import make_lm
from react_tck.subjects.libraries.dspy.engine import Engine

TOOL = lm15.FunctionTool(name="add", description="Adds.", parameters={"type": "object", "properties": {}})


class Heard:
    """An LM that calls two tools in every reply, under ids of that reply only."""

    def __init__(self, arguments: str = '{"a": 2}') -> None:
        self.requests: list[LMRequest] = []
        self._arguments = arguments

    def __call__(self, request: LMRequest) -> Completion:
        self.requests.append(request)
        calls = tuple(ToolCall(id=f"call_{n}", name="add", arguments=self._arguments) for n in range(2))
        return Completion(content="both", tool_calls=calls, finish_reason="tool_calls")


def asking(*messages: lm15.Message, **config: object) -> lm15.Request:
    given = (lm15.Message.user("2+3?"), *messages)
    return lm15.Request(model="m", messages=given, tools=(TOOL,), config=lm15.Config(**config))


def test_every_call_of_an_episode_has_an_id_of_its_own() -> None:
    engine = Engine(make_lm(Heard()), supports_function_calling=True)
    replies = [engine.complete(asking()).message for _ in range(2)]
    ids = [part.id for reply in replies for part in reply.parts_of(lm15.ToolCallPart)]
    assert ids == ["call_1", "call_2", "call_3", "call_4"]
    assert replies[0].first(lm15.TextPart).text == "both"


def test_calls_and_results_arrive_as_messages_with_their_ids() -> None:
    lm = Heard()
    said = Engine(make_lm(lm), supports_function_calling=True).complete(asking()).message
    results = [lm15.ToolResultPart(id=f"call_{n}", content=(lm15.TextPart(text=f"r{n}"),)) for n in (1, 2)]
    Engine(make_lm(lm)).complete(asking(said, lm15.Message.tool(results)))
    _, assistant, *tools = lm.requests[-1].messages
    assert [(call.id, call.arguments) for call in assistant.tool_calls] == [
        ("call_1", '{"a": 2}'),
        ("call_2", '{"a": 2}'),
    ]
    assert [(message.role, message.tool_call_id, message.content) for message in tools] == [
        ("tool", "call_1", "r1"),
        ("tool", "call_2", "r2"),
    ]
