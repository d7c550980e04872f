"""The real `langchain.agents.create_agent` as a subject."""

import asyncio
from collections.abc import Callable
from typing import Any

from react_tck.fakes.callables import KitTool
from react_tck.model.case import Invocation, Options
from react_tck.model.manifest import Capability
from react_tck.model.outcome import Outcome, failed
from react_tck.model.protocol import Endpoint
from react_tck.model.signature import Signature
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.subjects.lanes import TIMEOUT, ServedSubject, http_clients
from react_tck.subjects.libraries.task import ANSWER_TOOL, AboutLibrary, Task, native_manifest

#: It takes messages and gives messages, among them the answer; the answer may be typed.
_CAPABILITIES: tuple[Capability, ...] = (
    "arrow-signature",
    "typed-fields",
    "nested-fields",
    "async",
    "async-tools",
    "tool-interruptions",
)
#: A `recursion_limit` of 9999, of which a step takes two: one asks the LM, one runs the tools.
_DEFAULT_STEPS = 5000
_CHOICES = {
    "unknown-tool": "observe and continue",
    "tool-name-matching": "exact",
    "malformed-args": "error, or observe",
    "empty-args": "empty object",
    "schema-mismatch": "coerce when lossless",
    "malformed-reply": "retries 0, then error, or retries 0, then observe",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "tool-error": "error",
    "lm-fault": "error",
    "steps-exhausted": "error",
    "max-steps-default": str(_DEFAULT_STEPS),
    "max-steps-zero": "refuse",
}


def subject() -> Subject:
    """The subject."""
    about = AboutLibrary("langchain create_agent", "langchain", "https://github.com/langchain-ai/langchain")
    manifest = native_manifest(about, _CAPABILITIES, _CHOICES, max_steps=_DEFAULT_STEPS, answer_tool=ANSWER_TOOL)
    return ServedSubject(manifest, _build)


def _build(signature: Signature, options: Options, endpoints: Endpoints, lm: Endpoint) -> Instance:
    from langchain.agents import create_agent
    from langchain.agents.structured_output import ToolStrategy

    task = Task(signature)
    agent = create_agent(
        _model(lm),
        [_tool(kit, function) for kit, function in zip(endpoints.tools, endpoints.callables, strict=True)],
        system_prompt=task.instructions or None,
        middleware=_limits(options),
        response_format=None if task.is_text else ToolStrategy(task.model),
    )
    return LangchainInstance(agent, task)


def _model(lm: Endpoint) -> Any:
    from langchain_openai import ChatOpenAI

    client, async_client = http_clients()
    return ChatOpenAI(
        model=lm.model,
        base_url=lm.base_url,
        api_key=lm.api_key,
        max_retries=0,
        timeout=TIMEOUT,
        http_client=client,
        http_async_client=async_client,
    )


def _limits(options: Options) -> list[Any]:
    from langchain.agents.middleware import ModelCallLimitMiddleware

    if options.max_steps is None:
        return []
    return [ModelCallLimitMiddleware(run_limit=options.max_steps, exit_behavior="error")]


class LangchainInstance:
    """A constructed agent."""

    def __init__(self, agent: Any, task: Task) -> None:
        self._agent = agent
        self._task = task

    def call(self, invocation: Invocation) -> Outcome:
        """Invoke the agent in the mode the invocation asks for."""
        try:
            state = {"messages": [("user", self._task.text(invocation.inputs))]}
            result = self._result(state, invocation)
            answer = result["messages"][-1].text if self._task.is_text else result["structured_response"]
            return Outcome(status="ok", outputs=self._task.outputs(answer))
        except Exception as error:
            return failed(error)

    def _result(self, state: dict[str, Any], invocation: Invocation) -> Any:
        if invocation.mode == "async":
            return asyncio.run(self._agent.ainvoke(state))
        return self._agent.invoke(state)


def _tool(kit: KitTool, function: Callable[..., Any]) -> Any:
    from langchain_core.tools import StructuredTool

    form = {"coroutine": function} if kit.tool.is_async else {"func": function}
    return StructuredTool.from_function(**form, name=kit.tool.name, description=kit.tool.description)
