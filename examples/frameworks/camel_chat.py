"""camel's `ChatAgent`: `react-tck run --python PYTHON python:examples.frameworks.camel_chat:Camel`.

PYTHON's environment has `camel-ai` and `mcp<2`, and nothing of the kit.
"""

from importlib.metadata import version
from typing import Any

from camel.agents import ChatAgent
from camel.models import ModelFactory
from camel.types import ModelPlatformType
from camel.utils import BaseTokenCounter

import react_tck


class Characters(BaseTokenCounter):
    """A character is a token: what OpenAI's are would have to be fetched."""

    def count_tokens_from_messages(self, messages: list[Any]) -> int:
        """Count what the messages say."""
        return len(str(messages))

    def encode(self, text: str) -> list[int]:
        """Make a token of each character."""
        return list(map(ord, text))

    def decode(self, token_ids: list[int]) -> str:
        """Make a text of them again."""
        return "".join(map(chr, token_ids))


@react_tck.subject(
    "camel ChatAgent",
    version=version("camel-ai"),
    homepage="https://github.com/camel-ai/camel",
    dialects=["native", "json"],
    capabilities=["typed-fields", "nested-fields", "async-tools", "parallel-tool-calls"],
    deviations={"ModelFactory.create(token_counter=Characters()): by default OpenAI's tokens are counted": []},
)
class Camel:
    """An agent for each call: one keeps what was said."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create an agent for the task, to see that it can be."""
        task.check()
        self._task, self._tools, self._lm = task, tools, lm
        self._make_agent(None)

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Take a step of a conversation: the task, and whatever it leads to."""
        agent = self._make_agent(max_steps)
        return self._read_answer(agent.step(self._task.text(inputs), response_format=self._answer_type))

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Take it in the event loop that runs."""
        agent = self._make_agent(max_steps)
        return self._read_answer(await agent.astep(self._task.text(inputs), response_format=self._answer_type))

    @property
    def _answer_type(self) -> Any:
        return None if self._task.is_text else self._task.model

    def _make_agent(self, max_steps: int | None) -> ChatAgent:
        model = ModelFactory.create(
            ModelPlatformType.OPENAI_COMPATIBLE_MODEL,
            self._lm.model,
            api_key=self._lm.api_key,
            url=self._lm.base_url,
            token_counter=Characters(),
        )
        limit = self._task.max_steps if max_steps is None else max_steps
        return ChatAgent(self._task.instructions or None, model, tools=self._tools.as_functions(), max_iteration=limit)

    def _read_answer(self, response: Any) -> react_tck.Done:
        """Return what a step came to: one that ends without a message says why."""
        if not response.msgs:
            raise RuntimeError(f"{response.info['termination_reasons']}")
        message = response.msgs[-1]
        if self._task.is_text:
            return react_tck.Done(self._task.answer(message.content))
        if message.parsed is None:
            raise ValueError(f"the answer isn't of the type that was asked for: {message.content}")
        return react_tck.Done(self._task.answer(message.parsed))
