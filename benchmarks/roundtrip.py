"""A call of a harness that does nothing, through the stdio client with all its checks, against a bare pipe."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pydantic_core import to_json

from benchmarks.pairs import Pair, processor_seconds
from react_tck.model.case import Invocation, Options
from react_tck.model.lm import Completion
from react_tck.model.protocol import CallParams
from react_tck.model.signature import parse_arrow
from react_tck.subjects.api import Endpoints
from react_tck.subjects.stdio import StdioSubject
from react_tck.subjects.stdio.process import Process

#: Answers every request, and looks at nothing but its id and its method.
_HARNESS = """
import json, sys
MANIFEST = {"name": "nothing", "version": "1", "dialects": ["chat"], "default_dialect": "chat",
            "capabilities": [], "default_max_steps": 1}
RESULTS = {"initialize": MANIFEST, "construct": {"instance": "1"},
           "call": {"status": "ok", "outputs": {"answer": "5"}, "trajectory_format": "none"}}
for line in sys.stdin.buffer:
    request = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": RESULTS[request["method"]]}
    sys.stdout.write(json.dumps(answer) + "\\n")
    sys.stdout.flush()
"""
#: Calls of a round.
CALLS = 200


#: Makes the calls of a round; and the number of the harness's process.
End = tuple[Callable[[], None], int]


def measured(rounds: int) -> Pair:
    """Processor seconds of both ends together, in turn: what they take depends little on who else is running."""
    with _on_one_processor(), _through_the_client() as client, _through_a_pipe() as pipe:
        spent = [[_spent(*end) for end in (client, pipe)] for _ in range(rounds + 1)]
    one, other = zip(*spent[1:], strict=True)  # the first is to warm up
    return Pair(one, other)


def _spent(calls: Callable[[], None], harness: int) -> float:
    before = processor_seconds(harness), processor_seconds()
    calls()
    return processor_seconds(harness) + processor_seconds() - sum(before)


@contextmanager
def _on_one_processor() -> Iterator[None]:
    """Both ends of a pipe where the other is: waking another processor takes longer than all that is measured."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def _through_the_client() -> Iterator[End]:
    """Calls through the kit."""
    process = Process([sys.executable, "-c", _HARNESS])
    subject = StdioSubject(lambda: process)
    invocation = Invocation(inputs={"question": "2+3"})
    try:
        endpoints = Endpoints(lm=lambda _: Completion(), tools=())
        instance = subject.construct(parse_arrow("question -> answer"), (), Options(), endpoints)

        def calls() -> None:
            for _ in range(CALLS):
                instance.call(invocation)

        yield calls, process.pid
    finally:
        subject.close()


@contextmanager
def _through_a_pipe() -> Iterator[End]:
    """The same lines to the same harness, and nobody looks at what comes back."""
    params = CallParams(instance="1", inputs={"question": "2+3"})
    line = to_json({"jsonrpc": "2.0", "id": 1, "method": "call", "params": params}) + b"\n"
    with subprocess.Popen([sys.executable, "-c", _HARNESS], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as harness:
        there, back = harness.stdin, harness.stdout
        assert there is not None
        assert back is not None

        def calls() -> None:
            for _ in range(CALLS):
                there.write(line)
                there.flush()
                back.readline()

        yield calls, harness.pid
        there.close()
