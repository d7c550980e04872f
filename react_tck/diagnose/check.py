"""Checks a harness before any scenario: is it connected, whatever the agent does? What is wrong is told once."""

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from pydantic import JsonValue

from react_tck.adapter.declare import Capability
from react_tck.catalogue.manifests import find_manifest_problems
from react_tck.diagnose.capabilities import CAPABILITIES
from react_tck.diagnose.trial import (
    NOTE,
    NOTED,
    THOUGHT,
    OutOfTime,
    Trial,
    Unconnected,
    check_connected,
    check_outputs,
    check_runs,
    describe_trace,
    find_place,
    limit_time,
)
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.case import Options
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
from react_tck.subjects.stdio.adapter import AdapterSubject


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
    #: Whether the library does that, and not what connects it.
    is_of_library: bool = False


def check_harness(subject: Subject) -> Iterator[CheckResult]:
    """Check one thing after another; without a handshake there is nothing more to check."""
    causes: dict[str, str] = {}
    handshake = "Answer `initialize` with a manifest."
    first = _tell_cause(subject, _run_check(subject, "handshake", handshake, subject.initialize), causes)
    yield first
    if first.problem:
        return
    trial = Trial(subject, subject.initialize())
    for name, advice, action, is_of_library in list_checks(trial.manifest):
        result = _run_check(subject, name, advice, partial(action, trial), is_of_library=is_of_library)
        yield _tell_cause(subject, result, causes)


def _tell_cause(subject: Subject, result: CheckResult, causes: dict[str, str]) -> CheckResult:
    """Return the result with the earlier check that failed for the same cause, and what else there is to look at."""
    if not result.problem:
        return result
    earlier = causes.setdefault(result.cause, result.name)
    evidence = "\n".join(filter(None, [result.evidence, _read_standard_error(subject, result.problem)]))
    advice = _speak_python(result.advice) if isinstance(subject, Placed | AdapterSubject) else result.advice
    if "it exited with status" in result.problem:
        advice = "See why on its standard error: it ended by itself."
    return replace(result, evidence=evidence, advice=advice, as_in="" if earlier == result.name else earlier)


#: What a class in Python does of what is said on the wire.
_IN_PYTHON = {
    "Answer `initialize` with a manifest.": "Decorate a class with `@react_tck.subject`.",
    "Answer `call` with an outcome that holds": "Return `react_tck.Done` from `call` with",
    "to `POST {tools_url}/{name}` as the JSON they are, in UTF-8": "to the functions of `tools`, each value as it is",
    '`{"error": …}` from a tool is the tool raising; the call still has an outcome.': "Let `call` return, or raise, "
    "after a tool has raised.",
    "Answer `calls`, with": "Let a class be called again before it has answered:",
    "Answer `": "Define `",
    "docs/PROTOCOL.md": "docs/API.md",
}


def _speak_python(advice: str) -> str:
    for said, meant in _IN_PYTHON.items():
        advice = advice.replace(said, meant)
    return advice


#: Seconds for which what a harness has written is waited for.
_READING = 0.5


def _read_standard_error(subject: Subject, told: str) -> str:
    """Return the end of what a harness wrote, unless told already; what preceded its answer may be read later."""
    if not isinstance(subject, Overheard):
        return ""
    end = time.monotonic() + _READING
    while not subject.stderr and time.monotonic() < end:
        time.sleep(0.01)
    said = f"its standard error ends: {subject.stderr}"
    return said if subject.stderr and said not in told else ""


def _run_check(
    subject: Subject, name: str, advice: str, action: Callable[[], object], *, is_of_library: bool = False
) -> CheckResult:
    """Return how it ended; what the subject raised is told with its place, else the place of what was called."""
    raised: list[Exception] = []
    heard = raising.set(raised.append)
    try:
        # A harness has limits of its own, and is stopped where it passes them.
        with nullcontext() if isinstance(subject, Overheard) else limit_time():
            action()
    except Unconnected as error:
        where = find_place(raised[-1]) if raised else ""
        problem = _add_place(str(error), where or _find_method(subject))
        evidence = "\n".join(filter(None, [error.evidence, describe_trace(raised[-1]) if raised else ""]))
        said = error.advice or advice
        return CheckResult(name, problem, said, evidence, error.cause, is_of_library=is_of_library and not error.advice)
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
    """What is checked, what to write if that fails, how it is tried, and whether it is the library that fails it."""

    name: str
    advice: str
    action: Callable[[Trial], object]
    is_of_library: bool = False


def list_checks(manifest: Manifest) -> Iterator[Check]:
    """Yield what is to be checked of a subject with this manifest, in turn."""
    yield Check("manifest", "See the tables of docs/PROTOCOL.md.", _check_manifest)
    if manifest.capabilities != ("parse",):
        yield from (*_CALLS, *_ENDS)
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


def _check_several_outputs(trial: Trial) -> None:
    outputs: JsonObject = {"answer": "Yes.", "source": "a book"}
    check_outputs(
        trial.play(script=trial.build_script(outputs=outputs), signature="question -> answer, source"), outputs
    )


def _check_limit(trial: Trial) -> None:
    record = trial.play(*[NOTED] * 3, options=Options(max_steps=1))
    runs = len(record.tool_runs)
    check_connected(record, runs <= 1, "at most one step, with `max_steps` 1", f"the tool ran {runs} times")


def _check_unknown_tool(trial: Trial) -> None:
    record = trial.play(CallTool(tool="notes", args={"text": "hello"}, thought=THOUGHT))
    check_runs(record, "no tool runs for a name that none has", 0)
    check_connected(record, bool(record.outcomes), "an unknown tool still leads to an outcome", "there was none")


def _check_twins(trial: Trial) -> None:
    wanted = trial.build_episode(NOTED)
    case = wanted.case.model_copy(update={"tools": (NOTE, NOTE)})
    runs = len(trial.play_to_end(wanted.model_copy(update={"case": case})).tool_runs)
    check(runs <= 1, "two tools of one name are refused, or one of them runs", f"the tools ran {runs} times")


def _check_refusal(trial: Trial) -> None:
    trial.play_to_end(trial.build_episode(signature="question ->"))


#: The ways in which a run ends, beside those that capabilities show.
_ENDS = (
    Check(
        "several outputs",
        "Give each output by its name; without types the LM gives them as one JSON text (`task.answer` reads it).",
        _check_several_outputs,
    ),
    Check("limit of steps", "Let `max_steps` of the options limit the steps of a call.", _check_limit),
    Check("unknown tool", "Tell the LM that there is no such tool.", _check_unknown_tool, is_of_library=True),
    Check("two tools of one name", "Refuse them where the agent is built.", _check_twins, is_of_library=True),
    Check("refused construction", "Let what the library raises while it is built come out of it.", _check_refusal),
)
