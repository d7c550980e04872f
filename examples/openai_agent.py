"""An agent that speaks OpenAI's API, and can be awaited: `react-tck run python:examples.openai_agent:Mine`."""

import asyncio
import json
from typing import TYPE_CHECKING, Any

import react_tck

if TYPE_CHECKING:
    from openai import AsyncOpenAI


class ToolCaller:
    """A loop over native tool calls, with OpenAI's client."""

    def __init__(self, model: str, system: str, tools: list[Any], max_steps: int) -> None:
        self.model = model
        self.system = system
        self.functions = {tool.__name__: tool for tool in tools}
        self.max_steps = max_steps

    async def run(
        self, client: "AsyncOpenAI", question: str, offered: list[Any]
    ) -> tuple[str | None, list[dict[str, Any]]]:
        """Return the LM's answer and the steps; no answer where the steps have run out."""
        messages: list[Any] = [{"role": "system", "content": self.system}, {"role": "user", "content": question}]
        steps: list[dict[str, Any]] = []
        for _ in range(self.max_steps):
            reply = await client.chat.completions.create(model=self.model, messages=messages, tools=offered)
            said: Any = reply.choices[0].message
            if not said.tool_calls:
                return said.content, steps
            messages.append(said.model_dump(exclude_none=True))
            for call in said.tool_calls:
                name, arguments = call.function.name, call.function.arguments
                observation = self.observe(name, arguments)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": observation})
                steps.append(
                    {"thought": said.content, "tool_name": name, "tool_args": arguments, "observation": observation}
                )
        return None, steps

    def observe(self, name: str, arguments: str) -> str:
        """Return the tool's result, or what went wrong, as text."""
        try:
            return str(self.functions[name](**json.loads(arguments)))
        except Exception as error:
            return f"Error executing {name}: {error!r}"


@react_tck.subject(
    "tool-caller",
    version="1.0",
    dialects=["native", "json"],  # tool calls, and JSON for the answer
    capabilities=["trajectory"],
    default_max_steps=10,
)
class Mine:
    """Connects it."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Build the agent."""
        task.check()
        names = "\n".join(f"{number}. `{field.name}`" for number, field in enumerate(task.outputs, 1))
        system = f"{task.instructions}\nYour output fields are:\n{names}\nAnswer with a JSON object of these fields."
        steps = 10 if task.max_steps is None else task.max_steps
        self.task, self.lm, self.offered = task, lm, tools.as_schemas()
        self.agent = ToolCaller(lm.model, system, tools.as_functions(), steps)

    async def acall(self, inputs: dict[str, Any]) -> react_tck.Done | react_tck.Exhausted:
        """Await it; a client belongs to one event loop."""
        async with self.lm.async_client() as client:
            text, steps = await self.agent.run(client, self.task.text(inputs), self.offered)
        if text is None:
            return react_tck.Exhausted(steps=steps)
        return react_tck.Done(json.loads(text), steps=steps)

    def call(self, inputs: dict[str, Any]) -> react_tck.Done | react_tck.Exhausted:
        """Call it."""
        return asyncio.run(self.acall(inputs))
