"""The correct twin: a native agent like those that public reports are about, in parts that a report overrides."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from jsonschema import validate

import react_tck
from react_tck import LM, Done, Exhausted, LMReply, Task, Tools

Message = dict[str, Any]


CAPABILITIES = ("trajectory", "parallel-tool-calls", "async-tools")


def declare(agent: type[Any], capabilities: Iterable[str] = CAPABILITIES) -> type[Any]:
    """Make a class a subject as the twin is one."""
    return react_tck.subject(
        agent.__name__,
        version="1",
        dialects=["native", "json"],
        capabilities=capabilities,
        choices={
            "lm-fault": "error",
            "tool-error": "observe",
            "unknown-tool": "observe and continue",
            "integer-range": "any",
        },
        default_max_steps=10,
    )(agent)


@declare
class Twin:
    """It asks, runs what is called, shows what came of it, and takes a reply without calls for the answer."""

    def build(self, task: Task, tools: Tools, lm: LM) -> None:
        """Keep them."""
        task.check()
        self.task, self.lm = task, lm
        self.tools = {tool.name: tool for tool in tools}
        self.offered = tools.as_schemas()
        self.limit = 10 if task.max_steps is None else task.max_steps

    def call(self, inputs: Mapping[str, Any]) -> Done | Exhausted:
        """Run the loop."""
        self.steps: list[Message] = []
        messages = self.begin(inputs)
        for _ in range(self.limit):
            reply = self.ask(messages)
            if not reply.tool_calls:
                return Done(self.read(reply.text), steps=self.steps)
            messages = self.go_on(messages, reply, [self.observe(call, reply.text) for call in reply.tool_calls])
        return Exhausted(self.steps)

    def begin(self, inputs: Mapping[str, Any]) -> list[Message]:
        """Return the messages of the first request."""
        if odd := inputs.keys() ^ {field.name for field in self.task.inputs}:
            raise ValueError(f"missing or unknown inputs: {', '.join(odd)}")
        listed = "\n".join(f"{number}. `{field.name}`" for number, field in enumerate(self.task.outputs, 1))
        system = f"{self.task.instructions}\nYour output fields are:\n{listed}\nAnswer with a JSON object of them."
        return [{"role": "system", "content": system}, {"role": "user", "content": self.show(dict(inputs))}]

    def ask(self, messages: list[Message]) -> LMReply:
        """Return the LM's reply."""
        return self.lm.chat(messages, tools=self.offered)

    def read(self, text: str) -> Message:
        """Return the outputs."""
        values = json.loads(text)
        if not isinstance(values, dict) or not values.keys() >= {field.name for field in self.task.outputs}:
            raise ValueError(f"not the outputs: {text!r}")
        return {field.name: values[field.name] for field in self.task.outputs}

    def go_on(self, messages: list[Message], reply: LMReply, results: list[Message]) -> list[Message]:
        """Return the messages of the next request."""
        return [*messages, reply.message, *results]

    def observe(self, call: Any, thought: str) -> Message:
        """Run one call, and return its message."""
        args: Any = call.arguments
        try:
            args = self.read_args(call.arguments)
            observation = self.run(call.name, deepcopy(args))
        except Exception as error:
            observation = f"Error: {type(error).__name__}: {error}"
        step = {"thought": thought, "tool_name": call.name, "tool_args": args, "observation": deepcopy(observation)}
        self.steps.append(step)
        return {"role": "tool", "tool_call_id": call.id, "content": self.show(observation)}

    def read_args(self, text: str) -> Message:
        """Return the args of a call."""
        args = json.loads(text, parse_constant=self.refuse)
        if not isinstance(args, dict):
            raise ValueError(f"the args are no object: {text}")
        return args

    def refuse(self, text: str) -> None:
        """Take no word for a number."""
        raise ValueError(f"{text} is no JSON")

    def run(self, name: str, args: Message) -> Any:
        """Run a tool."""
        if name not in self.tools:
            raise LookupError(f"there is no tool {name!r}")
        validate(args, self.tools[name].parameters)
        result = self.tools[name].run(args)
        return asyncio.run(result) if asyncio.iscoroutine(result) else result

    def show(self, value: Any) -> str:
        """Return what the LM sees of a value."""
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
