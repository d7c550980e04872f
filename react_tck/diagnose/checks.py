"""What is checked of a subject in one small episode each: the wire, and every capability that can be tried so."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from pydantic import JsonValue

from react_tck.catalogue.manifests import find_manifest_problems
from react_tck.diagnose.capabilities import CAPABILITIES
from react_tck.diagnose.trial import NOTED, THOUGHT, Trial, check_connected, check_outputs, check_runs
from react_tck.judges.verdict import check
from react_tck.model.intent import CallTool
from react_tck.model.manifest import Capability, Manifest
from react_tck.model.tool import Raises, Tool
from react_tck.record.values import is_same_value

#: Every JSON type, text that encodings stumble over, and a value larger than any pipe's buffer.
ECHOED: dict[str, JsonValue] = {
    "null": None,
    "booleans": [True, False],
    "whole numbers": [0, -1, 2**53 - 1],
    "fractions": [0.5, -1.25e-7, 1e300],
    "empty values": ["", [], {}],
    "nested values": {"a": [{"b": {"c": [1, "2", None]}}]},
    "unicode": "é ß 日本語 🙂 \u202e\u200b",
    "control characters": 'tab\t newline\n quote" backslash\\ nul\u0000',
    "a big text": "x" * 200_000,
}
_ECHO = Tool(
    name="echo",
    description="Takes any value.",
    parameters={"type": "object", "properties": {"value": {}}, "required": ["value"]},
)


class Check(NamedTuple):
    """What is checked, what to write if that fails, and how it is tried."""

    name: str
    advice: str
    action: Callable[[Trial], object]


def list_checks(manifest: Manifest) -> Iterator[Check]:
    """Yield what is to be checked of a subject with this manifest, in turn."""
    yield Check("manifest", "See the tables of docs/PROTOCOL.md.", _check_manifest)
    if manifest.capabilities != ("parse",):
        yield from _CALLS
        for name, value in ECHOED.items():
            yield Check(f"echo of {name}", _ECHO_ADVICE, partial(_check_echo, value=value))
    for capability in manifest.capabilities:
        if capability in CAPABILITIES:
            yield Check(f"capability {capability}", *CAPABILITIES[capability])


def list_untried(manifest: Manifest) -> tuple[Capability, ...]:
    """Those that take more than an episode, or the kit's own process."""
    return tuple(name for name in manifest.capabilities if name not in CAPABILITIES)


def _check_manifest(trial: Trial) -> None:
    problem = next(find_manifest_problems(trial.manifest), "")
    check(not problem, "a manifest that can be meant", problem)


def _check_smoke(trial: Trial) -> None:
    check_outputs(trial.play())


def _check_tool_call(trial: Trial) -> None:
    record = trial.play(NOTED)
    runs = [run.args for run in record.tool_runs]
    is_run = len(runs) == 1 and is_same_value(runs[0], NOTED.args)
    check_connected(
        record, is_run, f"the tool runs once, with {NOTED.args}", f"it ran with {runs}" if runs else "it did not"
    )
    check_outputs(record)


def _check_requests(trial: Trial) -> None:
    record = trial.play()
    check_connected(record, bool(record.requests), "requests at `lm.base_url`", "there was none")
    is_read = all(asked.ask for asked in record.requests)
    check_connected(record, is_read, "requests whose system message lists the output fields", "one doesn't")


def _check_failing_tool(trial: Trial) -> None:
    record = trial.play(NOTED, behaviours=(Raises(message="the tool is out of order"),))
    check_connected(record, bool(record.tool_runs), "the tool runs when the LM asks for it", "it did not")
    check_connected(record, bool(record.outcomes), "a failing tool still leads to an outcome", "there was none")


def _check_echo(trial: Trial, value: JsonValue) -> None:
    record = trial.play(CallTool(tool="echo", args={"value": value}, thought=THOUGHT), tool=_ECHO)
    check_runs(record, "the tool runs once")
    given = record.tool_runs[0].args
    expected, actual = _shorten_value(value), _shorten_value(given.get("value"))
    check_connected(record, is_same_value(given, {"value": value}), f"it gets {expected}", f"it got {actual}")
    check_outputs(record)


def _shorten_value(value: JsonValue) -> str:
    text = repr(value)
    return text if len(text) < 100 else f"{text[:100]}… ({len(text)} characters)"


_ECHO_ADVICE = "Pass args from the LM's reply to `POST {tools_url}/{name}` as the JSON they are, in UTF-8."
_CALLS = (
    Check("smoke episode", "Answer `call` with an outcome that holds the signature's outputs.", _check_smoke),
    Check(
        "tool call",
        "Run the tool that a reply names, once, go on with the loop, and give the outputs of the LM's answer.",
        _check_tool_call,
    ),
    Check(
        "requests",
        "Point your LM client at `lm.base_url`; see *What the LM is asked* in docs/PROTOCOL.md.",
        _check_requests,
    ),
    Check(
        "failing tool",
        '`{"error": …}` from a tool is the tool raising; the call still has an outcome.',
        _check_failing_tool,
    ),
)
