"""Time each class of the reference beside its original: `python -m benchmarks.classes [--rounds N] [CLASS...]`.

Both take turns and ask one LM, which says by heart what it worked out when it was asked first. Prints milliseconds of
processors, medians of the rounds, and their ratio beside the bound that it has: of an agent that is made, and of a call
of three or twenty steps and the answer, by an agent that is there or is made for it, sync or async.
"""

import argparse
import asyncio
import gc
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import dspy
import udspy
from dspy import lm15
from dspy_react_machina import ReActMachina
from openai.types.chat import ChatCompletion
from udspy.lm.base import LM

from react_tck.dialects import render_reply
from react_tck.dialects.reading import classify_request
from react_tck.model.intent import Answer, CallTool, Finish, Move, Submit
from react_tck.model.lm import LMRequest, Message
from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct

_DIALECTS = ("machina", "chat", "json")
_ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="Add them.")
_OUTPUTS = {"answer": "5"}
_FINISH = Finish(thought="Done.")
_SUBMIT = Submit(outputs=_OUTPUTS, thought="Done.")


class Bounds(NamedTuple):
    """What of the original's time ours may take at the most: half is the aim.

    More is written where both make the same classes of pydantic's, or where the time is that of dspy's predictors and
    adapters, which users put in each other's place, trace and optimise: nothing is built around them.
    """

    made: float = 0.5
    made_and_called: float = 0.5
    called: float = 0.5


class Pairing(NamedTuple):
    """Ours and theirs, the name that theirs has for the most steps, by which move their runs end, and the bounds."""

    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    limit: str
    end: Move
    bounds: Bounds = Bounds()


PAIRINGS = (
    Pairing(ReAct, dspy.ReAct, "max_iters", _FINISH),
    Pairing(TranscriptReAct, dspy.ReActV2, "max_iters", _SUBMIT, Bounds(0.7)),
    Pairing(ConversationReAct, ReActMachina, "max_steps", _FINISH, Bounds(0.95, 0.6)),
    Pairing(UdspyReAct, udspy.ReAct, "max_iters", _FINISH, Bounds(1.0, 1.0, 1.0)),
)


class Figure(NamedTuple):
    """What one measure of a pairing came to, in seconds, and the bound of its ratio."""

    name: str
    measure: str
    ours: float
    theirs: float
    bound: float

    @property
    def is_met(self) -> bool:
        """Whether ours takes no more of the original's time than the bound has it."""
        return self.ours / self.theirs <= self.bound

    def __str__(self) -> str:
        took = f"{self.ours * 1000:9.2f} / {self.theirs * 1000:7.2f} = {self.ours / self.theirs:.2f}"
        verdict = f"at most {self.bound:.2f}{'' if self.is_met else ', NOT MET'}"
        return f"{self.name:<18} {self.measure:<22} {took}  {verdict}"


@dataclass
class Spoken:
    """What the LM says in a run, by heart once it has been worked out."""

    moves: Sequence[Move]
    texts: list[str] = field(default_factory=list)
    asked: int = 0

    def say(self, messages: Iterable[tuple[str, Any]]) -> str:
        """Return the next reply, in the dialect in which it is asked for."""
        if self.asked == len(self.texts):
            request = LMRequest(messages=tuple(Message(role=role, content=text) for role, text in messages))
            if (ask := classify_request(request, _DIALECTS)) is None:
                raise ValueError(f"no known form is asked for: {request.text}")
            self.texts.append(render_reply(self.moves[self.asked], ask).content or "")
        self.asked += 1
        return self.texts[self.asked - 1]


class _Engine:
    """The LM as dspy asks it."""

    def __init__(self, spoken: Spoken) -> None:
        self.spoken = spoken

    def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        told = [("system", request.system), *((message.role, message.text) for message in request.messages)]
        said = lm15.Message.assistant(self.spoken.say((role, text) for role, text in told if text))
        return lm15.Response(id="1", model=request.model, message=said, finish_reason="stop", usage=lm15.Usage())


