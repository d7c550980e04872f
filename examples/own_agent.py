"""Testing a ReAct of your own: `react-tck run python:examples.own_agent:Mine`.

`TinyReAct` stands for your library; what connects it to the kit is the class `Mine`.
"""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import react_tck


class TinyReAct:
    """A ReAct in thirty lines that asks for JSON replies."""

    def __init__(
        self, outputs: list[str], tools: Sequence[Callable[..., Any]], max_steps: int, lm: react_tck.LM
    ) -> None:
        self.outputs = outputs
        self.tools = {tool.__name__: tool for tool in tools}
        self.max_steps = max_steps
        self.lm = lm

    def __call__(self, **inputs: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Think, act and observe until `finish`, then extract the outputs."""
        trajectory: list[dict[str, Any]] = []
        for _ in range(self.max_steps):
            step = self.ask(["next_thought", "next_tool_name", "next_tool_args"], inputs, trajectory)
            if step["next_tool_name"] == "finish":
                break
            observation = self.run(step["next_tool_name"], step["next_tool_args"])
            trajectory.append({**step, "observation": observation})
        return self.ask(self.outputs, inputs, trajectory), trajectory

    def run(self, name: str, args: dict[str, Any]) -> str:
        """Return the tool's result, or what went wrong, as text."""
        try:
            return str(self.tools[name](**args))
        except Exception as error:
            return f"Error executing {name}: {error}"

    def ask(self, fields: list[str], inputs: Mapping[str, Any], trajectory: list[dict[str, Any]]) -> dict[str, Any]:
        """One LM request for these fields, as a JSON object."""
        listed = "\n".join(f"{number}. `{name}`" for number, name in enumerate(fields, 1))
        tools = "\n".join(f"{name}{inspect.signature(tool)}: {tool.__doc__}" for name, tool in self.tools.items())
        system = f"Your output fields are:\n{listed}\n\nThe tools, besides finish:\n{tools}"
        user = json.dumps({**inputs, "trajectory": trajectory})
        reply = self.lm.chat([{"role": "system", "content": system}, {"role": "user", "content": user}])
        values: dict[str, Any] = json.loads(reply.text)
        return {name: values[name] for name in fields if name in values}


@react_tck.subject(
    "tiny-react",
    version="1.0",
    dialects=["json"],
    capabilities=["trajectory", "extraction", "step-signature"],
    default_max_steps=10,
)
class Mine:
    """Connects it."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Build your agent."""
        steps = 10 if task.max_steps is None else task.max_steps
        self.agent = TinyReAct([field.name for field in task.outputs], tools.as_functions(), steps, lm)

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Call it."""
        outputs, trajectory = self.agent(**inputs)
        return react_tck.Done(outputs, steps=trajectory)
