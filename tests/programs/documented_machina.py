"""Programs of the kinds that ReActMachina's README and examples show, written anew; each takes the agent's class."""

import asyncio
import json
from typing import Any

import dspy

_STEP = ("state", "reasoning", "tool_name", "tool_args")


def add(a: int, b: int = 3) -> str:
    """Adds what was counted in two places."""
    return f"{a + b} in all"


def places() -> str:
    """Where something was counted."""
    return "the garden, the cellar"


def chat_held(agent: Any) -> Any:
    """The quick start's: a chat, whose history the program keeps."""
    counting = agent("history: dspy.History, question -> answer", tools=[add, places])
    history, said = dspy.History(messages=[]), []
    for question in ("How many are there?", "Are you sure?"):
        response = counting(question=question, history=history)
        said.append(f"{response.answer} (after {response.steps} steps)")
        history = response.history
    return said, len(history.messages)


def steps_shown(agent: Any) -> Any:
    """The example's command for the last trajectory, step by step."""
    trajectory = agent("question -> answer", [add, places], max_steps=4)(question="How many are there?").trajectory
    count = len([key for key in trajectory if key.startswith("state_")])
    return [
        [f"{name}: {json.dumps(trajectory[f'{name}_{step}'])}" for name in _STEP if f"{name}_{step}" in trajectory]
        for step in range(count)
    ]


def tools_shown(agent: Any) -> Any:
    """The example's command for the tools, of those that are the user's."""
    counting = agent("question -> answer", [add, places])
    return [(tool.name, tool.desc, sorted(tool.args)) for tool in counting.tool_registry.values() if tool.name == "add"]


def chat_awaited(agent: Any) -> Any:
    """The example's async mode, with replies that don't reason."""

    async def chat() -> tuple[str, int]:
        counting = agent("question -> answer", [add, places], predictor_class=dspy.Predict)
        first = await counting.acall(question="How many are there?", history=dspy.History(messages=[]))
        second = await counting.acall(question="Are you sure?", history=first.history)
        return second.answer, len(second.history.messages)

    return asyncio.run(chat())