class _AsyncEngine(_Engine):
    async def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        return super().complete(request)


class _UdspyLM(LM):  # type: ignore[misc]  # udspy has no types
    """The LM as udspy asks it."""

    def __init__(self, spoken: Spoken) -> None:
        self.spoken = spoken

    async def acomplete(self, messages: list[dict[str, Any]], **_: Any) -> ChatCompletion:
        said = {"role": "assistant", "content": self.spoken.say((m["role"], m["content"]) for m in messages)}
        choices = [{"index": 0, "finish_reason": "stop", "message": said}]
        return ChatCompletion(id="1", created=0, model="canned", object="chat.completion", choices=choices)


def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


def measure_pairing(pairing: Pairing, rounds: int) -> Iterator[Figure]:
    """Yield the figures of a pairing."""

    def compare(measure: str, bound: float, action: Callable[[Callable[..., Any]], Callable[[], object]]) -> Figure:
        ours, theirs = action(pairing.ours), action(pairing.theirs)
        times = [(_time(ours), _time(theirs)) for _ in range(rounds + 1)][1:]  # the first is to warm up
        one, other = (median(taken) for taken in zip(*times, strict=True))
        return Figure(pairing.ours.__name__, measure, one, other, bound)

    made, made_and_called, called = pairing.bounds
    yield compare("made", made, lambda react: lambda: _make_agent(pairing, react))
    with asyncio.Runner() as runner:
        for steps, way in ((3, None), (3, runner), (20, None), (20, runner)):
            measure = f"{steps} steps, {'async' if way else 'sync'}"
            yield compare(measure, called, partial(_make_call, pairing, steps, way))
            yield compare(f"made, {measure}", made_and_called, partial(_make_call, pairing, steps, way, is_new=True))


def _make_agent(pairing: Pairing, react: Callable[..., Any]) -> Any:
    limit = pairing.limit if react is pairing.theirs else "max_iters"
    return react("question -> answer", tools=[add], **{limit: 22})


def _make_call(
    pairing: Pairing, steps: int, runner: asyncio.Runner | None, react: Callable[..., Any], *, is_new: bool = False
) -> Callable[[], object]:
    """Return a call of so many steps, by an agent that is there or made for it; awaited, if there is a runner."""
    spoken = Spoken((*[_ADD] * steps, pairing.end, Answer(outputs=_OUTPUTS, reasoning="It adds up.")))
    engines = {"engine": _Engine(spoken), "async_engine": _AsyncEngine(spoken)}
    is_udspys = udspy.ReAct in pairing
    lm = _UdspyLM(spoken) if is_udspys else dspy.LM("canned", cache=False, **engines)
    settings, there = udspy.settings if is_udspys else dspy.settings, _make_agent(pairing, react)

    def run() -> object:
        spoken.asked = 0
        agent = _make_agent(pairing, react) if is_new else there
        with settings.context(lm=lm):
            if runner is None:
                return agent(question="2+3")
            asked = agent.aforward if is_udspys else agent.acall
            return runner.run(asked(question="2+3"), context=copy_context())

    return run


def _time(action: Callable[[], object]) -> float:
    begun = time.process_time()
    action()
    return time.process_time() - begun


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; return 1 where a bound isn't met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classes")
    parser.add_argument("--rounds", type=int, default=15, metavar="N")
    names = [pairing.ours.__name__ for pairing in PAIRINGS]
    parser.add_argument("names", nargs="*", metavar="CLASS", help=f"{', '.join(names)}; all by default")
    given = parser.parse_args(words)
    if unknown := [name for name in given.names if name not in names]:
        parser.error(f"there is no {unknown[0]!r}; there are {', '.join(names)}")
    met = True
    for pairing in PAIRINGS:
        if pairing.ours.__name__ not in (given.names or names):
            continue
        gc.collect()
        gc.freeze()
        for figure in measure_pairing(pairing, given.rounds):
            print(figure, flush=True)
            met = met and figure.is_met
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
