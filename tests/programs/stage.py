"""Runs one program with an original's class and with ours, over an LM that answers from what it is asked alone.

A program is given an agent class and says, as a value, what came out. What the LM was asked is compared with it: how
often, in which order, for which fields, and how many images went along.
"""

import inspect
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

import dspy
from dspy import lm15

from react_tck.dialects import render_reply
from react_tck.dialects.reading import classify_request
from react_tck.model.intent import Answer, CallTool, Finish, Move, Submit
from react_tck.model.lm import Ask, Completion, LMRequest
from react_tck.subjects.adapted import make_lm
from react_tck.subjects.libraries.dspy.engine import AsyncEngine, Engine

Program = Callable[[Any], Any]
#: What the LM means to say: given what it reads, what is asked for, and how many results of tools it has seen.
Mind = Callable[[LMRequest, Ask, int], Move | Completion]

#: In these the LM's requests are read.
_DIALECTS = ("native", "machina", "chat", "xml", "json")
#: What shows a tool's result in a prompt of any of the eight.
_RESULTS = ("observation_", '"tool_call_id"', '"call_id"', "[[ ## tool_result ## ]]", '"observation":')


_VALUES: Any = {"total": {"value": 5, "parts": [2, 3]}, "drawing": {"url": "https://example.org/5.png"}}


def adds(request: LMRequest, ask: Ask, seen: int) -> Move:
    """One call of `add`, then the answer; whatever else is asked for is answered by a text."""
    if ask.phase == "step":
        return Finish(thought="done") if seen else CallTool(tool="add", args={"a": 2, "b": 3}, thought="add them")
    return answers(request, ask)


def submits(request: LMRequest, ask: Ask, seen: int) -> Move:
    """The same for agents that submit their answer."""
    if ask.phase == "step":
        call = CallTool(tool="add", args={"a": 2, "b": 3}, thought="add them")
        outputs = {"total": _VALUES["total"]} if "parts" in request.text else {"answer": "5"}
        outputs |= {"drawing": _VALUES["drawing"]} if "drawing" in request.text else {}
        return Submit(outputs=outputs, thought="done") if seen else call
    return answers(request, ask)


def answers(_request: LMRequest, ask: Ask, _seen: int = 0) -> Move:
    """A five for every field, but for those that aren't texts."""
    return Answer(outputs={name: _VALUES.get(name, "5") for name in ask.fields})


@dataclass
class Heard:
    """An LM's requests, in order: phase, fields asked for, and how many images went along."""

    mind: Mind
    requests: list[LMRequest] = field(default_factory=list)
    asked: list[tuple[str, tuple[str, ...], int]] = field(default_factory=list)
    _lock: Any = field(default_factory=threading.Lock)

    def complete(self, request: LMRequest) -> Completion:
        """Answer, and keep what was asked."""
        ask = _ask(request)
        images = sum(len(message.images) for message in request.messages)
        with self._lock:
            self.requests.append(request)
            self.asked.append((ask.phase, ask.fields, images) if ask else ("other", (), images))
        if ask is None:
            return Completion(content="```\nBe brief.\n```")
        said = self.mind(request, ask, results_in(request))
        return said if isinstance(said, Completion) else render_reply(said, ask)


def _ask(request: LMRequest) -> Ask | None:
    """What a request asks for. `BAMLAdapter` says only in the last message that it wants JSON."""
    ask = classify_request(request, _DIALECTS)
    in_json = ask is not None and "Respond with a JSON object" in (request.messages[-1].content or "")
    return ask.model_copy(update={"dialect": "json"}) if ask and in_json else ask


class _Speaking(Engine):
    """An engine that counts tokens, and streams what it says in one piece."""

    def complete(self, request: lm15.Request, **rest: Any) -> lm15.Response:
        """The reply, and what it cost."""
        usage = lm15.Usage(input_tokens=3, output_tokens=2, total_tokens=5)
        return replace(super().complete(request, **rest), usage=usage)

    def stream(self, request: lm15.Request) -> Iterator[Any]:
        """The reply as events."""
        yield from lm15.response_to_events(self.complete(request))


class _AsyncSpeaking(AsyncEngine):
    """The same for async calls."""

    async def stream(self, request: lm15.Request) -> AsyncIterator[Any]:
        """The reply as events."""
        for event in lm15.response_to_events(await self.complete(request)):
            yield event


def results_in(request: LMRequest) -> int:
    """How many results of tools the last question's episode shows."""
    roles = [message.role for message in request.messages]
    if "tool" in roles:
        return roles[roles.index("user") :].count("tool")
    last = max((n for n, message in enumerate(request.messages) if _asks(message.content or "")), default=0)
    return sum((message.content or "").count(mark) for message in request.messages[last:] for mark in _RESULTS)


def _asks(text: str) -> bool:
    """Whether a message tells the question, rather than a result."""
    return "[[ ## question ## ]]" in text or '"question"' in text


@dataclass(frozen=True)
class Seen:
    """What came of a program: its value or the type of its error, and what the LM was asked."""

    value: Any
    asked: tuple[Any, ...]


@contextmanager
def heard(mind: Mind = adds, *, native: bool = False) -> Iterator[Heard]:
    """Within, dspy asks an LM of this mind."""
    lm = Heard(mind)
    engine = _Speaking(make_lm(lm.complete), supports_function_calling=native)
    made = dspy.LM("scripted", engine=engine, async_engine=_AsyncSpeaking(engine), cache=False, num_retries=0)
    with dspy.context(lm=made, adapter=None, disable_history=False):
        yield lm


def played(program: Program, agent: Any, mind: Mind = adds, *, native: bool = False) -> Seen:
    """The program, run with this class."""
    with heard(mind, native=native) as lm:
        try:
            value = program(agent)
        except Exception as error:
            value = type(error).__name__
    return Seen(value, tuple(lm.asked))


def programs(module: ModuleType) -> dict[str, Program]:
    """The programs of a module, by their names: its functions of an `agent` alone."""
    functions = {name: value for name, value in vars(module).items() if inspect.isfunction(value)}
    return {name: value for name, value in functions.items() if [*inspect.signature(value).parameters] == ["agent"]}
