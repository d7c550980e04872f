"""The real `ReActAgent` of llama-index as a subject, on its `OpenAILike`, as a user would connect it."""

import json
from importlib.metadata import version
from typing import Any

from llama_index.core.agent.workflow import ReActAgent
from llama_index.llms.openai_like import OpenAILike

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS

#: Its client asks a failed provider four times. A limit of 0 is taken for none that is given.
_CHOICES = {
    "unknown-tool": "observe and continue",
    "tool-name-matching": "exact",
    # What it told of such args before is left out when it asks again: that is the request before, word for word.
    "malformed-args": "observe, or error",
    # `dirtyjson` reads what it can.
    "args-notation": "repaired when certain",
    "empty-args": "observe",
    "schema-mismatch": "passed as given",
    "malformed-reply": "retries 0, then observe",
    "repeated-field": "first in react-text, or last in react-text",
    "cut-off-answer": "returned",
    "lm-fault": "retries 3, then error",
    "tool-error": "observe",
    "steps-exhausted": "error",
    "max-steps-default": "20",
    "max-steps-zero": "default",
    "integer-range": "any",
}


@react_tck.subject(
    "llama-index ReActAgent",
    version=version("llama-index-core"),
    homepage="https://developers.llamaindex.ai",
    dialects=["react-text; final-answer=Answer"],
    capabilities=["step-signature", "async-tools", "opaque-results", "tool-interruptions"],
    choices=_CHOICES,
    deviations=DEVIATIONS["llama-index"],
    default_max_steps=20,
)
class LlamaIndex:
    """An agent that is awaited; each call has a context of its own."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create the agent for the task."""
        task.check()
        self._task, self._lm = task, lm
        self._agent: Any = ReActAgent(
            tools=tools.as_functions(), llm=_make_llm(lm), system_prompt=task.instructions or None
        )

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run the agent in the event loop that runs; `max_steps` replaces the limit of the task."""
        self._agent.llm = _make_llm(self._lm)
        limit = self._task.max_steps if max_steps is None else max_steps
        result = await self._agent.run(user_msg=self._task.text(inputs), max_iterations=limit)
        said = result.response.content or ""
        return react_tck.Done(self._task.answer(said if self._task.is_text else json.loads(said)))


def _make_llm(lm: react_tck.LM) -> Any:
    return OpenAILike(model=lm.model, api_base=lm.base_url, api_key=lm.api_key, is_chat_model=True)
