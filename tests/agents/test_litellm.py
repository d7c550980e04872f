"""A program on litellm, which speaks to each provider by itself: fallbacks, tools and embeddings."""

import json
from typing import Any

import pytest

import react_tck


@pytest.fixture(name="litellm")
def _litellm() -> Any:
    """Imported where it is used: whoever collects tests would wait for it."""
    return pytest.importorskip("litellm")


PARAMETERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
TOOLS = [{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": PARAMETERS}}]


def where(provider: str, lm: Any) -> dict[str, str]:
    """The model and the address of the LM, as litellm wants them for a provider."""
    match provider:
        case "anthropic":
            return {"model": "anthropic/m", "api_base": lm.root_url, "api_key": lm.api_key}
        case "gemini":
            return {"model": "gemini/m", "api_base": f"{lm.root_url}/v1beta", "api_key": lm.api_key}
        case "ollama_chat":
            return {"model": "ollama_chat/m", "api_base": lm.root_url}
        case "azure":
            versioned = {"api_base": lm.root_url, "api_version": "2024-10-21"}
            return {"model": "azure/m", "api_key": lm.api_key, **versioned}
    return {"model": "openai/m", "api_base": lm.base_url, "api_key": lm.api_key}


@pytest.mark.parametrize("provider", ["openai", "azure", "anthropic", "gemini", "ollama_chat"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_tool_is_run(litellm: Any, scripted_lm: react_tck.ScriptedLM, provider: str, stream: bool) -> None:
    lm = scripted_lm()
    lm.says("Let me add.", calls=[("add", {"a": 2, "b": 3})]).says("It is 5.")
    messages: list[Any] = [{"role": "user", "content": "2+3?"}]

    def ask() -> Any:
        made = litellm.completion(messages=messages, tools=TOOLS, stream=stream, **where(provider, lm))
        whole = litellm.stream_chunk_builder(list(made), messages=messages) if stream else made
        return whole.choices[0].message

    said = ask()
    [call] = said.tool_calls
    args = json.loads(call.function.arguments)
    messages += [
        {"role": "assistant", "content": said.content, "tool_calls": [call.model_dump()]},
        {"role": "tool", "tool_call_id": call.id, "content": str(args["a"] + args["b"])},
    ]
    assert (said.content, ask().content) == ("Let me add.", "It is 5.")
    assert lm.requests[1].messages[-1].content == "5"


@pytest.mark.parametrize(
    ("fault", "error"),
    [(429, "RateLimitError"), (401, "AuthenticationError"), ("context-window", "ContextWindowExceededError")],
)
@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
def test_a_failure_is_the_same_whoever_fails(
    litellm: Any, scripted_lm: react_tck.ScriptedLM, provider: str, fault: Any, error: str
) -> None:
    lm = scripted_lm()
    lm.fails(fault)

    with pytest.raises(getattr(litellm, error)):
        litellm.completion(messages=[{"role": "user", "content": "2+3?"}], max_retries=0, **where(provider, lm))
