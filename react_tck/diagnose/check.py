"""Checks a harness before any scenario: is it connected, whatever the agent does? What is wrong is told once."""

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace

from pydantic import JsonValue

from react_tck.catalogue.manifests import find_manifest_problems
from react_tck.diagnose.capabilities import list_trials
from react_tck.diagnose.patience import OutOfTime, find_place, limit_time
from react_tck.diagnose.trial import (
    NOTED,
    THOUGHT,
    Unconnected,
    build_episode,
    build_script,
    check_connected,
    check_outputs,
    play_accepted,
)
from react_tck.judges.verdict import Violation, check
from react_tck.model.intent import CallTool
from react_tck.model.manifest import Manifest
from react_tck.model.tool import Raises, Tool
from react_tck.record.values import is_same_value
from react_tck.subjects.api import (
    ConstructionError,
    HarnessBroken,
    OperationRefused,
    Overheard,
    Placed,
    Subject,
    raising,
)

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


@dataclass(frozen=True)
class CheckResult:
    """How one check ended; `problem` is empty if all is well."""

    name: str
    problem: str = ""
    advice: str = ""
    #: What else there is to look at: the LM's last reply, what the harness wrote on its standard error.
    evidence: str = ""
    #: What explains it; what has the same cause is mended by the same change.
    cause: str = ""
    #: The earlier check that failed for the same cause.
    as_in: str = ""


def check_harness(subject: Subject) -> Iterator[CheckResult]:
    """Check one thing after another; without a handshake there is nothing more to check."""
    causes: dict[str, str] = {}
    for name, advice, action in _list_checks(subject):
        result = _run_check(subject, name, advice, action)
        if result.problem:
            earlier = causes.setdefault(result.cause, name)
            evidence = "\n".join(filter(None, [result.evidence, _read_standard_error(subject, result.problem)]))
            result = replace(result, evidence=evidence, as_in="" if earlier == name else earlier)
        yield result
        if result.problem and name == _HANDSHAKE:
            return


_HANDSHAKE = "handshake"
#: Seconds for which what a harness has written is waited for.
_READING = 0.5
Check = tuple[str, str, Callable[[], object]]


def _list_checks(subject: Subject) -> Iterator[Check]:
    yield _HANDSHAKE, "Answer `initialize` with a manifest.", subject.initialize
    manifest = subject.initialize()
    yield "manifest", "See the tables of docs/PROTOCOL.md.", lambda: _check_manifest(manifest)
    if manifest.capabilities != ("parse",):
        yield from _list_call_checks(subject)
    for capability, trial in list_trials(manifest):
        yield f"capability {capability}", trial.advice, lambda action=trial.action: action(subject)  # type: ignore[misc]


def _list_call_checks(subject: Subject) -> Iterator[Check]:
    advice = "Answer `call` with an outcome that holds the signature's outputs."
    yield "smoke episode", advice, lambda: _check_smoke(subject)
    advice = "Run the tool that a reply names, once, go on with the loop, and give the outputs of the LM's answer."
    yield "tool call", advice, lambda: _check_tool_call(subject)
    advice = "Point your LM client at `lm.base_url`; see *What the LM is asked* in docs/PROTOCOL.md."
    yield "requests", advice, lambda: _check_requests(subject)
    advice = '`{"error": …}` from a tool is the tool raising; the call still has an outcome.'
    yield "failing tool", advice, lambda: _check_failing_tool(subject)
    advice = "Pass args from the LM's reply to `POST {tools_url}/{name}` as the JSON they are, in UTF-8."
    for name, value in ECHOED.items():
        yield f"echo of {name}", advice, lambda value=value: _check_echo(subject, value)  # type: ignore[misc]


def _read_standard_error(subject: Subject, told: str) -> str:
    """The end of what a harness wrote, unless it is told already; what came before its answer may be read after it."""
    if not isinstance(subject, Overheard):
        return ""
    end = time.monotonic() + _READING
    while not subject.stderr and time.monotonic() < end:
        time.sleep(0.01)
    said = f"its standard error ends: {subject.stderr}"
    return said if subject.stderr and said not in told else ""


