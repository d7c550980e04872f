"""A zoo of misbehaving harnesses: `python tests/support/zoo.py NAME` is a good harness but for one thing.

It needs nothing but the standard library, as a harness should.
"""

import hashlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TEMPLATE = Path(__file__).parents[2] / "react_tck" / "templates" / "python" / "harness.py"
#: Restarted harnesses find out here that they are not the first.
MARK = os.environ.get("ZOO_MARK")

Message = dict[str, Any]
Trick = Callable[[Message, Message], None]


def write(text: str) -> None:
    """Write on standard output, at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def raw(data: bytes) -> None:
    """Write bytes on standard output, at once."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def tell(answer: Message) -> None:
    """Answer as one should."""
    write(json.dumps(answer) + "\n")


def changed(**changes: Any) -> Trick:
    """Answer with some keys changed; None takes a key away."""

    def trick(_: Message, answer: Message) -> None:
        made = {**answer, **changes}
        tell({key: value for key, value in made.items() if value is not None})

    return trick


def says(text: str) -> Trick:
    """Answer with this text."""
    return lambda _, __: write(text)


def not_finite(_: Message, answer: Message) -> None:
    tell({**answer, "result": {**answer["result"], "trajectory": [{"observation": float("nan")}]}})


def half_line(_: Message, answer: Message) -> None:
    write(json.dumps(answer)[:20])
    os._exit(0)


def flood(_: Message, __: Message) -> None:
    while True:
        write("x" * 1_000_000)


def fork_leftover(_: Message, __: Message) -> None:
    # The child keeps our standard output open after we are gone.
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    os._exit(3)


def close_stdout(_: Message, __: Message) -> None:
    sys.stdout.flush()
    os.close(1)
    time.sleep(600)


def twice(_: Message, answer: Message) -> None:
    tell(answer)
    tell(answer)


def noise_first(_: Message, answer: Message) -> None:
    write("DEBUG: calling the agent\n")
    tell(answer)


def chatter(_: Message, answer: Message) -> None:
    print("a line of log\n" * 20_000, file=sys.stderr, flush=True)
    tell(answer)


def slowly(_: Message, answer: Message) -> None:
    time.sleep(0.2)
    tell(answer)


def stay(_: Message, answer: Message) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    tell(answer)
    time.sleep(600)


def other_manifest(_: Message, answer: Message) -> None:
    assert MARK
    again = Path(MARK).exists()
    Path(MARK).write_text("started before", encoding="utf-8")
    tell({**answer, "result": {**answer["result"], "version": "2" if again else "1"}})


def once(_: Message, answer: Message) -> None:
    assert MARK
    if not Path(MARK).exists():
        Path(MARK).write_text("crashed before", encoding="utf-8")
        os._exit(1)
    tell(answer)


def at_random(request: Message, answer: Message) -> None:
    """Crash on about one call in twenty, told by the call's own text, so that every run crashes on the same ones."""
    if int(hashlib.sha256(json.dumps(request["params"]["inputs"]).encode()).hexdigest(), 16) % 20 == 0:
        os._exit(1)
    tell(answer)


def exits(status: int) -> Trick:
    """Leave instead of answering."""
    return lambda _, __: os._exit(status)


#: Name, the method it misbehaves on, and how.
TRICKS: dict[str, tuple[str, Trick]] = {
    "well-behaved": ("", lambda _, answer: tell(answer)),
    "exit-1": ("call", exits(1)),
    "exit-0": ("call", exits(0)),
    "exit-0-at-handshake": ("initialize", exits(0)),
    "killed": ("call", lambda _, __: os.kill(os.getpid(), signal.SIGKILL)),
    "aborted": ("call", lambda _, __: os.abort()),
    "hang": ("call", lambda _, __: time.sleep(600)),
    "hang-at-construct": ("construct", lambda _, __: time.sleep(600)),
    "noise": ("call", noise_first),
    "not-json": ("call", says("{'id': 1}\n")),
    "half-line": ("call", half_line),
    "not-finite": ("call", not_finite),
    "invalid-utf-8": ("call", lambda _, __: raw(b'{"jsonrpc": "\xff\xfe"}\n')),
    "array": ("call", says("[1, 2]\n")),
    "empty-line": ("call", says("\n")),
    "wrong-id": ("call", lambda _, answer: tell({**answer, "id": 4711})),
    "text-id": ("call", lambda _, answer: tell({**answer, "id": str(answer["id"])})),
    "no-id": ("call", changed(id=None)),
    "twice": ("construct", twice),
    "both": ("call", changed(error={"code": 1, "message": "and an error"})),
    "neither": ("call", changed(result=None)),
    "old-json-rpc": ("call", changed(jsonrpc="1.0")),
    "not-an-outcome": ("call", changed(result={"answer": "5"})),
    "unknown-status": ("call", changed(result={"status": "fine"})),
    "bare-result": ("call", changed(result="5")),
    "error-for-outcome": ("call", changed(result=None, error={"code": -32000, "message": "it raised"})),
    "other-construct-error": ("construct", changed(result=None, error={"code": -32603, "message": "bug"})),
    "no-dialects": ("initialize", changed(result={"name": "x", "version": "1"})),
    "flood": ("call", flood),
    "fork-leftover": ("call", fork_leftover),
    "close-stdout": ("call", close_stdout),
    "other-manifest-after-restart": ("initialize", other_manifest),
    "chatter-on-stderr": ("call", chatter),
    "slow": ("call", slowly),
    "stays-when-told-to-end": ("call", stay),
    "crashes-once": ("call", once),
    "crashes-at-random": ("call", at_random),
}


def main(name: str) -> None:
    """Serve, misbehaving where the name says."""
    harness = _template()
    method, trick = TRICKS[name]
    agent = None
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] == "construct":
            agent = harness.construct(request["params"])
            answer["result"] = {"instance": "1"}
        elif request["method"] == "initialize":
            answer["result"] = harness.MANIFEST
        else:
            answer["result"] = harness.call(agent, request["params"])
        (trick if request["method"] == method else TRICKS["well-behaved"][1])(request, answer)


def _template() -> Any:
    spec = importlib.util.spec_from_file_location("harness", TEMPLATE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main(sys.argv[1])
