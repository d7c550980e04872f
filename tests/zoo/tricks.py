"""What the harnesses of the zoo do that none should: a trick has the request and the answer that would be right."""

import contextlib
import ctypes
import hashlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]
Trick = Callable[[Message, Message], None]

#: Restarted harnesses find out here that they are not the first.
MARK = os.environ.get("ZOO_MARK")
#: The params of the latest construction, and of the first.
CASES: list[Message] = []


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


def flood_unasked() -> None:
    """Write without end and without a line break."""
    while True:
        write("x" * 1_000_000)


def flood_once() -> None:
    """Flood, if not restarted."""
    if _is_first():
        flood_unasked()


def flood(_: Message, __: Message) -> None:
    flood_unasked()


def fork_leftover(_: Message, __: Message) -> None:
    # The child keeps our standard output open after we are gone.
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    os._exit(3)


def close_stdout(_: Message, __: Message) -> None:
    sys.stdout.flush()
    os.close(1)
    time.sleep(600)


def twice(_: Message, answer: Message) -> None:
    write((json.dumps(answer) + "\n") * 2)


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


def varies_for_ever(_: Message, answer: Message) -> None:
    """From now on, ask otherwise each time, with what a declared pattern is never done with."""
    toy = sys.modules["toy"]
    send = toy.post

    def post(url: str, body: Any, key: str = "") -> Any:
        for message in body.get("messages", ())[:1]:
            message["content"] += f"\n{'a' * 40}!{time.time_ns()}"
        return send(url, body, key)

    toy.__dict__["post"] = post
    tell({**answer, "result": {**answer["result"], "varies": ["(a+)+$"]}})


def once(_: Message, answer: Message) -> None:
    assert MARK
    if not Path(MARK).exists():
        Path(MARK).write_text("crashed before", encoding="utf-8")
        os._exit(1)
    tell(answer)


def draw_kind(request: Message, kinds: int) -> int | None:
    """Which of so many kinds of misbehaviour a call meets, one in twelve: told by the seed and the case alone."""
    case = {key: value for key, value in CASES[-1].items() if key not in ("lm", "tools_url")}
    told = json.dumps([os.environ.get("ZOO_SEED"), case, request["params"]["inputs"]], sort_keys=True)
    drawn = int(hashlib.sha256(told.encode()).hexdigest(), 16)
    return None if drawn % 12 else drawn // 12 % kinds


def nested(depth: int) -> str:
    """JSON text, an array in an array in an array."""
    return "[" * depth + "]" * depth


def deep(**named: str) -> Trick:
    """Answer with a result of which one key holds this text of JSON."""

    def trick(_: Message, answer: Message) -> None:
        result = dict(answer.get("result") or {})
        hole = {key: f"<{key}>" for key in named}
        text = json.dumps({**answer, "result": {**result, **hole}})
        for key, value in named.items():
            text = text.replace(f'"<{key}>"', value)
        write(text + "\n")

    return trick


def manifest(**changes: Any) -> Trick:
    """Give a manifest with some keys changed."""
    return lambda _, answer: tell({**answer, "result": {**answer["result"], **changes}})


def outcome(**changes: Any) -> Trick:
    """Give an outcome with some keys changed."""
    return lambda _, answer: tell({**answer, "result": {**answer["result"], **changes}})


def answers(value: Any) -> Trick:
    """Give an outcome with this answer."""
    return lambda _, answer: tell({**answer, "result": {**answer["result"], "outputs": {"answer": value}}})


def then(action: Callable[[], object], seconds: float = 0.0) -> Trick:
    """Answer as one should, and do something unasked when so much time has passed: once only, restarted or not."""

    def trick(_: Message, answer: Message) -> None:
        tell(answer)
        if _is_first():
            time.sleep(seconds)
            action()

    return trick


def after_every_second(action: Callable[[], object], seconds: float = 0.0) -> Trick:
    """Answer as one should, and after every second answer do something unasked."""
    answered: list[Message] = []

    def trick(_: Message, answer: Message) -> None:
        tell(answer)
        answered.append(answer)
        if len(answered) % 2 == 0:
            time.sleep(seconds)
            action()

    return trick


def stops_guard(_: Message, __: Message) -> None:
    """Stop the process that started the one that started this, and never answer."""
    said = Path(f"/proc/{os.getppid()}/stat").read_text(encoding="utf-8")
    os.kill(int(said.rpartition(")")[2].split()[1]), signal.SIGSTOP)
    time.sleep(600)