def _run_check(subject: Subject, name: str, advice: str, action: Callable[[], object]) -> CheckResult:
    """How it ended; what the subject raised is told with its place, else the place of what was called."""
    raised: list[Exception] = []
    heard = raising.set(raised.append)
    try:
        # A harness has limits of its own, and is stopped where it passes them.
        with nullcontext() if isinstance(subject, Overheard) else limit_time():
            action()
    except Unconnected as error:
        where = find_place(raised[-1]) if raised else ""
        problem = _add_place(str(error), where or _find_method(subject))
        return CheckResult(name, problem, error.advice or advice, error.evidence, error.cause)
    except OutOfTime as error:
        return CheckResult(
            name, str(error), "Let the call come back: it waits, or goes round, there.", cause=str(error)
        )
    except (HarnessBroken, Violation, ConstructionError, OperationRefused) as error:
        problem = _add_place(str(error), find_place(error) or _find_method(subject))
        return CheckResult(name, problem, advice, cause=str(error))
    finally:
        raising.reset(heard)
    return CheckResult(name)


def _find_method(subject: Subject) -> str:
    return subject.place if isinstance(subject, Placed) else ""


def _add_place(problem: str, where: str) -> str:
    return f"{problem}\nat {where}" if where else problem


def _check_manifest(manifest: Manifest) -> None:
    problem = next(find_manifest_problems(manifest), "")
    check(not problem, "a manifest that can be meant", problem)


def _check_smoke(subject: Subject) -> None:
    manifest = subject.initialize()
    check_outputs(play_accepted(subject, build_episode(manifest, build_script(manifest))))


def _check_tool_call(subject: Subject) -> None:
    manifest = subject.initialize()
    record = play_accepted(subject, build_episode(manifest, build_script(manifest, NOTED)))
    runs = [run.args for run in record.tool_runs]
    is_run = len(runs) == 1 and is_same_value(runs[0], NOTED.args)
    check_connected(
        record, is_run, f"the tool runs once, with {NOTED.args}", f"it ran with {runs}" if runs else "it did not"
    )
    check_outputs(record)


def _check_requests(subject: Subject) -> None:
    manifest = subject.initialize()
    record = play_accepted(subject, build_episode(manifest, build_script(manifest)))
    check_connected(record, bool(record.requests), "requests at `lm.base_url`", "there was none")
    is_read = all(asked.ask for asked in record.requests)
    check_connected(record, is_read, "requests whose system message lists the output fields", "one doesn't")


def _check_failing_tool(subject: Subject) -> None:
    manifest = subject.initialize()
    raises = (Raises(message="the tool is out of order"),)
    record = play_accepted(subject, build_episode(manifest, build_script(manifest, NOTED), behaviours=raises))
    check_connected(record, bool(record.tool_runs), "the tool runs when the LM asks for it", "it did not")
    check_connected(record, bool(record.outcomes), "a failing tool still leads to an outcome", "there was none")


def _check_echo(subject: Subject, value: JsonValue) -> None:
    manifest = subject.initialize()
    said = build_script(manifest, CallTool(tool="echo", args={"value": value}, thought=THOUGHT))
    record = play_accepted(subject, build_episode(manifest, said, tool=_ECHO))
    runs = record.tool_runs
    check_connected(record, len(runs) == 1, "the tool runs once", f"it ran {len(runs)} times")
    is_same = is_same_value(runs[0].args, {"value": value})
    check_connected(
        record, is_same, f"it gets {_shorten_value(value)}", f"it got {_shorten_value(runs[0].args.get('value'))}"
    )
    check_outputs(record)


def _shorten_value(value: JsonValue) -> str:
    text = repr(value)
    return text if len(text) < 100 else f"{text[:100]}… ({len(text)} characters)"
