"""The real `pydantic_ai.Agent` as a subject."""

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
from react_tck.subjects.lanes import ServedSubject, http_clients
from react_tck.subjects.libraries.task import AboutLibrary, Task, native_manifest

#: It takes a text and gives a text or a typed answer; its messages have clock times in them.
_CAPABILITIES: tuple[Capability, ...] = (
    "arrow-signature",
    "typed-fields",
    "nested-fields",
    "call-max-steps",
    "async",
    "async-tools",
    "tool-interruptions",
)
#: What can't be followed is told the LM in a step of its own; the second time in a row it ends the call.
_CHOICES = {
    "unknown-tool": "observe and continue, or error",
    "tool-name-matching": "exact",
    "malformed-args": "observe, or error",
    "args-notation": "JSON only",
    "empty-args": "observe, or empty object",
    "schema-mismatch": "coerce when lossless",
    "malformed-reply": "retries 0, then observe, or retries 0, then error",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "tool-error": "error",
    "lm-fault": "error",
    "steps-exhausted": "error",
    "max-steps-default": "50",
    "max-steps-zero": "refuse",
}


def subject() -> Subject:
    """The subject."""
    about = AboutLibrary("pydantic_ai.Agent", "pydantic-ai-slim", "https://github.com/pydantic/pydantic-ai")
    manifest = native_manifest(about, _CAPABILITIES, _CHOICES, max_steps=50, answer_tool="final_result")
    return ServedSubject(manifest, _build)


def _build(signature: Signature, options: Options, endpoints: Endpoints, lm: Endpoint) -> Instance:
    from pydantic_ai import Agent

    task = Task(signature)
    agent = Agent(
        tools=[_tool(kit, function) for kit, function in zip(endpoints.tools, endpoints.callables, strict=True)],
        output_type=str if task.is_text else task.model,
        instructions=task.instructions or None,
    )
    return PydanticAIInstance(agent, task, lm, options.max_steps)


class PydanticAIInstance:
    """A constructed agent."""

    def __init__(self, agent: Any, task: Task, lm: Endpoint, max_steps: int | None) -> None:
        self._agent = agent
        self._task = task
        self._lm = lm
        self._max_steps = max_steps

    def call(self, invocation: Invocation) -> Outcome:
        """Run the agent in the mode the invocation asks for."""
        try:
            result = self._result(self._task.text(invocation.inputs), self._how(invocation), invocation)
            return Outcome(status="ok", outputs=self._task.outputs(result.output))
        except Exception as error:
            return failed(error)

    def _how(self, invocation: Invocation) -> dict[str, Any]:
        from pydantic_ai import UsageLimits

        limit = self._max_steps if invocation.max_steps is None else invocation.max_steps
        limits = {} if limit is None else {"usage_limits": UsageLimits(request_limit=limit)}
        # A client belongs to the event loop it was first used in.
        return {"model": _model(self._lm), **limits}

    def _result(self, text: str, how: dict[str, Any], invocation: Invocation) -> Any:
        if invocation.mode == "async":
            return asyncio.run(self._agent.run(text, **how))
        return self._agent.run_sync(text, **how)


def _model(lm: Endpoint) -> Any:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(base_url=lm.base_url, api_key=lm.api_key, max_retries=0, http_client=http_clients()[1])
    return OpenAIChatModel(lm.model, provider=OpenAIProvider(openai_client=client))


def _tool(kit: KitTool, function: Callable[..., Any]) -> Any:
    from pydantic_ai import Tool

    return Tool(function, takes_ctx=False, name=kit.tool.name, description=kit.tool.description)
