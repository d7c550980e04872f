"""The real `create_react_agent` of langchain-classic, in its `AgentExecutor`, connected as a user would connect it.

The library's ReAct agent calls tools with one text. A tool here takes a JSON object as that text, as the prompt says,
and decodes it with Python's `json`; what is no such object is a `ToolException`, which the agent is told of. Where the
iterations have run out the executor answers with a sentence of its own, which is no answer to the task.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from pydantic import ValidationError, validate_call

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS
from react_tck.subjects.libraries.langchain_parts import chat_model

_DEFAULT_STEPS = 15
_STOPPED = "Agent stopped due to iteration limit or time limit."
#: The prompt that the library's documentation gives, for tools that take JSON, with the task's instructions.
_TEMPLATE = """Answer the following questions as best you can. You have access to the following tools:

{tools}

Use the following format:

Question: the input question you must answer
Thought: you should always think about what to do
Action: the action to take, should be one of [{tool_names}]
Action Input: the input to the action, a JSON object with the arguments of the tool
Observation: the result of the action
... (this Thought/Action/Action Input/Observation can repeat N times)
Thought: I now know the final answer
Final Answer: the final answer to the original input question

{instructions}

Begin!

Question: {input}
Thought:{agent_scratchpad}"""
_CHOICES = {
    "unknown-tool": "observe and continue",
    "tool-name-matching": "exact",
    "malformed-args": "observe",
    "args-notation": "JSON only",
    "empty-args": "observe",
    "schema-mismatch": "coerce when lossless, or observe",
    "malformed-reply": "retries 0, then observe",
    "repeated-field": "last in react-text, or refused in react-text",
    "cut-off-answer": "returned",
    "tool-error": "error",
    "lm-fault": "retries 2, then error",
    "steps-exhausted": "error",
    "max-steps-default": str(_DEFAULT_STEPS),
    "max-steps-zero": "refuse",
    "integer-range": "any",
}


@react_tck.subject(
    "langchain-classic create_react_agent",
    version=version("langchain-classic"),
    homepage="https://github.com/langchain-ai/langchain",
    dialects=["react-text"],
    capabilities=["step-signature", "async-tools", "opaque-results", "tool-interruptions"],
    choices=_CHOICES,
    deviations=DEVIATIONS["langchain-classic"],
    default_max_steps=_DEFAULT_STEPS,
)
class LangChainClassic:
    """An agent that tells its LM of what it couldn't read, as `handle_parsing_errors=True` has it."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create the agent from the prompt template, and the executor that runs it with the task's step limit."""
        from langchain_classic.agents import AgentExecutor, create_react_agent
        from langchain_core.prompts import PromptTemplate

        task.check()
        self._task = task
        made = [_make_tool(tool) for tool in tools]
        prompt = PromptTemplate.from_template(_TEMPLATE).partial(instructions=task.instructions)
        agent = create_react_agent(chat_model(lm), made, prompt)
        limit = {} if task.max_steps is None else {"max_iterations": task.max_steps}
        self._executor = AgentExecutor(agent=agent, tools=made, handle_parsing_errors=True, **limit)

    def call(self, inputs: dict[str, Any]) -> react_tck.Done | react_tck.Exhausted:
        """Invoke the executor synchronously; `Exhausted` where its iterations have run out."""
        return self._read_result(self._executor.invoke({"input": self._task.text(inputs)}))

    async def acall(self, inputs: dict[str, Any]) -> react_tck.Done | react_tck.Exhausted:
        """Invoke it in the event loop that runs."""
        return self._read_result(await self._executor.ainvoke({"input": self._task.text(inputs)}))

    def _read_result(self, result: dict[str, Any]) -> react_tck.Done | react_tck.Exhausted:
        said = result["output"]
        if said == _STOPPED:
            return react_tck.Exhausted(message=said)
        return react_tck.Done(self._task.answer(said if self._task.is_text else json.loads(said)))


def _make_tool(tool: react_tck.TaskTool) -> Any:
    """Return a tool of one text, as the agent calls them, for a function whose args pydantic checks and converts."""
    from langchain_core.tools import Tool

    checked = validate_call(tool.function)

    def run_tool(text: str) -> Any:
        with _refusing_args(tool):
            return checked(**_parse_args(text))

    async def arun_tool(text: str) -> Any:
        with _refusing_args(tool):
            found = checked(**_parse_args(text))
            return await found if tool.is_async else found

    described = f"{tool.description} Takes a JSON object: {json.dumps(tool.parameters, ensure_ascii=False)}"
    func = None if tool.is_async else run_tool
    return Tool(name=tool.name, description=described, func=func, coroutine=arun_tool, handle_tool_error=True)


@contextmanager
def _refusing_args(tool: react_tck.TaskTool) -> Iterator[None]:
    """Tell the agent of args that don't fit the function; what the function raises itself is let through."""
    from langchain_core.tools import ToolException

    try:
        yield
    except ValidationError as error:
        if error.title != tool.function.__name__:
            raise
        raise ToolException(f"the input doesn't fit: {error}") from error


def _parse_args(text: str) -> dict[str, Any]:
    from langchain_core.tools import ToolException

    try:
        args = json.loads(text, parse_constant=_refuse_constant)
    except ValueError as error:
        raise ToolException(f"the input is not JSON: {error}") from error
    if not isinstance(args, dict):
        raise ToolException(f"the input is not a JSON object: {text}")
    return args


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
