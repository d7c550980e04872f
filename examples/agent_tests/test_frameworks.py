"""Agents of frameworks that demand their result as the call of a tool, beside the tools of the agent's own."""

import pytest
from pydantic import BaseModel

from react_tck import ScriptedLM


class City(BaseModel):
    name: str
    degrees: int


def find_degrees(city: str) -> int:
    """How hot it is in a city."""
    return {"Rome": 31}[city]


def test_an_agent_of_pydantic_ai_gives_its_output(scripted_lm: ScriptedLM) -> None:
    pydantic_ai = pytest.importorskip("pydantic_ai", reason="pip install 'pydantic-ai-slim[openai]'")
    lm = scripted_lm(environment=True)
    lm.calls("find_degrees", city="Rome").answers(name="Rome", degrees=31)

    agent = pydantic_ai.Agent("openai-chat:any", output_type=City, tools=[find_degrees])

    assert agent.run_sync("How hot is it in Rome?").output == City(name="Rome", degrees=31)


def test_an_agent_of_pydantic_ai_tells_the_lm_what_is_wrong_with_its_args(scripted_lm: ScriptedLM) -> None:
    pydantic_ai = pytest.importorskip("pydantic_ai", reason="pip install 'pydantic-ai-slim[openai]'")
    lm = scripted_lm(environment=True)
    lm.on_purpose().calls("find_degrees", town="Rome").calls("find_degrees", city="Rome").says("31 degrees.")

    agent = pydantic_ai.Agent("openai-chat:any", tools=[find_degrees])

    assert agent.run_sync("How hot is it in Rome?").output == "31 degrees."
    assert "Field required" in (lm.requests[1].messages[-1].content or "")


def test_an_agent_of_langchain_gives_its_output(scripted_lm: ScriptedLM) -> None:
    agents = pytest.importorskip("langchain.agents", reason="pip install langchain langchain-openai")
    structured = pytest.importorskip("langchain.agents.structured_output")
    pytest.importorskip("langchain_openai")
    lm = scripted_lm(environment=True)
    lm.calls("find_degrees", city="Rome").answers(name="Rome", degrees=31)

    agent = agents.create_agent("openai:any", [find_degrees], response_format=structured.ToolStrategy(City))
    done = agent.invoke({"messages": [{"role": "user", "content": "How hot is it in Rome?"}]})

    assert done["structured_response"] == City(name="Rome", degrees=31)
