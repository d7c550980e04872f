"""Checks a harness before any scenario: does the wire work, whatever the agent does?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from react_tck.dialects import DIALECTS
from react_tck.fakes.lm import BUDGET
from react_tck.judges.verdict import Violation, check
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.manifest import Manifest
from react_tck.model.record import Record
from react_tck.model.tool import Raises, Tool
from react_tck.play.session import play
from react_tck.subjects.api import HarnessBroken, Subject
from react_tck.suite.registry import load_registry

#: More steps than this is no limit.
_MOST_STEPS = 100_000
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
_NONCE = "check"


@dataclass(frozen=True)
class CheckResult:
    """How one check ended; `problem` is empty if all is well."""

    name: str
    problem: str = ""
    advice: str = ""


def check_harness(subject: Subject) -> Iterator[CheckResult]:
    """Check one thing after another; without a handshake there is nothing more to check."""
    handshake = _checked("handshake", "Answer `initialize` with a manifest.", lambda: subject.initialize())
    yield handshake
    if handshake.problem:
        return
    manifest = subject.initialize()
    yield _checked("manifest", "See the tables of docs/PROTOCOL.md.", lambda: _check_manifest(manifest))
    for name, advice, probe in _PROBES:
        yield _checked(name, advice, lambda probe=probe: probe(subject))  # type: ignore[misc]
    for name, value in ECHOED.items():
        yield _checked(
            f"echo of {name}",
            "Pass args from the LM's reply to `POST {tools_url}/{name}` as the JSON they are, in UTF-8.",
            lambda value=value: _check_echo(subject, value),  # type: ignore[misc]
        )


def _checked(name: str, advice: str, action: Callable[[], object]) -> CheckResult:
    try:
        action()
    except (HarnessBroken, Violation) as error:
        return CheckResult(name, str(error), advice)
    return CheckResult(name)


def _check_manifest(manifest: Manifest) -> None:
    problem = next(problems(manifest), "")
    check(not problem, "a manifest that can be meant", problem)


def _check_smoke(subject: Subject) -> None:
    record = _play(subject, Script(steps=(Finish(thought="Nothing to do."),), answers=(_answer(),)))
    outcome = record.outcomes[0]
    problem = str(outcome.error) if outcome.error else ""
    check(outcome.status == "ok", "an LM that finishes and answers leads to status ok", f"{outcome.status} {problem}")
    check(outcome.outputs == _answer().outputs, f"outputs {_answer().outputs}", f"{outcome.outputs}")


def _check_requests(subject: Subject) -> None:
    record = _play(subject, Script(steps=(Finish(),), answers=(_answer(),)))
    check(bool(record.requests), "requests at `lm.base_url`", "there was none")
    for asked in record.requests:
        check(asked.ask is not None, "requests whose system message lists the output fields", str(asked.refusal))


def _check_failing_tool(subject: Subject) -> None:
    script = Script(steps=(CallTool(tool="echo", args={"value": 1}), Finish()), answers=(_answer(),))
    record = _play(subject, script, Raises(message="the tool is out of order"))
    check(bool(record.tool_runs), "the tool runs when the LM asks for it", "it did not")
    check(bool(record.outcomes), "a failing tool still leads to an outcome", "there was none")


def _check_echo(subject: Subject, value: JsonValue) -> None:
    script = Script(steps=(CallTool(tool="echo", args={"value": value}), Finish()), answers=(_answer(),))
    runs = _play(subject, script).tool_runs
    check(len(runs) == 1, "the tool runs once", f"it ran {len(runs)} times")
    check(runs[0].args == {"value": value}, f"it gets {_cut(value)}", f"it got {_cut(runs[0].args.get('value'))}")


_PROBES: tuple[tuple[str, str, Callable[[Subject], None]], ...] = (
    (
        "requests",
        "Point your LM client at `lm.base_url`; see *What the LM is asked* in docs/PROTOCOL.md.",
        _check_requests,
    ),
    ("smoke episode", "Answer `call` with an outcome that holds the signature's outputs.", _check_smoke),
    (
        "failing tool",
        '`{"error": …}` from a tool is the tool raising; the call still has an outcome.',
        _check_failing_tool,
    ),
)


def _play(subject: Subject, script: Script, *behaviours: Raises) -> Record:
    case = Case(
        id=_NONCE,
        signature=subject.initialize().signature("question -> answer"),
        tools=(_ECHO,),
        invocations=(Invocation(inputs={"question": "Is anybody there?"}),),
    )
    record = play(
        subject, Episode(case=case, script=script, behaviours={"echo": behaviours}, nonce=_NONCE), is_watched=False
    )
    refusal = record.refusal
    check(refusal is None, "`construct` accepts a text signature and one tool", refusal.message if refusal else "")
    return record


def _answer() -> Answer:
    return Answer(outputs={"answer": "Yes."})


def _cut(value: JsonValue) -> str:
    text = repr(value)
    return text if len(text) < 100 else f"{text[:100]}… ({len(text)} characters)"


def manifest_of(subject: Subject) -> Manifest:
    """The manifest.

    Raises:
        HarnessBroken: if there is none, or if it can't be meant.
    """
    manifest = subject.initialize()
    if problem := next(problems(manifest), ""):
        raise HarnessBroken(f"the manifest of {manifest.name} can't be meant: {problem}")
    return manifest


def problems(manifest: Manifest) -> Iterator[str]:
    """A sentence for everything in a manifest that can't be."""
    yield from _dialects(manifest)
    steps, retries = manifest.default_max_steps, manifest.retries
    if steps is not None and not 1 <= steps <= _MOST_STEPS:
        yield f"default_max_steps is {steps}; it is 1 to {_MOST_STEPS}, or null where nothing limits the steps"
    if not 0 <= retries < BUDGET:
        yield f"retries is {retries}; it is 0 to {BUDGET - 1}, for the kit answers {BUDGET} requests of an episode"
    yield from _choices(manifest)


def _dialects(manifest: Manifest) -> Iterator[str]:
    known = ", ".join(DIALECTS)
    if not manifest.dialects:
        yield f"it claims no dialect; there are {known}"
    for dialect in manifest.dialects:
        if dialect not in DIALECTS:
            yield f"there is no dialect {dialect!r}; there are {known}"
    if manifest.dialects and manifest.default_dialect not in manifest.dialects:
        claimed = ", ".join(manifest.dialects)
        yield f"the default dialect {manifest.default_dialect!r} is none of those it claims, {claimed}"


def _choices(manifest: Manifest) -> Iterator[str]:
    known = load_registry().choices_by_name
    for name, variant in manifest.choices.items():
        if name not in known:
            yield f"there is no choice {name!r}; there are {', '.join(known)}"
        elif not known[name].allows(variant):
            variants = ", ".join(map(repr, known[name].variants))
            yield f"the choice {name!r} is declared {variant!r}; its variants are {variants}"
