"""The real `pydantic_ai.Agent` as a subject, connected as a user would connect it."""

from importlib.metadata import version
from typing import Any

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS

#: What can't be followed is told the LM in a step of its own; the second time in a row it ends the call.
_CHOICES = {
    "unknown-tool": "observe and continue, or error",
    "tool-name-matching": "exact",
    "malformed-args": "observe, or error",
    "args-notation": "JSON only",
    "empty-args": "observe, or empty object",
    "schema-mismatch": "coerce when lossless, or observe, or error",
    "malformed-reply": "retries 0, then observe, or retries 0, then error",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "tool-error": "error",
    "lm-fault": "retries 2, then error",
    "steps-exhausted": "error",
    "max-steps-default": "50",
    "max-steps-zero": "refuse",
    "integer-range": "any",
}


@react_tck.subject(
    "pydantic_ai.Agent",
    version=version("pydantic-ai-slim"),
    homepage="https://github.com/pydantic/pydantic-ai",
    dialects=["native"],
    # It takes a text and gives a text or a typed answer; its messages have clock times in them. Its documentation says
    # of tools that they "can return anything that Pydantic can serialize to JSON".
    capabilities=["typed-fields", "nested-fields", "async-tools", "tool-interruptions", "parallel-tool-calls"],
    choices=_CHOICES,
    deviations=DEVIATIONS["pydantic-ai"],
    default_max_steps=50,
    answer_tool="final_result",
)
class PydanticAI:
    """An agent of pydantic-ai's; what it is told is this class's wording."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create the agent for the task; its model is given to each call."""
        from pydantic_ai import Agent, Tool

        task.check()
        self._task = task
        self._lm = lm
        self._agent: Any = Agent(
            tools=[Tool(t.function, takes_ctx=False, name=t.name, description=t.description) for t in tools],
            output_type=str if task.is_text else task.model,
            instructions=task.instructions or None,
        )

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run the agent synchronously; `max_steps` replaces the limit of the task."""
        return self._read_answer(self._agent.run_sync(self._task.text(inputs), **self._make_run_options(max_steps)))

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run it in the event loop that runs."""
        return self._read_answer(await self._agent.run(self._task.text(inputs), **self._make_run_options(max_steps)))

    def _make_run_options(self, max_steps: int | None) -> dict[str, Any]:
        from pydantic_ai import UsageLimits

        limit = self._task.max_steps if max_steps is None else max_steps
        limits = {} if limit is None else {"usage_limits": UsageLimits(request_limit=limit)}
        # A client belongs to the event loop it was first used in.
        return {"model": _make_model(self._lm), **limits}

    def _read_answer(self, result: Any) -> react_tck.Done:
        return react_tck.Done(self._task.answer(result.output))


def _make_model(lm: react_tck.LM) -> Any:
    from openai import DEFAULT_MAX_RETRIES
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = lm.async_client().with_options(max_retries=DEFAULT_MAX_RETRIES)
    return OpenAIChatModel(lm.model, provider=OpenAIProvider(openai_client=client))
