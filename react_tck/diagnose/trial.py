"""One small episode that shows whether something is connected, and what explains it if it isn't."""

import signal
import sysconfig
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import react_tck
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Options, System
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Calls, CallTool, Finish, Script, Submit
from react_tck.model.manifest import Manifest
from react_tck.model.record import Record
from react_tck.model.signature import Signature
from react_tck.model.tool import Behaviour, Tool
from react_tck.play.session import play_episode
from react_tck.record.values import is_same_value
from react_tck.subjects.api import Subject

#: Seconds for an episode of one or two steps, most of them for libraries that are imported by the first.
LIMIT = 60
_KIT = str(Path(react_tck.__file__).parent)
#: Where code is that nobody will change for a harness: Python's own, and what is installed.
_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


class OutOfTime(BaseException):
    """The check didn't come back. No `except Exception` of the subject's is to stop it."""


@contextmanager
def limit_time() -> Iterator[None]:
    """Interrupt what takes longer than the limit, where there are alarms.

    Raises:
        OutOfTime: if it takes longer, with the place in the subject's code.
    """
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def find_place(error: BaseException) -> str:
    """File and line, outside of the kit, that an error came from; empty where all of it is the kit's."""
    raised = error.__cause__ or error
    return _describe_place(traceback.extract_tb(raised.__traceback__))


def describe_trace(error: BaseException) -> str:
    """Return what was raised, with the last calls of somebody else's code that led there."""
    raised = error.__cause__ or error
    calls = [
        f"  {each.filename}:{each.lineno}, in {each.name}: {each.line}"
        for each in _list_theirs(traceback.extract_tb(raised.__traceback__))
    ]
    return "\n".join([f"{type(raised).__name__} was raised in", *calls[-_CALLS:]]) if len(calls) > 1 else ""


def _interrupt(_: int, frame: FrameType | None) -> None:
    where = _describe_place(traceback.extract_stack(frame))
    raise OutOfTime(f"it hasn't come back after {LIMIT} seconds" + (f"\nat {where}" if where else ""))


def _list_theirs(stack: traceback.StackSummary) -> list[traceback.FrameSummary]:
    return [each for each in stack if not each.filename.startswith((_KIT, "<"))]


def _describe_place(stack: traceback.StackSummary) -> str:
    theirs = _list_theirs(stack)
    written = [each for each in theirs if not each.filename.startswith(_INSTALLED)] or theirs
    return f"{written[-1].filename}:{written[-1].lineno}" if written else ""


