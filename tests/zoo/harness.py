"""A zoo of misbehaving harnesses: `python -m tests.zoo.harness NAME` is a good harness but for one thing.

It needs nothing but the standard library, as a harness should.
"""

import importlib.util
import json
import os
import signal
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

from tests.zoo.tricks import (
    CASES,
    Trick,
    after_every_second,
    answers,
    ask_lm,
    at_the_second,
    before,
    byte_by_byte,
    changed,
    chatter,
    close_stdout,
    closes_stderr,
    deep,
    draw_kind,
    environment,
    exits,
    flood,
    flood_once,
    flood_unasked,
    fork_leftover,
    half_line,
    has_no_time_out,
    kit_memory,
    manifest,
    nested,
    never_gives_up,
    noise_first,
    not_finite,
    once,
    other_manifest,
    outcome,
    post,
    raw,
    reads_no_more,
    run_tool,
    says,
    says_no_more,
    slowly,
    stay,
    stops_guard,
    tell,
    then,
    twice,
    varies_for_ever,
    with_a_child,
    write,
)

TEMPLATE = Path(__file__).parents[1] / "harnesses" / "plain.py"

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
    "any-kind": ("call", lambda request, answer: misbehave_at_random(request, answer)),
    # At the handshake.
    "error-at-handshake": ("initialize", changed(result=None, error={"code": -32603, "message": "no licence"})),
    "nested-manifest": ("initialize", deep(homepage=nested(100_000))),
    "hang-at-handshake": ("initialize", lambda _, __: time.sleep(600)),
    "banner": ("initialize", before(lambda: write("Welcome to MyReAct 1.0\n"))),
    "null-manifest": ("initialize", says('{"jsonrpc": "2.0", "id": 1, "result": null}\n')),
    "manifest-is-a-list": ("initialize", changed(result=[1, 2])),
    "handshake-twice": ("initialize", twice),
    "flood-at-handshake": ("initialize", flood),
    "no-dialect": ("initialize", manifest(dialects=[])),
    "unknown-dialect": ("initialize", manifest(dialects=["yaml"], default_dialect="yaml")),
    "default-dialect-not-claimed": ("initialize", manifest(default_dialect="xml")),
    "negative-steps": ("initialize", manifest(default_max_steps=-1)),
    "absurd-steps": ("initialize", manifest(default_max_steps=10**12)),
    "steps-as-text": ("initialize", manifest(default_max_steps="10")),
    "negative-retries": ("initialize", manifest(retries=-1)),
    "absurd-retries": ("initialize", manifest(retries=10**6)),
    "unknown-choice": ("initialize", manifest(choices={"colour": "red"})),
    "unknown-variant": ("initialize", manifest(choices={"unknown-tool": "guess"})),
    "unknown-capability": ("initialize", manifest(capabilities=["flying"])),
    "unlimited-steps": ("initialize", manifest(default_max_steps=None)),
    "truth-as-steps": ("initialize", manifest(default_max_steps=True)),
    "steps-of-many-digits": ("initialize", deep(default_max_steps="9" * 5000)),
    "no-name": ("initialize", manifest(name=" ")),
    "endless-name": ("initialize", manifest(name="x" * 2_000_000)),
    "endless-version": ("initialize", manifest(version="1." * 1_000_000)),
    "half-a-pair-as-name": ("initialize", manifest(name="\ud83d")),
    "name-of-a-command": ("initialize", manifest(name="a\x1b[2J\n::error::b")),
    "answer-tool-without-a-name": ("initialize", manifest(answer_tool="")),
    "unknown-key": ("initialize", manifest(frozen=True)),
    "deviates-from-nothing": ("initialize", manifest(deviations={"waits": [""]})),
    "varies-too-often": ("initialize", manifest(varies=[f"a{{{10**20}}}"])),
    "varies-too-deep": ("initialize", manifest(varies=["(" * 5000 + ")" * 5000])),
    "varies-for-ever": ("initialize", varies_for_ever),
    "mark-at-handshake": ("initialize", lambda _, answer: raw(b"\xef\xbb\xbf" + json.dumps(answer).encode() + b"\n")),
    # In an answer.
    "nested-outcome": ("call", deep(trajectory=nested(100_000))),
    "nested-instance": ("construct", deep(instance=nested(100_000))),
    "instance-is-a-number": ("construct", changed(result={"instance": 5})),
    "notification": ("call", before(lambda: write('{"jsonrpc": "2.0", "method": "log", "params": {}}\n'))),
    "two-on-a-line": ("call", lambda _, answer: write(json.dumps(answer) * 2 + "\n")),
    "pretty-printed": ("call", lambda _, answer: write(json.dumps(answer, indent=1) + "\n")),
    "byte-order-mark": ("call", lambda _, answer: raw(b"\xef\xbb\xbf" + json.dumps(answer).encode() + b"\n")),
    "utf-16": ("call", lambda _, answer: raw((json.dumps(answer) + "\n").encode("utf-16"))),
    "fraction-as-id": ("call", lambda _, answer: tell({**answer, "id": answer["id"] + 0.5})),
    "error-is-a-text": ("call", changed(result=None, error="it raised")),
    "outputs-are-a-list": ("call", outcome(outputs=["5"])),
    "number-too-large": ("call", deep(outputs='{"answer": 1e999}')),
    "error-without-error": ("call", outcome(status="error")),
    "carriage-returns": ("call", lambda _, answer: write(json.dumps(answer) + "\r\n")),
    "byte-by-byte": ("call", byte_by_byte),
    "blanks-around": ("call", lambda _, answer: write(f" \t{json.dumps(answer)} \n")),
    "nul-behind": ("call", lambda _, answer: write(json.dumps(answer) + "\0\n")),
    "no-line-break": ("call", lambda _, answer: write(json.dumps(answer))),
    "carriage-return-alone": ("call", lambda _, answer: write(json.dumps(answer) + "\r")),
    "id-twice": ("call", lambda _, answer: write(json.dumps(answer)[:-1] + ', "id": 99}\n')),
    "id-of-many-digits": ("call", lambda _, __: write(f'{{"jsonrpc": "2.0", "id": {"9" * 5000}, "result": null}}\n')),
    "error-is-null": ("call", lambda _, answer: tell({**answer, "error": None})),
    "batch": ("call", lambda _, answer: write(json.dumps([answer]) + "\n")),
    "asks-instead": ("call", lambda _, answer: tell({"jsonrpc": "2.0", "id": answer["id"], "method": "call"})),
    "output-of-many-digits": ("call", deep(outputs=f'{{"answer": {"9" * 5000}}}')),
    "values-without-end": ("call", deep(trajectory=f"[{'{}, ' * 2_000_000}{{}}]")),
    "endless-error": ("call", changed(result=None, error={"code": 1, "message": "\x1b[2J" * 1_000_000})),
    "keys-twice": ("call", lambda _, answer: write(json.dumps(answer)[:-1] + ', "jsonrpc": "2.0"}\n')),
    "stopped": ("call", lambda _, __: os.kill(os.getpid(), signal.SIGSTOP)),
    "segfault": ("call", lambda _, __: os.kill(os.getpid(), signal.SIGSEGV)),
    "child-left": ("call", with_a_child(signal_too=False)),
    "heedless-child-left": ("call", with_a_child(signal_too=True)),
    "closes-stderr": ("call", closes_stderr),
    "huge-answer": ("call", answers("x" * 15_000_000)),
    "answer-beyond-a-line": ("call", answers("x" * 17_000_000)),
    "kit-memory": ("call", kit_memory),
    "environment": ("call", environment),
    # After an answer.
    "noise-after": ("call", then(lambda: write("DEBUG: done\n"))),
    "blank-lines-after": ("call", then(lambda: write("\n\n"))),
    "carriage-return-after": ("call", then(lambda: write("\r"))),
    "flood-from-a-thread": ("call", then(lambda: Thread(target=flood_unasked, daemon=True).start())),
    # As a thread's that begins when the next request has been read.
    "flood-where-an-answer-is-due": ("construct", at_the_second(flood_once)),
    "noise-later": ("call", then(lambda: write("DEBUG: done\n"), 0.05)),
    "second-answer-later": ("call", then(lambda: tell({"jsonrpc": "2.0", "id": 3, "result": {}}), 0.05)),
    "half-a-line-later": ("call", then(lambda: write("DEBUG"), 0.05)),
    "exits-after": ("call", then(lambda: os._exit(0))),
    "exits-later": ("call", then(lambda: sys.exit(7), 0.05)),
    "killed-later": ("call", then(lambda: os.kill(os.getpid(), signal.SIGKILL), 0.05)),
    "closes-stdout-later": ("call", then(says_no_more, 0.05)),
    "stops-reading": ("call", reads_no_more),
    "flood-later": ("call", then(flood_unasked, 0.05)),
    "exits-after-every-second-answer": ("call", after_every_second(lambda: os._exit(0))),
    "noise-after-every-second-answer": ("call", after_every_second(lambda: write("DEBUG: done\n"))),
    "answers-every-second-twice": (
        "call",
        after_every_second(lambda: tell({"jsonrpc": "2.0", "id": 5, "result": {}}), 0.05),
    ),
    "late-lm-request-every-second-time": ("call", after_every_second(ask_lm, 0.05)),
    "late-tool-run-every-second-time": ("call", after_every_second(run_tool, 0.05)),
    "stops-its-parent": ("call", before(lambda: os.kill(os.getppid(), signal.SIGSTOP))),
    "stops-its-parents-guard": ("call", stops_guard),
    # Late and astray.
    "late-lm-request": ("call", then(ask_lm, 0.02)),
    "later-lm-request": ("call", then(ask_lm, 0.05)),
    "late-tool-run": ("call", then(run_tool, 0.02)),
    "late-wrong-tool": ("call", then(lambda: run_tool("no_such_tool"), 0.05)),
    "late-wrong-path": ("call", then(lambda: post(f"{CASES[-1]['lm']['base_url']}/embeddings"), 0.05)),
    "late-nonsense": ("call", then(lambda: post(f"{CASES[-1]['lm']['base_url']}/chat/completions", [1]), 0.05)),
    "lm-of-the-case-before": ("call", at_the_second(lambda: ask_lm(0))),
    "tool-of-the-case-before": ("call", at_the_second(lambda: run_tool(case=0))),
    "wrong-tool": ("call", before(lambda: run_tool("no_such_tool"))),
    "wrong-path": ("call", before(lambda: post(f"{CASES[-1]['lm']['base_url']}/embeddings"))),
    "has-no-time-out": ("initialize", has_no_time_out),
    "waits-for-a-silent-lm": ("initialize", never_gives_up),
}


def misbehave_at_random(request: Any, answer: Any) -> None:
    """Do what some trick with calls does, or answer as one should; and write down which it was."""
    kinds = [name for name, (method, _) in TRICKS.items() if method == "call" and name != "any-kind"]
    drawn = draw_kind(request, len(kinds))
    name = "well-behaved" if drawn is None else kinds[drawn]
    with Path(os.environ["ZOO_MARK"] + ".drawn").open("a", encoding="utf-8") as file:
        print(name, file=file)
    TRICKS[name][1](request, answer)


def main(name: str) -> None:
    """Serve, misbehaving where the name says."""
    harness = _template()
    method, trick = TRICKS[name]
    agent = None
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] == "construct":
            CASES.append(request["params"])
            agent = harness.construct(request["params"])
            answer["result"] = {"instance": "1"}
        elif request["method"] == "initialize":
            answer["result"] = harness.MANIFEST
        else:
            answer["result"] = harness.call(agent, request["params"])
        (trick if request["method"] == method else TRICKS["well-behaved"][1])(request, answer)


def _template() -> Any:
    spec = importlib.util.spec_from_file_location("toy", TEMPLATE)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["toy"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main(sys.argv[1])
