"""autogen's `AssistantAgent`: `react-tck run --python PYTHON python:examples.frameworks.autogen_chat:Autogen`.

PYTHON's environment has `autogen-agentchat` and `autogen-ext[openai]`, and nothing of the kit.
"""

import asyncio
from collections.abc import Callable
from importlib.metadata import version
from inspect import signature
from typing import Any, get_type_hints

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import ToolCallSummaryMessage
from autogen_core.tools import FunctionTool
from autogen_ext.models.openai import OpenAIChatCompletionClient

import react_tck

#: autogen knows what OpenAI's models can do by their names; of any other it has to be told.
_MODEL = {"vision": False, "function_calling": True, "json_output": True, "structured_output": True, "family": "gpt-4"}
#: One alone is no loop.
_DEFAULT_STEPS = 10


@react_tck.subject(
    "autogen AssistantAgent",
    version=version("autogen-agentchat"),
    homepage="https://github.com/microsoft/autogen",
    dialects=["native", "json"],
    capabilities=["typed-fields", "nested-fields", "async-tools", "parallel-tool-calls"],
    default_max_steps=_DEFAULT_STEPS,
    deviations={
        f"AssistantAgent(max_tool_iterations={_DEFAULT_STEPS}): by default it takes one step": [],
        "AssistantAgent(system_message=None): by default it is told to reply with TERMINATE": [],
    },
)
class Autogen:
    """An agent for each call: one keeps what was said."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create an agent for the task, to see that it can be."""
        task.check()
        self._task, self._tools, self._lm = task, tools, lm
        self._make_agent(self._make_client(), None)

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done | react_tck.Exhausted:
        """Run it in an event loop of its own."""
        return asyncio.run(self.acall(inputs, max_steps))

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done | react_tck.Exhausted:
        """Run it in the event loop that runs."""
        client = self._make_client()
        agent = self._make_agent(client, max_steps)
        try:
            result = await agent.run(task=self._task.text(inputs))
        finally:
            await client.close()
        said = result.messages[-1]
        if isinstance(said, ToolCallSummaryMessage):
            # Its text is what the last tools returned, and nobody's answer.
            return react_tck.Exhausted(message="the tool iterations have run out")
        return react_tck.Done(self._task.answer(said.content))

    def _make_client(self) -> OpenAIChatCompletionClient:
        lm = self._lm
        return OpenAIChatCompletionClient(model=lm.model, base_url=lm.base_url, api_key=lm.api_key, model_info=_MODEL)

    def _make_agent(self, client: OpenAIChatCompletionClient, max_steps: int | None) -> AssistantAgent:
        is_typed, wanted = not self._task.is_text, self._task.max_steps if max_steps is None else max_steps
        # Beside a typed answer openai's client takes strict tools alone.
        tools = [FunctionTool(_annotate(tool), tool.description, tool.name, strict=is_typed) for tool in self._tools]
        return AssistantAgent(
            "agent",
            client,
            tools=tools,
            system_message=self._task.instructions or None,
            output_content_type=self._task.model if is_typed else None,
            reflect_on_tool_use=is_typed,
            max_tool_iterations=_DEFAULT_STEPS if wanted is None else wanted,
        )


def _annotate(tool: react_tck.TaskTool) -> Callable[..., Any]:
    """Return the tool's function; a parameter of any type is one that autogen has to be told of."""
    tool.function.__annotations__ = dict.fromkeys(signature(tool.function).parameters, Any) | get_type_hints(
        tool.function
    )
    return tool.function