def _is_first() -> bool:
    assert MARK
    is_first = not Path(MARK).exists()
    Path(MARK).touch()
    return is_first


def post(url: str, body: object = None, method: str = "POST") -> None:
    """Send a request of the kind that the kit serves, and don't mind the answer."""
    sent = urllib.request.Request(
        url, json.dumps(body or {}).encode(), {"Content-Type": "application/json"}, method=method
    )
    with contextlib.suppress(OSError), urllib.request.urlopen(sent, timeout=5) as response:
        response.read()


def ask_lm(case: int = -1) -> None:
    """Ask the LM of one of the cases so far."""
    messages = [{"role": "system", "content": "Your output fields are:\n1. `answer`"}]
    post(f"{CASES[case]['lm']['base_url']}/chat/completions", {"model": "m", "messages": messages})


def run_tool(name: str = "", case: int = -1) -> None:
    """Run a tool of one of the cases so far, its first unless one is named."""
    post(f"{CASES[case]['tools_url']}/{name or CASES[case]['tools'][0]['name']}", {"a": 1, "b": 1})


def before(action: Callable[[], object]) -> Trick:
    """Do something, then answer as one should."""

    def trick(_: Message, answer: Message) -> None:
        action()
        tell(answer)

    return trick


def at_the_second(action: Callable[[], object]) -> Trick:
    """Do something before the second answer, but not before the first, or any later one."""
    seen: list[int] = []

    def trick(_: Message, answer: Message) -> None:
        seen.append(1)
        if len(seen) == 2:
            action()
        tell(answer)

    return trick


def byte_by_byte(_: Message, answer: Message) -> None:
    for byte in json.dumps(answer).encode() + b"\n":
        raw(bytes([byte]))


def says_no_more() -> None:
    """Close the standard output, and stay."""
    os.close(1)
    time.sleep(600)


def reads_no_more(_: Message, answer: Message) -> None:
    """Close the standard input and answer as one should, once only: whoever writes to it then meets a broken pipe."""
    if not _is_first():
        tell(answer)
        return
    os.close(0)
    tell(answer)
    time.sleep(600)


def kit_memory(_: Message, answer: Message) -> None:
    """Try to look at the script where the kit keeps it, as anybody's child without the right to debug."""
    libc, none = ctypes.CDLL(None), (ctypes.c_uint32 * 6)()
    libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), none)
    try:
        with Path(f"/proc/{os.getppid()}/mem").open("rb"):
            found = "the memory of the kit lies open"
    except OSError as error:
        found = f"refused: {error.strerror}"
    print(found, file=sys.stderr, flush=True)
    os._exit(1)


def environment(_: Message, __: Message) -> None:
    """Show what the environment holds, and end."""
    names = ("ZOO_SECRET_KEY", "ZOO_UNLISTED", "BUNDLE_GEMS__EXAMPLE__ORG", "BUNDLE_GEMFILE", "NO_PROXY")
    print(json.dumps({name: os.environ.get(name) for name in names}), file=sys.stderr, flush=True)
    os._exit(1)


def with_a_child(signal_too: bool) -> Trick:
    """Leave a child behind, one that heeds no gentle signal if wanted, and hang."""

    def trick(_: Message, __: Message) -> None:
        heedless = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " if signal_too else ""
        subprocess.Popen([sys.executable, "-c", f"{heedless}import time; time.sleep(600)"])
        time.sleep(600)

    return trick


def exits(status: int) -> Trick:
    """Leave instead of answering."""
    return lambda _, __: os._exit(status)


def has_no_time_out(_: Message, answer: Message) -> None:
    """From now on, wait for the LM for as long as it takes."""
    sys.modules["toy"].__dict__["TIMEOUT"] = None
    tell(answer)


def never_gives_up(_: Message, answer: Message) -> None:
    """From now on, wait for good where the LM says nothing, even when the connection is gone."""
    toy = sys.modules["toy"]
    send = toy.post

    def post(url: str, body: object, key: str = "") -> Any:
        try:
            return send(url, body, key)
        except (http.client.HTTPException, OSError):
            time.sleep(600)

    toy.__dict__.update(post=post, TIMEOUT=None)
    tell(answer)


def closes_stderr(_: Message, answer: Message) -> None:
    with contextlib.suppress(OSError):
        os.close(2)
    tell(answer)
