"""Connects the RequirementAgent of beeai-framework to react-tck, as docs/API.md describes."""

import asyncio
import os
from importlib.metadata import version
from typing import Any

# litellm looks for a newer list of prices when it is imported.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

from beeai_framework.adapters.openai import OpenAIChatModel
from beeai_framework.agents.requirement import RequirementAgent
from beeai_framework.tools import tool

import react_tck


@react_tck.subject(
    "beeai RequirementAgent",
    version=version("beeai-framework"),
    homepage="https://framework.beeai.dev",
    dialects=["native"],
    capabilities=["typed-fields", "nested-fields", "async-tools"],
    answer_tool="final_answer",
    default_max_steps=20,
    retries=3,
    # The day stands in its prompt, a call that it makes of a text has an id, and tools are listed as a set has them.
    varies=[r"\d{4}-\d{2}-\d{2}", r"call_[a-z0-9]{8}", r"Available tools: [\w,]+"],
)
class RequirementAgents:
    """An agent that takes its answer by a tool's call; each call has one of its own, for it remembers the last."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Make the model and the tools."""
        task.check()
        self._task = task
        self._tools = [tool(function) for function in tools.as_functions()]
        self._llm = OpenAIChatModel(
            lm.model,
            base_url=lm.base_url,
            api_key=lm.api_key,
            tool_choice_support={"required", "none", "single", "auto"},
        )

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run the agent in an event loop of this call's."""
        return asyncio.run(self.acall(inputs, max_steps))

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run it in the event loop that runs."""
        agent = RequirementAgent(llm=self._llm, tools=self._tools, instructions=self._task.instructions or None)
        limit = self._task.max_steps if max_steps is None else max_steps
        options: dict[str, Any] = {} if limit is None else {"max_iterations": limit}
        if not self._task.is_text:
            options["expected_output"] = self._task.model
        output = await agent.run(self._task.text(inputs), **options)
        answer = output.last_message.text if self._task.is_text else output.output_structured
        return react_tck.Done(self._task.answer(answer))


if __name__ == "__main__":
    react_tck.wire.serve(RequirementAgents)
