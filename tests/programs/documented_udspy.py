"""Programs of the kinds that udspy's README and documentation show, written anew; each takes the agent's class."""

import asyncio
from typing import Any

import udspy
from pydantic import Field


class Lookup(udspy.Signature):  # type: ignore[misc]
    """Answer by what the tools say."""

    question: str = udspy.InputField()
    answer: str = udspy.OutputField()


@udspy.tool(name="add", description="Adds up two numbers")  # type: ignore[untyped-decorator]
def add(a: float = Field(description="First number"), b: float = Field(description="Second number")) -> float:
    """The documentation's calculator."""
    return a + b


def question_answered(agent: Any) -> Any:
    """The first page's: a signature, a tool, an answer."""
    return agent(Lookup, tools=[add], max_iters=5)(question="What is 2 and 3?").answer


def question_answered_in_a_service(agent: Any) -> Any:
    """For a server: awaited, with an LM and options of the tenant's own."""

    async def serve(question: str) -> str:
        with udspy.settings.context(lm=udspy.settings.lm, temperature=0.0):
            answer: str = (await agent(Lookup, tools=[add]).aforward(question=question)).answer
        return answer

    return asyncio.run(serve("What is 2 and 3?"))


def file_removed_once_agreed(agent: Any) -> Any:
    """The human in the loop: what can't be undone waits for a yes."""
    removed: list[str] = []

    @udspy.tool(name="add", description="Removes the files from one number to another", require_confirmation=True)  # type: ignore[untyped-decorator]
    def remove(a: int = Field(description="from"), b: int = Field(description="to")) -> str:
        removed.append(f"{a}-{b}")
        return f"Removed {removed[-1]}"

    cleaning = agent("question -> answer", tools=[remove])
    questions: list[str] = []
    while True:
        try:
            result = cleaning(question="Remove what is old.")
            return result.answer, questions, removed
        except udspy.ConfirmationRequired as waiting:
            questions.append(f"{waiting.tool_call.name}({waiting.tool_call.args})")
            udspy.respond_to_confirmation(waiting.confirmation_id, approved=True)


def tools_loaded_on_demand(agent: Any) -> Any:
    """A tool that loads others, so that the first prompt needn't list them all."""

    @udspy.tool(name="convert", description="Converts currencies")  # type: ignore[untyped-decorator]
    def convert(amount: float = Field(...)) -> float:
        return amount * 2

    @udspy.tool(name="add", description="Loads the tools for accounting")  # type: ignore[untyped-decorator]
    def load(a: int = Field(...), b: int = Field(...)) -> Any:
        @udspy.module_callback  # type: ignore[untyped-decorator]
        def loaded(context: Any) -> str:
            own = [tool for tool in context.module.tools.values() if tool.name != "finish"]
            context.module.init_module(tools=[*own, convert])
            return f"Loaded tools {a} to {b}"

        return loaded

    accounting = agent(Lookup, tools=[load])
    return accounting(question="What is it in francs?").answer, sorted(accounting.tools)
