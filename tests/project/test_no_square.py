"""Twice as much of anything takes about twice as long: what somebody else has written is never read in square time."""

import json
import os
import time
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from react_tck.catalogue.features import load_feature
from react_tck.dialects.field_lists import output_fields, reply_structure
from react_tck.dialects.notations import _FENCE
from react_tck.fakes.server.secrets import SecretHider
from react_tck.model.outcome import Outcome, UnreadableTrace, read_trace
from react_tck.processes.guard import GuardedWorker
from react_tck.processes.supervisor import Worker, select_last_lines
from react_tck.processes.worker import KitFailed, encode_message
from react_tck.record.visibility import _replace_escapes
from react_tck.reports.printing import escape_text
from react_tck.texts import read_json, read_toml, read_yaml
from tests.support.house import ROOT

#: Processor time for twice as much may be so many times that for once as much; the square would be four times.
FACTOR = 3.0
#: Seconds: what takes less is fast, whatever the clock says of its double.
FAST = 0.02

hide = SecretHider(["a key of somebody"]).hide_in_text
hide_body = SecretHider().hide_in_body


def read_prompt(text: str) -> None:
    output_fields.__wrapped__(text)
    reply_structure.__wrapped__(text)


def read_keys(text: str) -> None:
    with pytest.raises(UnreadableTrace):
        read_trace(Outcome(status="ok", trajectory={text: 1}, trajectory_format="mapping"))


def hear_worker(text: str) -> None:
    """A report that comes in pieces as a pipe gives them."""
    reports, report = os.pipe()
    os.set_blocking(reports, False)
    outputs, output = os.pipe()
    os.set_blocking(outputs, False)
    rest = memoryview(encode_message(KitFailed(trace=text)))
    worker = Worker(GuardedWorker(0, reports, outputs, 0))
    heard = 0
    while rest:
        rest = rest[os.write(report, rest[:65536]) :]
        heard += len(list(worker.read_messages()))
    for descriptor in (reports, report, outputs, output):
        os.close(descriptor)
    assert heard == 1


#: What is read; and a text of a size.
READERS: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "names of secrets": (hide, lambda size: "a-" * size),
    "names without an end": (hide, lambda size: '"' + "secret" * size),
    "blanks after a name": (hide, lambda size: '"secret"' + " " * size + "x"),
    "strokes": (hide, lambda size: "\\" * size),
    "half a token": (hide, lambda size: "-eyJaaaaaaaaa" * size),
    "users": (hide, lambda size: "://a:" + "b" * size),
    "many secrets": (hide, lambda size: "password=12345678 " * size),
    "secrets of a stream": (
        hide_body,
        lambda size: "".join(f'data: {{"a": "password=12345678{n} "}}\n\n' for n in range(size // 8)),
    ),
    "a prompt's elements": (read_prompt, lambda size: "<output_fields>\n" * size),
    "a prompt's tasks": (read_prompt, lambda size: "<task_definition>\n" * size),
    "a prompt's blanks": (read_prompt, lambda size: "Your output fields are:\n" + " " * size + "1"),
    "a prompt's names": (read_prompt, lambda size: "return the fields " + "a, " * size + "!"),
    "a prompt's sentence": (
        read_prompt,
        lambda size: "Given the input fields: " + ", produce the output fields: `a`" * size,
    ),
    "a prompt's number": (read_prompt, lambda size: "Your output fields are:\n" + "9" * size + ". `a`"),
    "a prompt's escapes": (_replace_escapes, lambda size: "\\" * size + "a\\u0061"),
    "a trajectory's keys": (read_keys, lambda size: "1a" * size),
    "a trajectory's numbers": (read_keys, lambda size: "1" * size + "a"),
    "a fence": (_FENCE.fullmatch, lambda size: "```" + " " * size + "a"),
    "a report": (hear_worker, lambda size: "x" * (size * 64)),
    "what is printed": (escape_text, lambda size: "\x1b[2J" * size),
    "last words": (select_last_lines, lambda size: "a line\n" * size),
    "JSON": (read_json, lambda size: json.dumps([{"a": [1, "b"]}] * size)),
    "TOML": (read_toml, lambda size: "".join(f"a{n} = {n}\n" for n in range(size // 8))),
    "dots of TOML": (read_toml, lambda size: 'a = "' + "a." * size + '"'),
    "YAML": (read_yaml, lambda size: "".join(f"- a: {n}\n" for n in range(size // 64))),
    "marks of YAML": (read_yaml, lambda size: "- " + "{a: " * 40 + "1" + "}" * 40 + "\n" * (size // 64)),
    "features": (
        lambda text: load_feature(ROOT / "a.feature", text),
        lambda size: "Feature: f\n" + "  @A-001\n  Scenario: s\n    Given a\n" * (size // 512),
    ),
}


def measure(read: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    read(text)
    return time.process_time() - began


@pytest.mark.parametrize("name", READERS)
def test_twice_as_much_takes_twice_as_long(name: str) -> None:
    if "YAML" in name and find_spec("yaml") is None:
        pytest.skip("needs the extra 'yaml'")
    read, make = READERS[name]
    size = 2048
    once = measure(read, make(size))
    while once < FAST and size < 1_000_000:
        size *= 2
        once = measure(read, make(size))
    # The least of several, in turns: whatever else the machine does comes on top.
    pairs = [(measure(read, make(size)), measure(read, make(size * 2))) for _ in range(5)]
    once, twice = map(min, zip(*pairs, strict=True))
    assert twice < FAST or twice < FACTOR * once, (size, once, twice)
