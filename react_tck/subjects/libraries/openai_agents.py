"""The real `agents.Agent` of OpenAI's Agents SDK as a subject, with its own provider, as a user would connect it."""

from importlib.metadata import version
from typing import Any

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS

#: Its client asks a failed provider three times.
_CHOICES = {
    "unknown-tool": "error",
    "tool-name-matching": "exact",
    "malformed-args": "observe",
    "args-notation": "JSON only",
    "empty-args": "empty object, or observe",
    "schema-mismatch": "coerce when lossless, or observe",
    "malformed-reply": "retries 0, then error",
    "repeated-field": "last",
    "cut-off-answer": "refused",
    "lm-fault": "retries 2, then error",
    "tool-error": "observe",
    "steps-exhausted": "error",
    "max-steps-default": "10",
    "max-steps-zero": "refuse",
    "integer-range": "any",
}


@react_tck.subject(
    "openai-agents Agent",
    version=version("openai-agents"),
    homepage="https://openai.github.io/openai-agents-python",
    # It answers in text; where the answer has a type, the request demands JSON of it.
    dialects=["native", "json"],
    capabilities=[
        "typed-fields",
        "nested-fields",
        "async-tools",
        "opaque-results",
        "tool-interruptions",
        "parallel-tool-calls",
    ],
    choices=_CHOICES,
    deviations=DEVIATIONS["openai-agents"],
    default_max_steps=10,
)
class OpenAIAgents:
    """An agent of the Agents SDK, which asks by the Responses API; what it is told is this class's wording."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create the agent for the task; its model is given to each call."""
        from agents import Agent

        task.check()
        self._task, self._lm = task, lm
        self._agent: Any = Agent(
            name="tck",
            model=lm.model,
            instructions=task.instructions or None,
            tools=[_make_tool(function) for function in tools.as_functions()],
            output_type=None if task.is_text else _make_output_type(task.model),
        )

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run the agent synchronously; `max_steps` replaces the limit of the task."""
        from agents import Runner

        asked, options = self._task.text(inputs), self._make_run_options(max_steps)
        return self._read_answer(Runner.run_sync(self._agent, asked, **options))

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run it in the event loop that runs."""
        from agents import Runner

        asked, options = self._task.text(inputs), self._make_run_options(max_steps)
        return self._read_answer(await Runner.run(self._agent, asked, **options))

    def _make_run_options(self, max_steps: int | None) -> dict[str, Any]:
        from agents import OpenAIProvider, RunConfig
        from openai import AsyncOpenAI

        client = AsyncOpenAI(base_url=self._lm.base_url, api_key=self._lm.api_key)
        provider = OpenAIProvider(openai_client=client)
        limit = self._task.max_steps if max_steps is None else max_steps
        limits = {} if limit is None else {"max_turns": limit}
        return {"run_config": RunConfig(model_provider=provider, tracing_disabled=True), **limits}

    def _read_answer(self, result: Any) -> react_tck.Done:
        return react_tck.Done(self._task.answer(result.final_output))


def _make_tool(function: Any) -> Any:
    from agents import UserError, function_tool

    try:
        return function_tool(function)
    except UserError:
        return function_tool(function, strict_mode=False)


def _make_output_type(model: Any) -> Any:
    from agents import AgentOutputSchema, UserError

    try:
        return AgentOutputSchema(model)
    except UserError:
        return AgentOutputSchema(model, strict_json_schema=False)
