"""Programs for `dspy.ReAct` and what takes its place: the agent itself."""

import asyncio
from typing import Any

import dspy
from dspy.utils.exceptions import ContextWindowExceededError

from tests.programs.adding import SUM, add, asked, made, said


def call(agent: Any) -> Any:
    """Called, and read."""
    return said(asked(agent))


def positional(agent: Any) -> Any:
    """Made without keywords."""
    return said(agent(SUM, [add], 4)(question="2+3?"))


def limit_set(agent: Any) -> Any:
    """The limit read, and set afterwards."""
    program = made(agent, max_iters=7)
    before, program.max_iters = program.max_iters, 1
    return before, said(program(question="2+3?"))


def limit_of_a_call(agent: Any) -> Any:
    """The limit of one call."""
    return said(made(agent)(question="2+3?", max_iters=1))


def tools_by_name(agent: Any) -> Any:
    """The tools read, and run."""
    tools = made(agent).tools
    return [(name, isinstance(tool, dspy.Tool), tool.name) for name, tool in tools.items()], [
        tools["add"](a=1, b=2),
        tools["finish"](),
        asyncio.run(tools["add"].acall(a=1, b=2)),
    ]


def tool_replaced(agent: Any) -> Any:
    """Another tool in the place of one."""
    program = made(agent)
    program.tools["add"] = dspy.Tool(lambda a, b: f"{a} and {b}", name="add")
    return said(program(question="2+3?"))


def tools_of_another(agent: Any) -> Any:
    """The tools of one agent given to another."""
    first = made(agent)
    return said(agent(SUM, tools=[tool for name, tool in first.tools.items() if name != "finish"])(question="2+3?"))


def step_replaced(agent: Any) -> Any:
    """Any callable for the predictor of steps."""
    program, seen = made(agent), []

    def react(**inputs: Any) -> dspy.Prediction:
        seen.append(sorted(inputs))
        tool = "finish" if len(seen) > 1 else "add"
        return dspy.Prediction(
            next_thought="", next_tool_name=tool, next_tool_args={"a": 1, "b": 1} if tool == "add" else {}
        )

    program.react = react
    return said(program(question="2+3?")), seen


def extraction_replaced(agent: Any) -> Any:
    """Any callable for the extraction."""
    program = made(agent)
    program.extract = lambda **inputs: dspy.Prediction(answer=f"asked {sorted(inputs)}")
    return said(program(question="2+3?"))


def trajectory_formatted(agent: Any) -> Any:
    """A subclass that writes the trajectory in its own way."""

    class Terse(agent):  # type: ignore[misc]
        def _format_trajectory(self, trajectory: dict[str, Any]) -> str:
            return " ".join(f"{key}={value}" for key, value in trajectory.items())

    return said(asked(Terse)), "observation_0=5" in (dspy.settings.lm.history[-1]["messages"][-1]["content"])


def args_that_do_not_fit(agent: Any) -> Any:
    """A number where a text is wanted."""

    def add(a: str, b: int) -> str:
        return a * b

    return agent(SUM, tools=[add])(question="2+3?").trajectory["observation_0"]


def steps_left_out(agent: Any) -> Any:
    """A prompt that doesn't fit once."""
    program, prompts = made(agent), []

    def react(**inputs: Any) -> Any:
        prompts.append(inputs["trajectory"].count("observation_"))
        if len(prompts) == 3:
            raise ContextWindowExceededError
        tool, args = ("add", {"a": 2, "b": 3}) if len(prompts) < 3 else ("finish", {})
        return dspy.Prediction(next_thought="", next_tool_name=tool, next_tool_args=args)

    program.react = react
    return sorted(program(question="2+3?").trajectory), prompts


def objects_of_a_tool(agent: Any) -> Any:
    """A list to which the tool adds."""
    sums: list[int] = []

    def add(a: int, b: int) -> list[int]:
        sums.append(a + b)
        return sums

    program = agent(SUM, tools=[add])
    first = program(question="2+3?")
    program(question="2+3?")
    return first.trajectory["observation_0"]


def unknown_input(agent: Any) -> Any:
    """An input that the signature doesn't have."""
    return said(made(agent)(question="2+3?", mood="good"))


