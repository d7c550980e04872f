"""Programs for `dspy.ReAct` as tutorials have them, rebuilt in a few lines, where no other program shows the same.

Seven were tried: dspy's tutorials on customer service, multi-hop search, memory, finance and web search, a calculator
and a server with a second LM.
"""

from typing import Any

import dspy
from dspy.utils import DummyLM
from pydantic import BaseModel


class Trip(BaseModel):
    """Where somebody goes, and when."""

    to: str
    day: int


def _says(*steps: tuple[str, dict[str, Any]], **answer: Any) -> Any:
    """Within, an LM takes these steps and answers, twice."""
    said = [
        {"next_thought": "", "next_tool_name": tool, "next_tool_args": args} for tool, args in (*steps, ("finish", {}))
    ]
    return dspy.context(lm=DummyLM([*said, {"reasoning": "so", **answer}] * 2))


def trip_booked(agent: Any) -> Any:
    """Models of pydantic among the args and results of tools, one of which fails at first."""
    booked: list[Trip] = []

    def find(to: str, day: int) -> list[Trip]:
        return [Trip(to=to, day=day)] if day == 1 else 1 / 0  # type: ignore[return-value]

    def book(trips: list[Trip]) -> tuple[int, Trip]:
        booked.append(trips[0])
        return len(booked), trips[0]

    trip = {"to": "Rome", "day": 1}
    with _says(("find", {**trip, "day": 2}), ("find", trip), ("book", {"trips": [trip]}), result="A1"):
        made = agent(dspy.Signature("request -> result", "You serve travellers."), tools=[find, book])(request="Rome!")
    return made.result, booked


def tool_of_langchain(agent: Any) -> Any:
    """A tool of LangChain's beside a function without annotations."""
    from langchain_core.tools import StructuredTool

    def news(query: str) -> str:
        """Finds news."""
        return f"news of {query}"

    tools = [dspy.Tool.from_langchain(StructuredTool.from_function(news)), lambda ticker: {"price": 1.5}]
    with _says(("news", {"query": "A"}), analysis="up"), dspy.context(allow_tool_async_sync_conversion=True):
        return dict(agent("query -> analysis", tools=tools)(query="A?").trajectory)
