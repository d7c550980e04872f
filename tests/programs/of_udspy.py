"""Programs for `udspy.ReAct` and what takes its place: signatures and tools are udspy's."""

import asyncio
from typing import Any

import dspy
import udspy
from pydantic import BaseModel, Field

from tests.programs.adding import SUM


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


def tool_held_as_given(agent: Any) -> Any:
    """Whether the agent holds the very tool that it was given, and runs it."""
    program = agent(QA, tools=[add])
    return program.tools["add"] is add, program(question="2+3?").answer


def other_tools(agent: Any) -> Any:
    """Other tools, given afterwards."""

    def add(a: int, b: int) -> int:
        """Adds."""
        return a + b + 100

    program = agent(QA, tools=[])
    program.init_module(tools=[udspy.Tool(add)])
    return list(program.tools), program(question="2+3?").answer


def episodes(agent: Any) -> Any:
    """The steps as udspy's releases have them."""
    return agent(QA, tools=[add])(question="2+3?").trajectory


def tools_brought(agent: Any) -> Any:
    """A tool that brings another one."""

    def multiply(a: int, b: int) -> int:
        """Multiplies."""
        return a * b

    def add(a: int, b: int) -> Any:
        """Brings a tool."""

        @udspy.module_callback  # type: ignore[untyped-decorator]
        def bring(context: udspy.ReactContext) -> str:
            tools = context.module.tools
            context.module.init_module([*tools.values(), udspy.Tool(multiply)])
            return f"{len(tools)} {context.input_args['question']} {len(context.trajectory)}"

        return bring

    program = agent(QA, tools=[udspy.Tool(add)])
    prediction = program(question="2+3?")
    told = "2 2+3? 0" in str(prediction.trajectory)
    return sorted(program.tools), prediction.answer, told


def tools_taken_away(agent: Any) -> Any:
    """No tools but the built-in one."""
    program = agent(QA, tools=[add])
    program.init_module()
    return list(program.tools), program(question="2+3?", max_iters=0).answer


def async_tool(agent: Any) -> Any:
    """An async tool."""

    @udspy.tool(name="add", description="Adds.")  # type: ignore[untyped-decorator]
    async def add(a: int, b: int) -> int:
        await asyncio.sleep(0)
        return a + b

    return agent(QA, tools=[add])(question="2+3?").answer


def plain_function(agent: Any) -> Any:
    """A function that isn't decorated."""

    def add(a: int, b: int) -> int:
        """Adds."""
        return a + b

    program = agent(QA, tools=[add])
    return [(name, tool.description) for name, tool in program.tools.items()], program(question="2+3?").answer


class Total(BaseModel):
    """A sum, and what it is made of."""

    value: int
    parts: list[int]


class Typed(udspy.Signature):  # type: ignore[misc]
    """Adds."""

    question: str = udspy.InputField()
    total: Total = udspy.OutputField(description="the sum")


def typed(agent: Any) -> Any:
    """An output as a model of pydantic's."""
    return agent(Typed, tools=[add])(question="2+3?").total.model_dump()


def several_fields(agent: Any) -> Any:
    """Several inputs and outputs."""
    prediction = agent("question, hint -> answer, doubt", tools=[add])(question="2+3?", hint="count")
    return prediction["answer"], prediction["doubt"]


def signatures(agent: Any) -> Any:
    """The signatures, read."""
    program = agent(QA, tools=[add])
    return program.user_signature.__doc__, program.signature.__doc__


def signature_kept(agent: Any) -> Any:
    """Whether the agent shows the very class that it was given."""
    return agent(QA, tools=[add]).signature is QA


def asked_twice(agent: Any) -> Any:
    """One agent for two questions."""
    program = agent(QA, tools=[add])
    return [program(question=question).answer for question in ("2+3?", "3+2?")]


def keys(agent: Any) -> Any:
    """What a prediction holds."""
    return sorted(agent(QA, tools=[add])(question="2+3?").keys())


class Listener(udspy.BaseCallback):  # type: ignore[misc]
    """Notes what it hears of."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def on_module_start(self, call_id: str, instance: Any, inputs: Any) -> None:
        """A module."""
        self.heard.append(type(instance).__name__)

    def on_tool_start(self, call_id: str, instance: Any, inputs: Any) -> None:
        """A tool."""
        self.heard.append(instance.name)


def listened(agent: Any) -> Any:
    """What the callbacks of udspy's settings hear."""
    listener = Listener()
    with udspy.settings.context(callbacks=[listener]):
        agent(QA, tools=[add])(question="2+3?")
    return listener.heard


def missing_input(agent: Any) -> Any:
    """An input that is left out."""
    return agent("question, hint -> answer", tools=[add])(question="2+3?").answer


def two_tools_of_a_name(agent: Any) -> Any:
    """Two tools of one name."""
    return len(agent(QA, tools=[add, add]).tools)


def options(agent: Any) -> Any:
    """Options of the LM that the settings have for every request."""
    with udspy.settings.context(temperature=0.5):
        agent(QA, tools=[add])(question="2+3?")
    return udspy.settings.lm.options[-1].get("temperature")


def options_of_an_agent(agent: Any) -> Any:
    """Options of the LM that the agent has for each of its requests."""
    agent(QA, tools=[add], temperature=0.5, model="another")(question="2+3?")
    return [(said.get("temperature"), said.get("model")) for said in udspy.settings.lm.options]


def asked_natively(agent: Any) -> Any:
    """Whether an adapter's choice has the tools offered natively."""
    with dspy.context(adapter=dspy.JSONAdapter()):
        agent(QA, tools=[add])(question="2+3?", max_iters=1)
    return bool(udspy.settings.lm.options[0].get("tools"))


def asking_disabled(agent: Any) -> Any:
    """An agent that may not ask its user, as the documentation has it."""
    program = agent(QA, tools=[add], enable_ask_to_user=False)
    return list(program.tools), program(question="2+3?").answer


def asking_enabled(agent: Any) -> Any:
    """The tools of an agent that may ask its user."""
    return list(agent(QA, tools=[add], enable_ask_to_user=True).tools)


def limit_by_default(agent: Any) -> Any:
    """The limit where none is given."""
    return agent(QA, tools=[add]).max_iters


def sync_call_in_an_event_loop(agent: Any) -> Any:
    """A call that isn't awaited, where others are."""

    async def ask() -> Any:
        return agent(QA, tools=[add])(question="2+3?").answer

    return asyncio.run(ask())


def tools_listed(agent: Any) -> Any:
    """Whether the signature of a step tells of the tools, and of those that are given afterwards."""
    program = agent(QA, tools=[add])
    first = program.react_signature.__doc__
    program.init_module(tools=[])
    now = program.react_signature.__doc__
    return [[word in told for word in ("add", "Adds two whole numbers.", "finish")] for told in (first, now)]


def module_of_steps(agent: Any) -> Any:
    """Whether the modules have the signatures that the agent shows."""
    program = agent(QA, tools=[add])
    return program.react_module.signature is program.react_signature, sorted(program.react_signature.model_fields)


def unknown_input(agent: Any) -> Any:
    """An input that the signature doesn't have."""
    return agent(QA, tools=[add])(question="2+3?", mood="good").answer
