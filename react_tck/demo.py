"""What `react-tck demo` tests: a ReAct of forty lines with one bug, and the class that connects it.

The bug is in `run_tool`: where the LM names a tool that there isn't, the one with the nearest name runs.
"""

import difflib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import react_tck


class HelpfulReAct:
    """Thinks, acts and observes until `finish`; asks for replies in JSON."""

    def __init__(
        self, outputs: Sequence[str], tools: Sequence[Callable[..., Any]], max_steps: int, lm: react_tck.LM
    ) -> None:
        self.outputs, self.max_steps, self.lm = outputs, max_steps, lm
        self.tools = {tool.__name__: tool for tool in tools}

    def __call__(self, **inputs: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return the outputs, and what was done."""
        trajectory: list[dict[str, Any]] = []
        for _ in range(self.max_steps):
            step = self.ask(["next_thought", "next_tool_name", "next_tool_args"], inputs, trajectory)
            if step["next_tool_name"] == "finish":
                break
            trajectory.append({**step, "observation": self.run_tool(step["next_tool_name"], step["next_tool_args"])})
        return self.ask(self.outputs, inputs, trajectory), trajectory

    def run_tool(self, name: str, args: Mapping[str, Any]) -> str:
        """Return the tool's result, or what went wrong, as text."""
        name = next(iter(difflib.get_close_matches(name, self.tools)), name)  # the bug: nobody asked for this tool
        try:
            return str(self.tools[name](**args))
        except Exception as error:
            return f"Error executing {name}: {error}"

    def ask(self, fields: Sequence[str], inputs: Mapping[str, Any], trajectory: Sequence[Any]) -> dict[str, Any]:
        """Ask the LM for these fields, as a JSON object."""
        listed = "\n".join(f"{number}. `{name}`" for number, name in enumerate(fields, 1))
        tools = "\n".join(f"{name}{inspect.signature(tool)}: {tool.__doc__}" for name, tool in self.tools.items())
        system = f"Your output fields are:\n{listed}\n\nThe tools, besides finish:\n{tools}"
        user = json.dumps({**inputs, "trajectory": trajectory})
        reply = self.lm.chat([{"role": "system", "content": system}, {"role": "user", "content": user}])
        values: dict[str, Any] = json.loads(reply.text)
        return {name: values[name] for name in fields if name in values}


@react_tck.subject(
    "helpful-react",
    version="1.0",
    dialects=["json"],
    capabilities=["trajectory", "extraction", "step-signature"],
    default_max_steps=10,
)
class Helpful:
    """Connects the agent to the kit, as yours would be."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Build an agent of the task's fields, with these tools and this LM."""
        steps = 10 if task.max_steps is None else task.max_steps
        self.agent = HelpfulReAct([field.name for field in task.outputs], tools.as_functions(), steps, lm)

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Call the agent, and say what it returned and did."""
        outputs, trajectory = self.agent(**inputs)
        return react_tck.Done(outputs, steps=trajectory)
