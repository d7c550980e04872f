"""An agent that can add, questions for it, and what is made of its answers."""

from typing import Any

import dspy

SUM = "question -> answer"


def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


def made(agent: Any, signature: Any = SUM, **options: Any) -> Any:
    """An agent that can add."""
    return agent(signature, tools=[add], **options)


def asked(agent: Any, question: str = "2+3?", **options: Any) -> Any:
    """What an agent that can add says to a question."""
    return made(agent, **options)(question=question)


def said(prediction: Any) -> Any:
    """Answer and trajectory, without the words that nobody compares."""
    return prediction.answer, dict(prediction.trajectory)


def examples(count: int = 2, **more: Any) -> list[dspy.Example]:
    """Questions with the right answer; what is more in them isn't for the agent."""
    return [dspy.Example(question=f"{n}+3?", answer="5", **more).with_inputs("question") for n in range(count)]


def right(example: Any, prediction: Any, *_: Any) -> bool:
    """The metric."""
    return bool(example.answer == prediction.answer)


def demos(program: Any) -> dict[str, int]:
    """How many demos each predictor has."""
    return {name: len(predictor.demos) for name, predictor in program.named_predictors()}
