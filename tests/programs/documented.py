"""Five programs of the kinds that the originals' documentation shows, written anew; each takes the agent's class."""

import asyncio
from typing import Any, Literal

import dspy
from pydantic import BaseModel

from tests.programs.adding import add


def question_answered(agent: Any) -> Any:
    """The first page's: a question, a tool, an answer."""

    def search(query: str) -> list[str]:
        """Finds sentences about a subject."""
        return [f"{query} is in the encyclopedia."]

    answering = agent("question -> answer", tools=[search, add])
    return answering(question="What is 2 and 3?").answer


class Flight(BaseModel):
    """A flight."""

    number: str
    price: float


class Booking(dspy.Signature):  # type: ignore[misc]
    """You are a travel agent. Help the customer, and say what has been done."""

    user_request: str = dspy.InputField()
    answer: str = dspy.OutputField(desc="what was done, and the number of the booking")


def customer_served(agent: Any) -> Any:
    """The customer service: tools over a database, models of pydantic's among their args and results."""
    booked: list[str] = []

    def add(a: int, b: int) -> Flight:
        """Books a flight."""
        booked.append(f"{a}-{b}")
        return Flight(number=booked[-1], price=10.5)

    result = agent(Booking, tools=[add])(user_request="Book 2 to 3, please.")
    return result.answer, booked


class Support(dspy.Module):  # type: ignore[misc]
    """A module around an agent: what it is about first, then what to do."""

    def __init__(self, agent: Any) -> None:
        super().__init__()
        self.classify = dspy.Predict("question -> topic")
        self.solve = agent("question, topic -> answer", tools=[add], max_iters=5)

    def forward(self, question: str) -> dspy.Prediction:
        """Classify, then solve."""
        return self.solve(question=question, topic=self.classify(question=question).topic)


def modules_composed(agent: Any) -> Any:
    """An agent as a part of a program, which is saved by the names of its predictors."""
    program = Support(agent)
    return program(question="2+3?").answer, "classify" in dict(program.named_predictors())


def conversation_held(agent: Any) -> Any:
    """Earlier turns among the inputs."""
    turns = dspy.History(messages=[{"question": "Who are you?", "answer": "a calculator"}])
    answering = agent("question, history: dspy.History -> answer", tools=[add])
    return answering(question="And 2+3?", history=turns).answer


class Triage(dspy.Signature):  # type: ignore[misc]
    """How urgent is it?"""

    report: str = dspy.InputField()
    answer: Literal["5", "6"] = dspy.OutputField()


def reports_sorted(agent: Any) -> Any:
    """Many calls at once, awaited, with an async tool."""

    async def add(a: int, b: int) -> int:
        """Looks a report up."""
        await asyncio.sleep(0)
        return a + b

    async def sort() -> list[str]:
        sorting = agent(Triage, tools=[add])
        return [result.answer for result in await asyncio.gather(*(sorting.acall(report=f"no {n}") for n in range(3)))]

    return asyncio.run(sort())
