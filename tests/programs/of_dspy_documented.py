"""Programs for `dspy.ReAct` and what takes its place: what the documentation says of it, and no other program shows."""

from typing import Any, get_args

import dspy
from dspy.utils.exceptions import ContextWindowExceededError

from tests.programs.adding import SUM, add, asked, made, said


def limit_by_default(agent: Any) -> Any:
    """The limit where none is given."""
    return made(agent).max_iters


def keys(agent: Any) -> Any:
    """What a prediction has, and its trajectory in order."""
    prediction = asked(agent)
    return sorted(prediction.keys()), list(prediction.trajectory)


def tools_to_choose_from(agent: Any) -> Any:
    """The names of which the step's signature lets the LM choose one."""
    return get_args(made(agent).react.signature.output_fields["next_tool_name"].annotation)


def callable_object(agent: Any) -> Any:
    """A tool that is an object with a call."""

    class Adder:
        """Adds, and counts."""

        calls = 0

        def __call__(self, a: int, b: int) -> int:
            self.calls += 1
            return a + b

    adder = Adder()
    program = agent(SUM, tools=[dspy.Tool(adder, name="add")])
    return said(program(question="2+3?")), adder.calls, list(agent(SUM, tools=[adder]).tools)


def parts_named(agent: Any) -> Any:
    """The parts of the program, by their names."""
    program = made(agent)
    upper = program.map_named_predictors(lambda predictor: predictor)
    names = [name for name, _ in program.named_predictors()]
    modules = [(name, type(part).__name__) for name, part in program.named_sub_modules()]
    parameters = [name for name, _ in program.named_parameters()]
    return names, modules, parameters, len(program.predictors()), upper is program


def lm_set(agent: Any) -> Any:
    """The LM of the program set, and read."""
    program, lm = made(agent), dspy.settings.lm
    program.set_lm(lm)
    with dspy.context(lm=None):
        return said(program(question="2+3?")), program.get_lm() is lm


def trajectory_in_tags(agent: Any) -> Any:
    """How the trajectory is written under another adapter."""
    with dspy.context(adapter=dspy.XMLAdapter()):
        asked(agent)
    return "<observation_0>" in dspy.settings.lm.history[-1]["messages"][-1]["content"]


def fits_late(agent: Any) -> Any:
    """A prompt that would fit if all steps but one were left out of it: more than three attempts' worth."""
    program, calls = made(agent), list[int]()

    def react(**inputs: Any) -> Any:
        if len(calls) == 5:
            if inputs["trajectory"].count("observation_") > 1:
                raise ContextWindowExceededError
            return dspy.Prediction(next_thought="", next_tool_name="finish", next_tool_args={})
        calls.append(1)
        return dspy.Prediction(next_thought="", next_tool_name="add", next_tool_args={"a": 2, "b": 3})

    program.react = react
    prediction = program(question="2+3?")
    return prediction.answer, prediction.trajectory.get("tool_name_5")


def called_twice(agent: Any) -> Any:
    """Two tools that are used one after the other."""
    program, calls = agent(SUM, tools=[add, dspy.Tool(lambda a: a * 2, name="twice")]), []
    steps = [("add", {"a": 2, "b": 3}), ("twice", {"a": 5}), ("finish", {})]

    def react(**inputs: Any) -> Any:
        calls.append(inputs["trajectory"].count("observation_"))
        tool, args = steps[len(calls) - 1]
        return dspy.Prediction(next_thought="", next_tool_name=tool, next_tool_args=args)

    program.react = react
    return said(program(question="2+3?")), calls
