"""Programs for `ReActMachina` and what takes its place."""

import asyncio
from typing import Any

import dspy

from tests.programs.of_dspy import SUM, add, asked, examples, made, right


def call(agent: Any) -> Any:
    """Called, and read."""
    return asked(agent).answer


def awaited(agent: Any) -> Any:
    """Awaited."""
    return asyncio.run(made(agent).acall(question="2+3?")).answer


def positional(agent: Any) -> Any:
    """Made without keywords."""
    program = agent(SUM, [add], 4, dspy.Predict)
    return program.max_steps, program(question="2+3?").answer


def without_reasoning(agent: Any) -> Any:
    """With plain predictors."""
    prediction = asked(agent, predictor_class=dspy.Predict)
    return prediction.answer, "reasoning" in prediction


def second_turn(agent: Any) -> Any:
    """A second question in the same conversation."""
    program = made(agent)
    first = program(question="2+3?")
    second = program(question="And again?", history=first.history)
    return second.answer, [sorted(message) for message in second.history.messages]


def history_by_another_name(agent: Any) -> Any:
    """A signature that names its history."""
    program = made(agent, "question, past: dspy.History -> answer")
    prediction = program(question="2+3?", past=dspy.History(messages=[]))
    return program.history_field_name, prediction.answer


def several_inputs(agent: Any) -> Any:
    """Several inputs and outputs."""
    prediction = made(agent, "question, hint -> answer, doubt")(question="2+3?", hint="count")
    return prediction.answer, prediction.doubt


def interrupted(agent: Any) -> Any:
    """No step is left."""
    return asked(agent, max_steps=1).answer


def states(agent: Any) -> Any:
    """The predictors and their signatures, by state."""
    program = made(agent)
    signatures = {state: sorted(signature.output_fields) for state, signature in program.state_signatures.items()}
    return sorted(program.state_predictors), signatures


def tools(agent: Any) -> Any:
    """The tools by name."""
    registry = made(agent).tool_registry
    return [isinstance(registry[name], dspy.Tool) for name in ("add", "finish")], registry["add"](a=2, b=3)


def evaluated(agent: Any) -> Any:
    """Evaluated."""
    return dspy.Evaluate(devset=examples(2), metric=right, num_threads=1, display_progress=False)(made(agent)).score


def copied(agent: Any) -> Any:
    """A deep copy."""
    return made(agent).deepcopy()(question="2+3?").answer


def predictors(agent: Any) -> Any:
    """What optimisers find, and what states are saved by."""
    return sorted(name for name, _ in made(agent).named_predictors())


def failing_tool(agent: Any) -> Any:
    """A tool that fails."""

    def add(a: int, b: int) -> int:
        raise ConnectionError("no line")

    return agent(SUM, tools=[add])(question="2+3?").answer


def no_tools(agent: Any) -> Any:
    """An agent without tools."""
    return sorted(agent(SUM, tools=[]).signature.fields)


def keys(agent: Any) -> Any:
    """What a prediction holds."""
    return sorted(asked(agent).keys())
