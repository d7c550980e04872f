"""The real `agno.agent.Agent` as a subject, with its own OpenAI model, as a user would connect it."""

from importlib.metadata import version
from typing import Any

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS

#: Its client asks a failed provider three times. It has no end for steps that run out: it goes on.
_CHOICES = {
    "unknown-tool": "observe and continue",
    "tool-name-matching": "exact",
    "malformed-args": "observe",
    # Python's literals are read too.
    "args-notation": "JSON only, or repaired when certain",
    "empty-args": "empty object, or observe",
    "schema-mismatch": "coerce when lossless, or observe",
    "malformed-reply": "retries 0, then observe",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "lm-fault": "retries 2, then error",
    "tool-error": "observe",
    "integer-range": "any",
}


@react_tck.subject(
    "agno Agent",
    version=version("agno"),
    homepage="https://docs.agno.com",
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
    deviations=DEVIATIONS["agno"],
)
class Agno:
    """An agent of agno's, whose only limit is one of tool calls; each call has a new one, made with that limit."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create an agent for the task, to see that it can be."""
        task.check()
        self._task, self._tools, self._lm = task, tools, lm
        self._make_agent(None)

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run the agent synchronously; `max_steps` replaces the limit of the task."""
        return self._read_result(self._make_agent(max_steps).run(self._task.text(inputs)))

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run it in the event loop that runs."""
        return self._read_result(await self._make_agent(max_steps).arun(self._task.text(inputs)))

    def _make_agent(self, max_steps: int | None) -> Any:
        from agno.agent import Agent
        from agno.models.openai import OpenAIChat

        return Agent(
            model=OpenAIChat(id=self._lm.model, base_url=self._lm.base_url, api_key=self._lm.api_key),
            tools=self._tools.as_functions(),
            instructions=self._task.instructions or None,
            output_schema=None if self._task.is_text else self._task.model,
            tool_call_limit=self._task.max_steps if max_steps is None else max_steps,
            telemetry=False,
        )

    def _read_result(self, result: Any) -> react_tck.Done:
        """Return what a run came to: it raises nothing, and says in its status how it ended."""
        if result.status != "COMPLETED":
            raise RuntimeError(f"{result.status}: {result.content}")
        return react_tck.Done(self._task.answer(result.content))
