"""Programs for `udspy.ReAct` and what takes its place: signatures and tools are udspy's."""

import asyncio
from typing import Any

import udspy
from pydantic import Field

from tests.programs.of_dspy import SUM


@udspy.tool(name="add", description="Adds two whole numbers.")  # type: ignore[untyped-decorator]
def add(a: int = Field(description="one"), b: int = Field(description="the other")) -> int:
    """Adds."""
    return a + b


class QA(udspy.Signature):  # type: ignore[misc]
    """Answer the question."""

    question: str = udspy.InputField()
    answer: str = udspy.OutputField()


def call(agent: Any) -> Any:
    """Called, and read."""
    return agent(QA, tools=[add])(question="2+3?").answer


def arrow(agent: Any) -> Any:
    """With an arrow string, and a limit read."""
    program = agent(SUM, tools=[add], max_iters=4)
    return program.max_iters, program(question="2+3?").answer


def awaited(agent: Any) -> Any:
    """Awaited."""
    return asyncio.run(agent(QA, tools=[add]).aforward(question="2+3?")).answer


def limit_of_a_call(agent: Any) -> Any:
    """The limit of one call."""
    return agent(QA, tools=[add])(question="2+3?", max_iters=1).answer


def reasoning(agent: Any) -> Any:
    """The extraction's reasoning."""
    return agent(QA, tools=[add])(question="2+3?").reasoning


def tools(agent: Any) -> Any:
    """The tools, read."""
    return [(name, tool.description) for name, tool in agent(QA, tools=[add]).tools.items()]


def other_tools(agent: Any) -> Any:
    """Other tools, given afterwards."""

    def add(a: int, b: int) -> int:
        """Adds."""
        return a + b + 100

    program = agent(QA, tools=[])
    program.init_module(tools=[udspy.Tool(add)])
    return list(program.tools), program(question="2+3?").answer


def failing_tool(agent: Any) -> Any:
    """A tool that fails."""

    def add(a: int, b: int) -> int:
        """Adds."""
        raise ConnectionError("no line")

    prediction = agent(QA, tools=[udspy.Tool(add)])(question="2+3?")
    return prediction.answer, "no line" in str(prediction.trajectory)


def error_text(agent: Any) -> Any:
    """What is told of a tool's error."""

    def add(a: int, b: int) -> int:
        """Adds."""
        raise ConnectionError("no line")

    return "Error executing add: no line" in str(agent(QA, tools=[udspy.Tool(add)])(question="2+3?").trajectory)


def trajectory(agent: Any) -> Any:
    """The steps as the caller gets them."""
    return type(agent(QA, tools=[add])(question="2+3?").trajectory).__name__


def confirmation(agent: Any) -> Any:
    """A tool that a person has to agree to."""
    program = agent(QA, tools=[udspy.Tool(add.func, name="add", require_confirmation=True)])
    try:
        program(question="2+3?")
    except Exception as raised:
        asked: Any = raised
        state = program.suspend(asked)
        return asked.question, asked.tool_call.name, asked.tool_call.args, state is asked
    return "not asked"


def resumed(agent: Any) -> Any:
    """The call that waits, gone on with."""
    program = agent(QA, tools=[udspy.Tool(add.func, name="add", require_confirmation=True)])
    try:
        program(question="2+3?")
    except Exception as asked:
        return program.resume("yes", asked).answer
    return "not asked"


def unknown_input(agent: Any) -> Any:
    """An input that the signature doesn't have."""
    return agent(QA, tools=[add])(question="2+3?", mood="good").answer
