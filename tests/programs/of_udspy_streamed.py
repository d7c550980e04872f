"""Programs that follow a run of `udspy.ReAct`, or of what takes its place, while it is under way."""

import asyncio
from dataclasses import dataclass
from typing import Any

import udspy
from udspy.streaming import OutputStreamChunk, Prediction, StreamEvent, emit_event

from tests.programs.of_udspy import QA, add
from tests.programs.of_udspy_confirmed import confirming


def _events_of(program: Any, **options: Any) -> list[Any]:
    """What is streamed of a call."""

    async def follow() -> list[Any]:
        return [event async for event in program.astream(question="2+3?", **options)]

    return asyncio.run(follow())


def streamed(agent: Any) -> Any:
    """What each field of each reply says, piece by piece."""
    chunks = [event for event in _events_of(agent(QA, tools=[add])) if isinstance(event, OutputStreamChunk)]
    return [(chunk.field_name, chunk.delta, chunk.content, chunk.is_complete) for chunk in chunks]


def predictions_streamed(agent: Any) -> Any:
    """What each part of the agent predicts, and last the agent itself."""
    program = agent(QA, tools=[add])
    made = [event for event in _events_of(program) if isinstance(event, Prediction)]
    parts = [(type(each.module).__name__, {**each, "module": None}) for each in made[:-1]]
    return parts, made[-1].module is program, made[-1].is_final, made[-1].answer, [*made[-1]]


def events_of_tools(agent: Any) -> Any:
    """An event of the user's own that a tool tells, before the next step is streamed."""

    @dataclass
    class Progress(StreamEvent):  # type: ignore[misc]
        said: str

    def add(a: int, b: int) -> int:
        """Adds."""
        emit_event(Progress(f"adding {a} and {b}"))
        return a + b

    events = _events_of(agent(QA, tools=[udspy.Tool(add)]))
    (place,) = [number for number, event in enumerate(events) if isinstance(event, Progress)]
    before = [event for event in events[:place] if isinstance(event, Prediction)]
    return events[place].said, len(before)


def streamed_until_agreed(agent: Any) -> Any:
    """A call that waits ends the stream, and another one goes on."""
    calls: list[Any] = []
    program = agent(QA, tools=[confirming(calls)])
    try:
        _events_of(program)
    except udspy.ConfirmationRequired as waiting:
        udspy.respond_to_confirmation(waiting.confirmation_id, approved=True)
    return _events_of(program)[-1].answer, calls


def executed(agent: Any) -> Any:
    """The method that both ways of calling rest on."""
    return asyncio.run(agent(QA, tools=[add]).aexecute(question="2+3?", stream=False)).answer


def awaited_in_a_stream(agent: Any) -> Any:
    """A module of the user's own around the agent: what the agent predicts is in its stream."""
    program = agent(QA, tools=[add])

    class Around(udspy.Module):  # type: ignore[misc]
        async def aexecute(self, *, stream: bool = False, **inputs: Any) -> Any:
            inputs = {name: value for name, value in inputs.items() if value is not None}
            return await program.aforward(**inputs)

    return [event.answer for event in _events_of(Around()) if getattr(event, "module", None) is program]
