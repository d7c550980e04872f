"""The agent that this project is about, and the class that connects it to the kit.

`Travel` is a ReAct over JSON that asks a person nothing. It has one fault on purpose: it gives up after four steps,
and `features/travel.feature` wants six.
"""

import inspect
import json
from typing import Any

import react_tck

STEPS = 4


class Travel:
    """Thinks, acts and observes until the LM says `finish`."""

    def __init__(self, outputs: list[str], tools: list[Any], lm: react_tck.LM, steps: int = STEPS) -> None:
        self.outputs = outputs
        self.tools = {tool.__name__: tool for tool in tools}
        self.lm = lm
        self.steps = steps

    def __call__(self, **inputs: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return the outputs, and the steps that led to them."""
        steps: list[dict[str, Any]] = []
        for _ in range(self.steps):
            step = self._ask(["next_thought", "next_tool_name", "next_tool_args"], inputs, steps)
            if step["next_tool_name"] == "finish":
                break
            steps.append({**step, "observation": self._run(step["next_tool_name"], step["next_tool_args"])})
        return self._ask(self.outputs, inputs, steps), steps

    def _run(self, name: str, args: dict[str, Any]) -> str:
        try:
            return str(self.tools[name](**args))
        except Exception as error:
            return f"Error executing {name}: {error}"

    def _ask(self, fields: list[str], inputs: dict[str, Any], steps: list[dict[str, Any]]) -> dict[str, Any]:
        listed = "\n".join(f"{number}. `{name}`" for number, name in enumerate(fields, 1))
        tools = "\n".join(f"{name}{inspect.signature(tool)}: {tool.__doc__}" for name, tool in self.tools.items())
        system = f"Your output fields are:\n{listed}\n\nThe tools, besides finish:\n{tools}"
        user = json.dumps({**inputs, "trajectory": steps})
        reply = self.lm.chat([{"role": "system", "content": system}, {"role": "user", "content": user}])
        values: dict[str, Any] = json.loads(reply.text)
        return {name: values[name] for name in fields if name in values}


@react_tck.subject(
    "travel",
    version="1.0",
    dialects=["json"],
    capabilities=["trajectory", "extraction", "step-signature"],
    default_max_steps=STEPS,
)
class Connected:
    """Connects it."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Build the agent as its users do."""
        outputs = [field.name for field in task.outputs]
        self.agent = Travel(outputs, list(tools.as_functions()), lm, task.max_steps or STEPS)

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Call it."""
        outputs, steps = self.agent(**inputs)
        return react_tck.Done(outputs, steps=steps)