def types_of_args(agent: Any) -> Any:
    """What the args of each tool are, and their types."""
    return {name: (tool.arg_types, tool.args) for name, tool in made(agent).tools.items()}


def instance_of_the_original(agent: Any) -> Any:
    """Whether the agent is one of dspy's."""
    return isinstance(made(agent), dspy.ReAct)


def tool_held_as_given(agent: Any) -> Any:
    """Whether the agent holds the very tool that it was given, and what that does when the program calls it."""
    plus = dspy.Tool(add, name="add")
    program = agent(SUM, tools=[plus])
    return program.tools["add"] is plus, plus(a=1, b=2), said(program(question="2+3?"))


def tool_changed_afterwards(agent: Any) -> Any:
    """The user's tool is given another function once the agent has it, as tests do it."""
    plus = dspy.Tool(add, name="add")
    program = agent(SUM, tools=[plus])
    program.tools["add"].func = lambda a, b: a + b + 100
    return said(program(question="2+3?"))


def tool_of_an_own_class(agent: Any) -> Any:
    """A tool whose class looks at each call before it is run."""

    class Counted(dspy.Tool):  # type: ignore[misc]
        def __call__(self, **args: Any) -> Any:
            calls.append(args)
            return super().__call__(**args) + 100

        async def acall(self, **args: Any) -> Any:
            calls.append(args)
            return await super().acall(**args) + 100

    calls: list[Any] = []
    program = agent(SUM, tools=[Counted(add)])
    return said(program(question="2+3?")), said(asyncio.run(program.acall(question="2+3?"))), calls


def field_left_out(agent: Any) -> Any:
    """A callable for the predictor of steps that forgets the tool."""
    program = made(agent)
    program.react = lambda **_: dspy.Prediction(next_thought="hm", next_tool_args={})
    return program(question="2+3?", max_iters=1).answer


def error_of_a_predictor(agent: Any) -> Any:
    """A callable for the predictor of steps that refuses what it is given."""

    def react(**_: Any) -> Any:
        raise ValueError

    program = made(agent)
    program.react = react
    return said(program(question="2+3?"))


def one_step_truncated(agent: Any) -> Any:
    """A trajectory of one step, shortened."""
    return made(agent).truncate_trajectory({"thought_0": "", "tool_name_0": "", "tool_args_0": {}, "observation_0": 1})


def option_of_a_call(agent: Any) -> Any:
    """An option that dspy's predictors take in a call."""
    return said(made(agent)(question="2+3?", config={"temperature": 0.5}))


def missing_input(agent: Any) -> Any:
    """An input left out."""
    return said(made(agent)())


def two_tools_of_a_name(agent: Any) -> Any:
    """The last of two tools of a name counts."""
    return said(agent(SUM, tools=[lambda: 1, dspy.Tool(lambda: 1, name="add"), add])(question="2+3?"))


def subclass_with_forward(agent: Any) -> Any:
    """A subclass with something before and after."""

    class Polite(agent):  # type: ignore[misc]
        def forward(self, **inputs: Any) -> Any:
            prediction = super().forward(**inputs)
            prediction.answer = f"{prediction.answer}, please"
            return prediction

    return said(asked(Polite))


def own_signature_read(agent: Any) -> Any:
    """The signature as the program's author reads it."""
    program = made(agent, "question, hint: str -> answer, sure: bool")
    predictors = {name: list(p.signature.fields) for name, p in program.named_predictors()}
    return list(program.signature.fields), sorted((n, sorted(fields)) for n, fields in predictors.items())


def trajectory_truncated(agent: Any) -> Any:
    """A subclass that shortens a trajectory in its own way."""

    class Brief(agent):  # type: ignore[misc]
        def truncate_trajectory(self, trajectory: dict[str, Any]) -> dict[str, Any]:
            return {key: value for key, value in trajectory.items() if not key.startswith("thought")}

    program, shown = made(Brief), []

    def react(**inputs: Any) -> Any:
        shown.append(("add them" in inputs["trajectory"], inputs["trajectory"].count("observation_")))
        if len(shown) == 3:
            raise ContextWindowExceededError
        tool, args = ("add", {"a": 2, "b": 3}) if len(shown) < 3 else ("finish", {})
        return dspy.Prediction(next_thought="add them", next_tool_name=tool, next_tool_args=args)

    program.react = react
    return program(question="2+3?").answer, shown
