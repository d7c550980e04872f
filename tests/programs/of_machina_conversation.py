"""Programs for `ReActMachina` and what takes its place: what they keep of a conversation, and read in a prediction."""

from typing import Any

import dspy
from dspy_react_machina import ReActMachina

from tests.programs.adding import SUM, asked, made


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


def keys(agent: Any) -> Any:
    """What a prediction holds."""
    return sorted(asked(agent).keys())


def steps(agent: Any) -> Any:
    """How many steps a prediction counts: one that finishes, and one that is interrupted."""
    return asked(agent).steps, asked(agent, max_steps=1).steps


def steps_read(agent: Any) -> Any:
    """The steps as the caller gets them, in their order, what was observed aside."""
    trajectory = asked(agent).trajectory
    return [(key, value) for key, value in trajectory.items() if not key.startswith("observation")]


def steps_read_without_reasoning(agent: Any) -> Any:
    """The same of plain predictors."""
    return [*asked(agent, predictor_class=dspy.Predict).trajectory]


def observations(agent: Any) -> Any:
    """What was observed."""
    trajectory = asked(agent).trajectory
    return [trajectory["observation_0"], trajectory["observation_1"]]


def errors_read(agent: Any) -> Any:
    """Whether a step failed."""

    def add(a: int, b: int) -> int:
        raise ConnectionError("no line")

    trajectory = agent(SUM, tools=[add])(question="2+3?").trajectory
    return trajectory["error_0"], "no line" in trajectory["error_message_0"]


def conversation_read(agent: Any) -> Any:
    """The conversation: each pair of messages, what was observed aside."""
    messages = asked(agent).history.messages
    return [{key: value for key, value in message.items() if key != "tool_result"} for message in messages]


def conversation_of_the_original(agent: Any) -> Any:
    """A conversation that the original began."""
    first = asked(ReActMachina)
    second = made(agent)(question="And again?", history=first.history)
    return second.answer, len(second.history.messages), _read("2+3?")


def conversation_for_the_original(agent: Any) -> Any:
    """A conversation that the original goes on with."""
    first = asked(agent)
    second = made(ReActMachina)(question="And again?", history=first.history)
    return second.answer, len(second.history.messages), _read("2+3?")


def conversation_begun_as_none(agent: Any) -> Any:
    """A program that keeps its history in a variable, which is nothing at first."""
    program, answers = made(agent), []
    history: Any = None
    for question in ("2+3?", "And again?"):
        prediction = program(question=question, history=history)
        history = prediction.history
        answers.append(prediction.answer)
    return answers, len(history.messages)


def conversation_untouched(agent: Any) -> Any:
    """What a call does to the history it is given."""
    given = dspy.History(messages=[])
    asked_twice = [made(agent)(question="2+3?", history=given) for _ in range(2)]
    return len(given.messages), [len(prediction.history.messages) for prediction in asked_twice]


def conversation_of_another_type(agent: Any) -> Any:
    """A history that is a list."""
    return made(agent)(question="2+3?", history=[{"question": "1+1?"}]).answer


def system_prompts(agent: Any) -> Any:
    """How many system prompts a conversation has, its second turn included."""
    program = made(agent)
    first = program(question="2+3?")
    program(question="And again?", history=first.history)
    return len({request["messages"][0]["content"] for request in dspy.settings.lm.history})


def other_predictor_class(agent: Any) -> Any:
    """A predictor class of the user's own."""

    class Careful(dspy.ChainOfThought):  # type: ignore[misc]
        """Thinks as ever."""

    return asked(agent, predictor_class=Careful).answer


def _read(text: str) -> bool:
    """Whether the LM has read this last."""
    return text in str(dspy.settings.lm.history[-1]["messages"])
