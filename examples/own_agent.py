"""Testing a ReAct of your own: `react-tck run python:examples.own_agent:subject`.

`TinyReAct` stands for your library; what connects it to the kit is the last function.
"""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.signature import Signature
from react_tck.subjects.python import AskLM, python_subject


class TinyReAct:
    """A ReAct in thirty lines that asks for JSON replies."""

    def __init__(self, signature: Signature, tools: Sequence[Callable[..., Any]], max_steps: int, lm: AskLM) -> None:
        self.outputs = [field.name for field in signature.outputs]
        self.tools = {tool.__name__: tool for tool in tools}
        self.max_steps = max_steps
        self.lm = lm

    def __call__(self, **inputs: Any) -> dict[str, Any]:
        """Think, act and observe until `finish`, then extract the outputs."""
        trajectory: list[dict[str, Any]] = []
        for _ in range(self.max_steps):
            step = self.ask(["next_thought", "next_tool_name", "next_tool_args"], inputs, trajectory)
            if step["next_tool_name"] == "finish":
                break
            observation = self.run(step["next_tool_name"], step["next_tool_args"])
            trajectory.append({**step, "observation": observation})
        return {**self.ask(self.outputs, inputs, trajectory), "trajectory": trajectory}

    def run(self, name: str, args: dict[str, Any]) -> str:
        """The tool's result, or what went wrong, as text."""
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
        reply = self.lm([{"role": "system", "content": system}, {"role": "user", "content": user}])
        values: dict[str, Any] = json.loads(reply)
        return values


MANIFEST = Manifest(
    name="tiny-react",
    version="1.0",
    dialects=("json",),
    default_dialect="json",
    capabilities=("arrow-signature", "trajectory", "extraction", "step-signature"),
    default_max_steps=10,
)


@python_subject(MANIFEST)
def subject(signature: Signature, tools: Sequence[Callable[..., Any]], options: Options, lm: AskLM) -> Any:
    """Connect it: build your agent, and give a function from inputs to outputs."""
    agent = TinyReAct(signature, tools, 10 if options.max_steps is None else options.max_steps, lm)
    return lambda inputs: agent(**inputs)
