"""One episode of three steps and extraction: through the whole kit, and straight through the subject."""

import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import dspy
from dspy import lm15

from benchmarks.figures import Figure, at_most
from benchmarks.pairs import pair
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.sanitizers import run_sanitizers
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.signature import parse_arrow
from react_tck.play.again import gather_evidence
from react_tck.reference import ReAct
from react_tck.subjects.catalogue import resolve

_STEPS = 3
_ARGS = {"a": 2, "b": 3}
_MAKERS: dict[str, Callable[..., Any]] = {"reference": ReAct, "dspy": dspy.ReAct}

_ROUNDS = 40
_KIT = {name: at_most(f"an episode of {name}: through the kit / alone", 1.5) for name in _MAKERS}
_CALL = at_most("a call: the reference / dspy.ReAct", 0.5)
BOUNDS = (*_KIT.values(), _CALL)


def figures() -> Iterator[Figure]:
    """Measured in processor time, in turn."""
    for name, bound in _KIT.items():
        yield bound.measured_pair(pair(through_the_kit(name), straight(name), _ROUNDS, time.process_time))
    yield _CALL.measured_pair(pair(call_only("reference"), call_only("dspy"), _ROUNDS, time.process_time))


def through_the_kit(subject_name: str) -> Callable[[], object]:
    """Construct, call, and let the sanitizers see the record."""
    subject = resolve(subject_name)
    episode = _episode()
    return lambda: [list(run_sanitizers(scene)) for scene in gather_evidence(subject, episode, again=False).scenes]


def straight(subject_name: str) -> Callable[[], object]:
    """Construct and call with canned replies and a plain tool."""
    make = _MAKERS[subject_name]

    def run() -> object:
        with dspy.context(lm=_canned_lm()):
            return make("question -> answer", [add])(question="2+3")

    return run


def call_only(subject_name: str) -> Callable[[], object]:
    """Call an instance that is constructed once."""
    agent = _MAKERS[subject_name]("question -> answer", [add])
    lm = _canned_lm()

    def run() -> object:
        with dspy.context(lm=lm):
            return agent(question="2+3")

    return run


def _episode() -> Episode:
    step = CallTool(tool="add", args={**_ARGS}, thought="Add them.")
    case = Case(
        id="benchmark",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["add"],),
        invocations=(Invocation(inputs={"question": "2+3"}),),
    )
    script = Script(steps=(*[step] * _STEPS, Finish()), answers=(Answer(outputs={"answer": "5"}),))
    return Episode(case=case, script=script, nonce="benchmark")


def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


def _canned_lm() -> dspy.LM:
    return dspy.LM("canned", engine=_Canned(), cache=False, num_retries=0)


class _Canned:
    """The replies of one episode, again and again."""

    def __init__(self) -> None:
        step = _chat(next_thought="Add them.", next_tool_name="add", next_tool_args='{"a": 2, "b": 3}')
        finish = _chat(next_thought="Done.", next_tool_name="finish", next_tool_args="{}")
        self._replies = cycle([*[step] * _STEPS, finish, _chat(reasoning="It adds up.", answer="5")])

    def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """The next reply, whatever is asked."""
        return lm15.Response(
            id="canned",
            model=request.model,
            message=lm15.Message.assistant(next(self._replies)),
            finish_reason="stop",
            usage=lm15.Usage(),
        )


def _chat(**fields: str) -> str:
    sections = "\n\n".join(f"[[ ## {name} ## ]]\n{value}" for name, value in fields.items())
    return f"{sections}\n\n[[ ## completed ## ]]"
