"""crewAI's `Agent`: `react-tck run --python PYTHON python:examples.frameworks.crewai_agent:CrewAI`.

PYTHON's environment has `crewai`, and nothing of the kit.
"""

import os

# Before it is imported, or it asks whether it may tell of the run.
os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false", OTEL_SDK_DISABLED="true")

from importlib.metadata import version
from typing import Any

from crewai import LLM, Agent
from crewai.tools import tool as make_tool

import react_tck

#: How much a model takes crewAI knows by its name; of one that it doesn't know it expects 8,192 tokens.
_MODEL = "openai/gpt-4o"


@react_tck.subject(
    "crewAI Agent",
    version=version("crewai"),
    homepage="https://github.com/crewAIInc/crewAI",
    dialects=["native"],
    # A typed answer it makes by another request, of a text that it has.
    capabilities=["async-tools", "parallel-tool-calls"],
    default_max_steps=25,
    deviations={"CREWAI_DISABLE_TELEMETRY, CREWAI_TRACING_ENABLED, OTEL_SDK_DISABLED: nothing is told about a run": []},
)
class CrewAI:
    """An agent for each call, without a crew."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create an agent for the task, to see that it can be."""
        task.check()
        self._task, self._tools, self._lm = task, tools, lm
        self._make_agent(None)

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Kick it off synchronously."""
        agent = self._make_agent(max_steps)
        return self._read_answer(agent.kickoff(self._task.text(inputs)))

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Kick it off in the event loop that runs."""
        agent = self._make_agent(max_steps)
        return self._read_answer(await agent.kickoff_async(self._task.text(inputs)))

    def _make_agent(self, max_steps: int | None) -> Agent:
        limit = self._task.max_steps if max_steps is None else max_steps
        return Agent(
            role="assistant",
            goal=self._task.instructions or "Answer the question.",
            backstory="You have tools.",
            llm=LLM(_MODEL, base_url=self._lm.base_url, api_key=self._lm.api_key),
            tools=[make_tool(tool.name)(tool.function) for tool in self._tools],
            **({} if limit is None else {"max_iter": limit}),
        )

    def _read_answer(self, result: Any) -> react_tck.Done:
        return react_tck.Done(self._task.answer(result.raw))
