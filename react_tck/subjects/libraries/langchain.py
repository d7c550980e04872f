"""The real `langchain.agents.create_agent` as a subject, connected as a user would connect it."""

from importlib.metadata import version
from typing import Any

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS
from react_tck.subjects.libraries.langchain_parts import chat_model

#: A `recursion_limit` of 9999, of which a step takes two: one asks the LM, one runs the tools.
_DEFAULT_STEPS = 5000
_CHOICES = {
    "unknown-tool": "observe and continue",
    "tool-name-matching": "exact",
    "malformed-args": "error, or observe",
    "empty-args": "empty object",
    "schema-mismatch": "coerce when lossless, or observe",
    "malformed-reply": "retries 0, then observe",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "tool-error": "error",
    "lm-fault": "retries 2, then error",
    "steps-exhausted": "error",
    "max-steps-default": str(_DEFAULT_STEPS),
    "max-steps-zero": "refuse",
    "integer-range": "any",
}


@react_tck.subject(
    "langchain create_agent",
    version=version("langchain"),
    homepage="https://github.com/langchain-ai/langchain",
    dialects=["native"],
    # It takes messages and gives messages, among them the answer; the answer may be typed.
    capabilities=[
        "typed-fields",
        "nested-fields",
        "async-tools",
        "opaque-results",
        "tool-interruptions",
        "parallel-tool-calls",
    ],
    choices=_CHOICES,
    deviations=DEVIATIONS["langchain"],
    default_max_steps=_DEFAULT_STEPS,
    answer_tool="final_answer",
)
class LangChain:
    """An agent of langchain's; what it is told is this class's wording."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create the agent for the task: its tools, its step limit, and a typed answer unless that is a text."""
        from langchain.agents import create_agent
        from langchain.agents.structured_output import ToolStrategy

        task.check()
        self._task = task
        self._agent = create_agent(
            chat_model(lm),
            [_make_tool(tool) for tool in tools],
            system_prompt=task.instructions or None,
            middleware=_make_limits(task.max_steps),
            response_format=None if task.is_text else ToolStrategy(task.model),
        )

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Invoke the agent synchronously and read its answer."""
        return self._read_answer(self._agent.invoke(self._make_state(inputs)))

    async def acall(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Invoke it in the event loop that runs."""
        return self._read_answer(await self._agent.ainvoke(self._make_state(inputs)))

    def _make_state(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [("user", self._task.text(inputs))]}

    def _read_answer(self, result: dict[str, Any]) -> react_tck.Done:
        said = result["messages"][-1].text if self._task.is_text else result["structured_response"]
        return react_tck.Done(self._task.answer(said))


def _make_limits(max_steps: int | None) -> list[Any]:
    from langchain.agents.middleware import ModelCallLimitMiddleware

    return [] if max_steps is None else [ModelCallLimitMiddleware(run_limit=max_steps, exit_behavior="error")]


def _make_tool(tool: react_tck.TaskTool) -> Any:
    """Return a tool that checks and converts its args."""
    from langchain_core.tools import StructuredTool

    form = {"coroutine": tool.function} if tool.is_async else {"func": tool.function}
    return StructuredTool.from_function(**form, name=tool.name, description=tool.description)
