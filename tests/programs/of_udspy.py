"""Programs for `udspy.ReAct` and what takes its place: signatures and tools are udspy's."""

import asyncio
from typing import Any

import udspy
from pydantic import BaseModel, Field

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


def confirming(calls: list[Any] | None = None) -> Any:
    """A tool that a person has to agree to, and that notes its calls."""

    def add(a: int, b: int) -> int:
        """Adds."""
        if calls is not None:
            calls.append((a, b))
        return a + b

    return udspy.Tool(add, require_confirmation=True)


def episodes(agent: Any) -> Any:
    """The steps as udspy's releases have them."""
    return agent(QA, tools=[add])(question="2+3?").trajectory


def confirmation(agent: Any) -> Any:
    """What is asked of a person."""
    program = agent(QA, tools=[confirming()])
    try:
        program(question="2+3?")
    except udspy.ConfirmationRequired as asked:
        return asked.question
    return "not asked"


def caught(agent: Any) -> Any:
    """The exception of udspy's own, and what it says of the call."""
    program = agent(QA, tools=[confirming()])
    try:
        program(question="2+3?")
    except udspy.ConfirmationRequired as asked:
        call, status = asked.tool_call, udspy.get_confirmation_status(asked.confirmation_id)
        return call.name, call.args, asked.context["input_args"]["question"], status, program.suspend(asked) is asked
    return "not asked"


def caught_awaiting(agent: Any) -> Any:
    """The same, of an awaited call."""

    async def ask() -> Any:
        program = agent(QA, tools=[confirming()])
        try:
            await program.aforward(question="2+3?")
        except udspy.ConfirmationRequired as asked:
            return asked.tool_call.name, await program.asuspend(asked) is asked
        return "not asked"

    return asyncio.run(ask())


def resumed(agent: Any) -> Any:
    """The call that waits, gone on with."""
    program = agent(QA, tools=[confirming()])
    try:
        program(question="2+3?")
    except udspy.ConfirmationRequired as asked:
        return program.resume("yes", asked).answer
    return "not asked"


def resumed_by_state(agent: Any) -> Any:
    """The loop that udspy documents: the call is made again, with what was said."""
    calls: list[Any] = []
    program, state = agent(QA, tools=[confirming(calls)]), None
    for _ in range(3):
        try:
            return program(question="2+3?", resume_state=state).answer, calls
        except udspy.ConfirmationRequired as asked:
            state = udspy.ResumeState(asked, "yes")
    return "asked again", calls


def _responding(program: Any, **response: Any) -> Any:
    """The answer of a program that is asked again after each response, and how often a person was asked."""
    for times in range(4):
        try:
            return program(question="2+3?").answer, times
        except udspy.ConfirmationRequired as asked:
            udspy.respond_to_confirmation(asked.confirmation_id, **response)
    return "asked again and again"


def agreed(agent: Any) -> Any:
    """A person agrees, and the program asks again."""
    calls: list[Any] = []
    return _responding(agent(QA, tools=[confirming(calls)]), approved=True), calls


def agreed_for_another_agent(agent: Any) -> Any:
    """The program makes its agent anew."""
    calls: list[Any] = []

    def program(question: str) -> Any:
        return agent(QA, tools=[confirming(calls)])(question=question)

    return _responding(program, approved=True), calls


def agreed_to_other_args(agent: Any) -> Any:
    """A person changes the args."""
    calls: list[Any] = []
    return _responding(agent(QA, tools=[confirming(calls)]), approved=True, data={"a": 7, "b": 8}), calls


def rejected(agent: Any) -> Any:
    """A person says no."""
    calls: list[Any] = []
    return _responding(agent(QA, tools=[confirming(calls)]), approved=False, status="rejected"), calls


def agreed_once(agent: Any) -> Any:
    """That a person agreed holds for one call."""
    calls: list[Any] = []
    program = agent(QA, tools=[confirming(calls)])
    return _responding(program, approved=True), _responding(program, approved=True), calls


def response_withdrawn(agent: Any) -> Any:
    """A response that is taken back before it counts."""
    program = agent(QA, tools=[confirming()])
    said: Any = "not asked"
    try:
        program(question="2+3?")
    except udspy.ConfirmationRequired as asked:
        udspy.respond_to_confirmation(asked.confirmation_id, approved=True)
        told: dict[str, udspy.ApprovalData] = udspy.confirmation.get_confirmation_context()
        said = told[asked.confirmation_id]["status"], udspy.get_confirmation_status(asked.confirmation_id)
        udspy.confirmation.clear_confirmation(asked.confirmation_id)
    try:
        return program(question="2+3?").answer
    except udspy.ConfirmationRequired:
        udspy.confirmation.clear_all_confirmations()
        return said, "asked again"


def decorated(agent: Any) -> Any:
    """A function that asks a person itself."""
    calls: list[Any] = []

    @udspy.confirm_first  # type: ignore[untyped-decorator]
    def add(a: int, b: int) -> int:
        """Adds."""
        calls.append((a, b))
        return a + b

    return _responding(agent(QA, tools=[udspy.Tool(add)]), approved=True), calls


def asking(agent: Any) -> Any:
    """A tool that asks a person by raising, and what the exception then knows of the run."""

    def add(a: int, b: int) -> int:
        """Adds."""
        raise udspy.ConfirmationRequired("Really?", context={"a": a})

    try:
        return agent(QA, tools=[udspy.Tool(add)])(question="2+3?").answer
    except udspy.ConfirmationRequired as asked:
        return asked.question, asked.context["input_args"]["question"], len(asked.context["trajectory"])


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


def unknown_tool(agent: Any) -> Any:
    """The LM asks for a tool that isn't there."""
    return agent(QA, tools=[udspy.Tool(add.func, name="sum")])(question="2+3?").answer


def two_tools_of_a_name(agent: Any) -> Any:
    """Two tools of one name."""
    return len(agent(QA, tools=[add, add]).tools)


def options(agent: Any) -> Any:
    """Options of the LM that the settings have for every request."""
    with udspy.settings.context(temperature=0.5):
        agent(QA, tools=[add])(question="2+3?")
    return udspy.settings.lm.options[-1].get("temperature")


def unknown_input(agent: Any) -> Any:
    """An input that the signature doesn't have."""
    return agent(QA, tools=[add])(question="2+3?", mood="good").answer
