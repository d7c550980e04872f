"""The real `LlmAgent` of Google's Agent Development Kit as a subject, on its `LiteLlm`, as a user would connect it."""

import os
from importlib import import_module
from importlib.metadata import version
from typing import Any

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS

# Otherwise litellm fetches a price list from the network when imported.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
# Before the first row, which litellm's 2,800 modules may take all the time of where others work beside it.
for _module in ("google.adk.runners", "litellm.main"):
    import_module(_module)

#: Its client asks a failed provider three times. A limit of 0 says that there is none.
_CHOICES = {
    "unknown-tool": "observe and continue, or error",
    "tool-name-matching": "exact",
    "malformed-args": "error",
    # Single quotes, bare keys, fences.
    "args-notation": "JSON only, or repaired when certain",
    "empty-args": "empty object, or error",
    "schema-mismatch": "passed as given",
    "malformed-reply": "retries 0, then error",
    "repeated-field": "last",
    "cut-off-answer": "refused",
    "lm-fault": "retries 2, then error",
    "tool-error": "error",
    "steps-exhausted": "error",
    "max-steps-default": "500",
    "max-steps-zero": "default",
    "integer-range": "any",
}
_USER = "tck"


@react_tck.subject(
    "google-adk LlmAgent",
    version=version("google-adk"),
    homepage="https://google.github.io/adk-docs",
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
    deviations=DEVIATIONS["google-adk"],
    default_max_steps=500,
)
class GoogleADK:
    """An agent that a runner in memory runs; each call is a session of its own."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create the agent for the task."""
        from google.adk.agents import LlmAgent
        from google.adk.models.lite_llm import LiteLlm

        task.check()
        self._task = task
        self._agent: Any = LlmAgent(
            name="tck",
            model=LiteLlm(model=f"openai/{lm.model}", api_base=lm.base_url, api_key=lm.api_key),
            instruction=task.instructions,
            tools=tools.as_functions(),
            output_schema=None if task.is_text else task.model,
        )

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run the agent in the event loop that runs; `max_steps` replaces the limit of the task."""
        from google.adk.runners import InMemoryRunner
        from google.genai import types

        asked = types.Content(role="user", parts=[types.Part(text=self._task.text(inputs))])
        async with InMemoryRunner(agent=self._agent) as runner:
            session = await runner.session_service.create_session(app_name=runner.app_name, user_id=_USER)
            events = runner.run_async(
                user_id=_USER, session_id=session.id, new_message=asked, run_config=self._limit_calls(max_steps)
            )
            final = [event async for event in events if event.is_final_response()]
        return self._read_answer(final[-1])

    def _limit_calls(self, max_steps: int | None) -> Any:
        from google.adk.agents.run_config import RunConfig

        limit = self._task.max_steps if max_steps is None else max_steps
        return None if limit is None else RunConfig(max_llm_calls=limit)

    def _read_answer(self, event: Any) -> react_tck.Done:
        """Return what the run's last event says: the text of its parts, which is JSON where the answer has a type."""
        if event.error_code:
            raise RuntimeError(f"{event.error_code}: {event.error_message}")
        said = "".join(part.text or "" for part in event.content.parts or ()) if event.content else ""
        answer = said if self._task.is_text else self._task.model.model_validate_json(said)
        return react_tck.Done(self._task.answer(answer))
