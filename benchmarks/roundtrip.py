"""A call of a harness that does nothing, through the stdio client with all its checks, against a bare pipe."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from react_tck.model.case import Invocation, Options
from react_tck.model.lm import Completion
from react_tck.model.signature import parse_arrow
from react_tck.subjects.api import Endpoints
from react_tck.subjects.stdio import StdioSubject, started

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


@contextmanager
def on_one_processor() -> Iterator[None]:
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
def through_the_client() -> Iterator[Callable[[], None]]:
    """Calls through the kit."""
    subject = StdioSubject(started([sys.executable, "-c", _HARNESS]))
    invocation = Invocation(inputs={"question": "2+3"})
    try:
        endpoints = Endpoints(lm=lambda _: Completion(), tools=())
        instance = subject.construct(parse_arrow("question -> answer"), (), Options(), endpoints)

        def calls() -> None:
            for _ in range(CALLS):
                instance.call(invocation)

        yield calls
    finally:
        subject.close()


@contextmanager
def through_a_pipe() -> Iterator[Callable[[], None]]:
    """The same lines to the same harness, and nobody looks at what comes back."""
    call = {"instance": "1", "inputs": {"question": "2+3"}, "history": None, "max_steps": None, "mode": "sync"}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "call", "params": call}).encode() + b"\n"
    with subprocess.Popen([sys.executable, "-c", _HARNESS], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as harness:
        there, back = harness.stdin, harness.stdout
        assert there is not None
        assert back is not None

        def calls() -> None:
            for _ in range(CALLS):
                there.write(line)
                there.flush()
                back.readline()

        yield calls
        there.close()