NOTE = Tool(
    name="note",
    description="Notes a text.",
    parameters={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)
NOTED = CallTool(tool="note", args={"text": "hello"}, thought="This is worth a note.")
CALL = Invocation(inputs={"question": "Is anybody there?"})
OUTPUTS: JsonObject = {"answer": "Yes."}
NONCE = "check"
THOUGHT = "This is as I thought it would be."
#: Calls of a traceback that are shown.
_CALLS = 4
#: Characters shown of a system message that can't be read, of a reply, and of what a harness wrote.
_SHOWN = 600
_PROMPTS = (
    "Name the output fields at the end of the system message, such as `Produce the output fields: next_thought, "
    "next_tool_name, next_tool_args.`; *What the LM is asked* in docs/PROTOCOL.md has every form."
)


class Unconnected(Violation):
    """It isn't connected; the reasons that the record gives come first.

    What has the same cause is mended by the same change.
    """

    def __init__(self, record: Record, expected: str, actual: str) -> None:
        reasons = list(_list_reasons(record))
        super().__init__(expected, "\n".join([*reasons, actual]))
        self.cause = "\n".join(reasons) or str(self)
        #: What else there is to look at.
        self.evidence = _describe_last_reply(record)
        #: What to write, where that isn't the check's to say.
        self.advice = _PROMPTS if any(asked.ask is None for asked in record.requests) else ""


def check_connected(record: Record, holds: bool, expected: str, actual: str) -> None:
    """Go on if the record holds what is expected.

    Raises:
        Unconnected: if it doesn't.
    """
    if not holds:
        raise Unconnected(record, expected, actual)


def _list_reasons(record: Record) -> Iterator[str]:
    """Yield the subject's own errors, and the requests that the kit couldn't read, with what it read."""
    for outcome in record.outcomes:
        if outcome.error:
            yield f"the call ended with {outcome.error.type}: {outcome.error.message}"
    unread = next((asked for asked in record.requests if asked.ask is None), None)
    if unread:
        shown = shorten_end(unread.request.system_text)
        yield f"the kit can't tell what a request asks for: {unread.refusal}\nits system message: {shown!r}"


def _describe_last_reply(record: Record) -> str:
    """Return what the LM said last, as the subject was given it, and why in text; empty where it said nothing."""
    asked = next((asked for asked in reversed(record.requests) if asked.completion), None)
    if asked is None or asked.completion is None:
        return ""
    told = f"the LM's last reply: {shorten_end(asked.completion.model_dump_json(exclude_defaults=True))}"
    if (
        asked.ask
        and asked.ask.dialect == "native"
        and not (asked.completion.tool_calls or asked.request.demanded_fields)
    ):
        offered = ", ".join(offer.name for offer in asked.request.tools) or "none"
        told += (
            "\nit is plain text: the request demands no form (`response_format`), and of the tools that it offers "
            f"({offered}) none is declared as `answer_tool`"
        )
    return told


def shorten_end(text: str) -> str:
    """Return the text without what nobody reads of its end."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"


def is_transcript(manifest: Manifest) -> bool:
    """Tell whether a run ends by `submit`, in the one system that the subject has."""
    return "transcript" in manifest.capabilities and "extraction" not in manifest.capabilities


@dataclass(frozen=True)
class Trial:
    """A subject that is tried, and the manifest it has given."""

    subject: Subject
    manifest: Manifest

    def build_script(
        self,
        *steps: CallTool | Calls,
        outputs: JsonObject = OUTPUTS,
        finishing: str = "Nothing else to do.",
        submits: bool = False,
    ) -> Script:
        """Build the script of these steps, and of the end that a run of the subject has."""
        if submits or is_transcript(self.manifest):
            return Script(steps=(*steps, Submit(outputs=outputs, thought=THOUGHT)))
        return Script(steps=(*steps, Finish(thought=finishing)), answers=(Answer(outputs=outputs, reasoning=THOUGHT),))

    def build_episode(
        self,
        *steps: CallTool | Calls,
        script: Script | None = None,
        call: Invocation = CALL,
        tool: Tool = NOTE,
        behaviours: tuple[Behaviour, ...] = (),
        options: Options | None = None,
        signature: Signature | str = "question -> answer",
    ) -> Episode:
        """Build an episode with one tool and one call, of these steps unless a script is given."""
        system: System | None = "transcript" if is_transcript(self.manifest) else None
        given = options or Options()
        case = Case(
            id=NONCE,
            signature=self.manifest.parse_signature(signature) if isinstance(signature, str) else signature,
            tools=(tool,),
            options=given if given.system else given.model_copy(update={"system": system}),
            invocations=(call,),
        )
        said = script or self.build_script(*steps)
        return Episode(case=case, script=said, behaviours={tool.name: behaviours}, nonce=NONCE)

    def play(self, *steps: CallTool | Calls, **made: Any) -> Record:
        """Play such an episode; `made` is what `build_episode` takes.

        Raises:
            HarnessBroken: if the harness raises instead of giving an outcome.
            Unconnected: if the subject refuses the case.
        """
        return self.play_episode(self.build_episode(*steps, **made))

    def play_episode(self, wanted: Episode) -> Record:
        """Play an episode.

        Raises:
            HarnessBroken: if the harness raises instead of giving an outcome.
            Unconnected: if the subject refuses the case.
        """
        record = self.play_to_end(wanted)
        said = record.refusal.message if record.refusal else ""
        check_connected(record, not record.refusal, "`construct` accepts the signature and one tool", said)
        return record

    def play_to_end(self, wanted: Episode) -> Record:
        """Play an episode that the subject may refuse.

        Raises:
            HarnessBroken: if the harness raises instead of giving an outcome.
        """
        return play_episode(self.subject, wanted, is_watched=False)


def check_runs(record: Record, expected: str, runs: int = 1) -> None:
    """Go on if the tool ran so often.

    Raises:
        Unconnected: if it didn't.
    """
    found = len(record.tool_runs)
    check_connected(record, found == runs, expected, f"it ran {found} times")


def check_outputs(record: Record, outputs: JsonObject = OUTPUTS, outcome: int = 0) -> None:
    """Go on if the call has come to these outputs, by its first outcome unless another is named.

    Raises:
        Unconnected: if it hasn't.
    """
    told = record.outcomes[outcome]
    check_connected(
        record, told.status == "ok", "status ok, once the LM has given its answer", f"the status is {told.status}"
    )
    check_connected(record, is_same_value(told.outputs, outputs), f"outputs {outputs}", f"{told.outputs}")
