"""Programs for `udspy.ReAct` and what takes its place in which a person has to agree."""

import asyncio
from typing import Any

import udspy

from tests.programs.of_udspy import QA


def confirming(calls: list[Any] | None = None) -> Any:
    """A tool that a person has to agree to, and that notes its calls."""

    def add(a: int, b: int) -> int:
        """Adds."""
        if calls is not None:
            calls.append((a, b))
        return a + b

    return udspy.Tool(add, require_confirmation=True)


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


def context_of_a_call(agent: Any) -> Any:
    """What else the exception has with it."""
    try:
        agent(QA, tools=[confirming()])(question="2+3?")
    except udspy.ConfirmationRequired as asked:
        return sorted(asked.context)
    return "not asked"


def instance_of_a_module(agent: Any) -> Any:
    """Whether the agent is a module of udspy's."""
    return isinstance(agent(QA, tools=[confirming()]), udspy.Module)
