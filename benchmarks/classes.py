"""`python -m benchmarks.classes`: each class of the reference beside its original, in processor time.

An episode of three steps and one of twenty, with the answer that follows, by an agent that is there; and construction.
Both ask an LM that says by heart what it worked out the first time: it costs next to nothing.
"""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import dspy
import udspy
from dspy import lm15
from dspy_react_machina import ReActMachina
from openai.types.chat import ChatCompletion
from udspy.lm.base import LM

from benchmarks.figures import Figure, at_most, table
from benchmarks.pairs import Pair, pair
from react_tck.dialects import render_reply
from react_tck.dialects.reading import classify_request
from react_tck.model.intent import Answer, CallTool, Finish, Move, Submit
from react_tck.model.lm import Ask, LMRequest, Message
from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct

_ROUNDS = 25
_DIALECTS = ("machina", "chat", "json")
_ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="Add them.")
_FINISH = Finish(thought="Done.")
_OUTPUTS = {"answer": "5"}


def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


@dataclass(frozen=True, eq=False)
class Pairing:
    """Ours and theirs, and by which move their runs end."""

    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    end: Move

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.ours.__name__} / {self.theirs.__module__.partition('.')[0]}.{self.theirs.__name__}"

    def episode(self, steps: int) -> Pair:
        """Calls of as many steps."""
        return pair(self._call(self.ours, steps), self._call(self.theirs, steps), _ROUNDS, time.process_time)

    def construction(self) -> Pair:
        """Agents made."""
        return pair(lambda: _made(self.ours, 20), lambda: _made(self.theirs, 20), _ROUNDS, time.process_time)

    def _call(self, react: Callable[..., Any], steps: int) -> Callable[[], object]:
        agent, lm = _made(react, steps + 2), ByHeart(self.end, steps)
        within = lm.of_udspy if react is udspy.ReAct else lm.of_dspy

        def run() -> object:
            lm.asked = 0
            with within():
                return agent(question="2+3")

        return run


def _made(react: Callable[..., Any], limit: int) -> Any:
    name = "max_steps" if react is ReActMachina else "max_iters"
    return react("question -> answer", tools=[add], **{name: limit})


PAIRINGS = (
    Pairing(ReAct, dspy.ReAct, _FINISH),
    Pairing(TranscriptReAct, dspy.ReActV2, Submit(outputs=_OUTPUTS, thought="Done.")),
    Pairing(ConversationReAct, ReActMachina, _FINISH),
    Pairing(UdspyReAct, udspy.ReAct, _FINISH),
)


class ByHeart:
    """What an LM says in an episode of so many steps: worked out in its first course, then said again."""

    def __init__(self, end: Move, steps: int) -> None:
        self.asked = 0
        self._moves = (*[_ADD] * steps, end, Answer(outputs=_OUTPUTS, reasoning="It adds up."))
        self._texts: list[str] = []

    def says(self, messages: Iterator[Message]) -> str:
        """What it says next."""
        if self.asked == len(self._texts):
            request = LMRequest(messages=tuple(messages))
            ask = classify_request(request, _DIALECTS)
            assert isinstance(ask, Ask), request.text
            self._texts.append(render_reply(self._moves[self.asked], ask).content or "")
        self.asked += 1
        return self._texts[self.asked - 1]

    def of_dspy(self) -> AbstractContextManager[Any]:
        """Within, dspy asks it."""
        made: AbstractContextManager[Any] = dspy.context(lm=dspy.LM("canned", engine=_Engine(self), cache=False))
        return made

    def of_udspy(self) -> AbstractContextManager[Any]:
        """Within, udspy asks it."""
        made: AbstractContextManager[Any] = udspy.settings.context(lm=_UdspyLM(self))
        return made


class _Engine:
    """As dspy's LM asks it."""

    def __init__(self, lm: ByHeart) -> None:
        self._lm = lm

    def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """The next reply."""
        message = lm15.Message.assistant(self._lm.says(_messages(request)))
        return lm15.Response(
            id="canned", model=request.model, message=message, finish_reason="stop", usage=lm15.Usage()
        )


def _messages(request: lm15.Request) -> Iterator[Message]:
    if request.system:
        yield Message(role="system", content=str(request.system))
    for message in request.messages:
        yield Message(role=message.role, content="".join(part.text for part in message.parts_of(lm15.TextPart)))


class _UdspyLM(LM):  # type: ignore[misc]  # udspy has no types
    """As udspy asks it."""

    def __init__(self, lm: ByHeart) -> None:
        self._lm = lm

    async def acomplete(self, messages: list[dict[str, Any]], **_: Any) -> ChatCompletion:
        """The next reply."""
        told = (Message(role=message["role"], content=message["content"]) for message in messages)
        said = {"role": "assistant", "content": self._lm.says(told)}
        choices = [{"index": 0, "finish_reason": "stop", "message": said}]
        return ChatCompletion(id="1", created=0, model="canned", object="chat.completion", choices=choices)


#: How much of the original's time each may take.
_THREE, _TWENTY, _MADE = (
    {p: at_most(f"{p.name}: {what}", bound) for p in PAIRINGS}
    for what, bound in (("three steps and the answer", 0.2), ("twenty steps", 0.1), ("construction", 0.5))
)
BOUNDS = tuple(bounds[each] for each in PAIRINGS for bounds in (_THREE, _TWENTY, _MADE))


def figures() -> Iterator[Figure]:
    """Of each pairing three, measured in turn."""
    gc.collect()
    for each in PAIRINGS:
        yield _THREE[each].measured_pair(each.episode(3))
        yield _TWENTY[each].measured_pair(each.episode(20))
        yield _MADE[each].measured_pair(each.construction())


if __name__ == "__main__":
    print("\n".join(table(BOUNDS, figures())))
