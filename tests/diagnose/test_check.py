"""`check` says why: the subject's own error, what it couldn't read, each cause once; and no capability goes untried."""

import asyncio
import threading
from collections.abc import Mapping
from typing import Any, get_args

import pytest

import react_tck
from examples.own_agent import Mine as Loops
from react_tck.adapter.declare import Capability
from react_tck.cli.main import main
from react_tck.diagnose.capabilities import CAPABILITIES
from react_tck.diagnose.check import list_untried
from react_tck.diagnose.trial import Trial
from react_tck.judges.verdict import Violation
from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.adapted import subject_of
from react_tck.subjects.api import Endpoints, HarnessBroken, Instance, OperationRefused, Subject

MANIFEST: Mapping[str, Any] = {"version": "1", "dialects": ["json"], "default_max_steps": 3}


@react_tck.subject("answers", **MANIFEST)
class Answers:
    """It asks for the answer at once, and gives it as a text."""

    prompt = "Your output fields are:\n1. `answer`\nAnswer in JSON."

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Keep it."""
        self.lm = lm

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Ask."""
        reply = self.lm.chat([{"role": "system", "content": self.prompt}])
        return react_tck.Done({"answer": str(reply.text).removeprefix('{"answer": "').removesuffix('"}')})


@react_tck.subject("raises", **MANIFEST)
class Raises(Answers):
    """It knows nothing but its answer, and fails."""

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Fail."""
        raise RuntimeError("no licence found")


@react_tck.subject("guesses", **MANIFEST)
class Guesses(Answers):
    """It never asks."""

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Guess."""
        return react_tck.Done({"answer": "Yes."})


@react_tck.subject("refuses", **MANIFEST)
class Refuses(Answers):
    """It can be built of nothing."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Refuse."""
        raise ValueError(f"what is {task.form}?")


@react_tck.subject("one-at-a-time", **MANIFEST)
class OneAtATime(Loops):
    """It can't be called twice at once, nor awaited, and looks into its tools."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Build it."""
        super().build(task, tools, lm)
        self.names = [function.__code__.co_name for function in tools.as_functions()]
        self.in_use = threading.Lock()

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Call it."""
        if not self.in_use.acquire(blocking=False):
            raise RuntimeError("it is in use")
        try:
            return super().call(inputs)
        finally:
            self.in_use.release()

    async def acall(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Never mind."""
        await asyncio.sleep(0)
        raise RuntimeError("not yet")


class Lying:
    """It declares what its subject can't do."""

    def __init__(self, inner: Subject, *capabilities: Capability) -> None:
        self._inner = inner
        self._capabilities = capabilities

    def initialize(self) -> Manifest:
        """The manifest, with lies in it."""
        manifest = self._inner.initialize()
        dialects = (*manifest.dialects, "chat", "native")
        return manifest.model_copy(update={"capabilities": self._capabilities, "dialects": dialects})

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        """The subject's own."""
        return self._inner.construct(signature, tools, options, endpoints)


#: Of every capability that is tried, an agent that lacks it.
LACKING: dict[Capability, type] = {
    **dict.fromkeys(("arrow-signature", "class-signature", "value-signature"), Refuses),
    **dict.fromkeys(("typed-fields", "trajectory", "step-signature"), Answers),
    "extraction": Guesses,
    **dict.fromkeys(("async", "concurrent-calls", "callable-tools"), OneAtATime),
    **dict.fromkeys(("history", "call-max-steps", "async-tools"), Loops),
    **dict.fromkeys(("global-adapter", "module-adapter"), Loops),
    **dict.fromkeys(("parse", "confirmation", "inspection", "save-load"), Loops),
    **dict.fromkeys(("conversation", "transcript", "parallel-tool-calls"), Loops),
}


def test_every_capability_is_tried_or_said_not_to_be() -> None:
    manifest = subject_of(Loops).initialize().model_copy(update={"capabilities": get_args(Capability)})
    assert set(CAPABILITIES) == LACKING.keys()
    assert set(list_untried(manifest)) == set(get_args(Capability)) - LACKING.keys()


@pytest.mark.filterwarnings("ignore:coroutine 'note' was never awaited")
@pytest.mark.parametrize(("capability", "made"), LACKING.items())
def test_capability_that_is_not_there_is_found(capability: Capability, made: type) -> None:
    others: set[Capability] = set() if capability in ("transcript", "parallel-tool-calls") else {"extraction"}
    lying = Lying(subject_of(made), *{capability, *others})
    _, action = CAPABILITIES[capability]

    with pytest.raises((Violation, HarnessBroken, OperationRefused)):
        action(Trial(lying, lying.initialize()))


def test_one_cause_is_told_once_and_the_error_first(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = _checked("Raises", capsys)

    assert status == 3
    assert said.count("no licence found") == 1
    assert "status ok, once the LM has given its answer\nactual:   the call ended with RuntimeError: no licence" in said
    assert "FAILED  echo of unicode, as smoke episode\n" in said
    assert "of one cause\n" in said


def test_a_subject_that_does_as_it_says_passes(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", "python:examples.own_agent:Mine"])
    assert (status, "all 24 checks passed" in capsys.readouterr().out) == (0, True)


def test_what_the_library_does_is_no_broken_harness(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", "python:react_tck.demo:Helpful"])
    said = capsys.readouterr().out
    assert (status, "LIBRARY unknown tool\nexpected: no tool runs" in said, "FAILED" in said) == (1, True, False)
    assert "1 of 24 checks failed, of one cause\nit is connected: the library does that" in said


def test_who_connects_in_python_is_told_of_python(capsys: pytest.CaptureFixture[str]) -> None:
    _, said = _checked("Guesses", capsys)
    assert "Return `react_tck.Done` from `call`" in _checked("Raises", capsys)[1]
    assert "tools_url" not in said


def _checked(name: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = main(["check", f"python:tests.diagnose.test_check:{name}"])
    return status, capsys.readouterr().out
