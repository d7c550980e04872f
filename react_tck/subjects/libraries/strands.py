"""The real `strands.Agent` of Strands Agents as a subject, with its own OpenAI model, as a user would connect it."""

from importlib.metadata import version
from typing import Any

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS

#: Its client asks a failed provider three times, and its agent asks a busy one six times as often.
_CHOICES = {
    "unknown-tool": "observe and continue",
    "tool-name-matching": "exact",
    "malformed-args": "observe",
    "args-notation": "JSON only",
    "empty-args": "empty object, or observe",
    "schema-mismatch": "coerce when lossless, or observe",
    "malformed-reply": "retries 0, then error, or retries 0, then observe",
    "repeated-field": "last",
    "cut-off-answer": "refused",
    "lm-fault": "retries 2, then error, or retries 17, then error",
    "tool-error": "observe",
    "steps-exhausted": "error",
    "max-steps-zero": "refuse",
    "integer-range": "any",
}


@react_tck.subject(
    "strands.Agent",
    version=version("strands-agents"),
    homepage="https://strandsagents.com",
    dialects=["native"],
    capabilities=["typed-fields", "nested-fields", "async-tools", "parallel-tool-calls"],
    choices=_CHOICES,
    deviations=DEVIATIONS["strands"],
    # The tool that it makes of the task's model is called like the model.
    answer_tool="final_answer",
)
class Strands:
    """An agent of Strands Agents with that library's own client; each call has a new one, for an agent remembers."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create an agent for the task, to see that it can be."""
        task.check()
        self._task, self._tools, self._lm = task, tools, lm
        self._make_agent()

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done | react_tck.Exhausted:
        """Run the agent synchronously; `max_steps` replaces the limit of the task."""
        return self._read_result(self._make_agent()(self._task.text(inputs), limits=self._limit_turns(max_steps)))

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done | react_tck.Exhausted:
        """Run it in the event loop that runs."""
        asked, limits = self._task.text(inputs), self._limit_turns(max_steps)
        return self._read_result(await self._make_agent().invoke_async(asked, limits=limits))

    def _make_agent(self) -> Any:
        from strands import Agent, ModelRetryStrategy, tool
        from strands.models.openai import OpenAIModel

        address = {"base_url": self._lm.base_url, "api_key": self._lm.api_key}
        return Agent(
            model=OpenAIModel(client_args=address, model_id=self._lm.model),
            tools=[tool(function) for function in self._tools.as_functions()],
            system_prompt=self._task.instructions or None,
            structured_output_model=None if self._task.is_text else self._task.model,
            # It asks a busy provider as often as by default, without 124 seconds of waiting between.
            retry_strategy=ModelRetryStrategy(initial_delay=0),
        )

    def _limit_turns(self, max_steps: int | None) -> dict[str, int] | None:
        limit = self._task.max_steps if max_steps is None else max_steps
        return None if limit is None else {"turns": limit}

    def _read_result(self, result: Any) -> react_tck.Done | react_tck.Exhausted:
        if result.stop_reason == "limit_turns":
            return react_tck.Exhausted(message="the turns have run out")
        said = str(result).removesuffix("\n") if self._task.is_text else result.structured_output
        return react_tck.Done(self._task.answer(said), termination=result.stop_reason)
