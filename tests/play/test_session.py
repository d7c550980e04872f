"""A tool that is interrupted ends its call, and not the kit; the user's own interruption ends both (ERR-015)."""

import asyncio
from typing import Literal

import pytest

from react_tck.fakes.tools import TOOLBOX
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import CallTool, Script
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure, Outcome
from react_tck.model.signature import Signature
from react_tck.model.tool import Interrupts
from react_tck.play.session import play_episode
from react_tck.subjects.api import Endpoints, HarnessBroken, Instance
from react_tck.subjects.python import BuiltSubject

MANIFEST = Manifest(name="mine", version="0", dialects=("json",), default_dialect="json", default_max_steps=3)


class Running:
    """Runs its only tool, or is interrupted itself."""

    def __init__(self, endpoints: Endpoints | None) -> None:
        self._endpoints = endpoints

    def call(self, invocation: Invocation) -> Outcome:
        """Run the tool in a task."""
        if self._endpoints is None:
            raise KeyboardInterrupt

        async def run(endpoints: Endpoints) -> None:
            endpoints.task_tools[0].function()

        asyncio.run(run(self._endpoints))
        return Outcome(status="ok")


def _episode(by: Literal["KeyboardInterrupt", "CancelledError"]) -> Episode:
    case = Case(
        id="a case",
        signature=MANIFEST.parse_signature("question -> answer"),
        tools=(TOOLBOX["ping"],),
        invocations=(Invocation(inputs={"question": "?"}),),
    )
    script = Script(steps=(CallTool(tool="ping"),))
    return Episode(case=case, script=script, behaviours={"ping": (Interrupts(by=by),)}, nonce="n")


def _subject(runs_the_tool: bool) -> BuiltSubject:
    def build(_signature: Signature, _options: Options, endpoints: Endpoints) -> Instance:
        return Running(endpoints if runs_the_tool else None)

    return BuiltSubject(MANIFEST, build)


def test_what_interrupts_a_tool_is_the_outcome(subtests: pytest.Subtests) -> None:
    cases: list[Literal["KeyboardInterrupt", "CancelledError"]] = ["KeyboardInterrupt", "CancelledError"]
    for by in cases:
        with subtests.test(by=by):
            record = play_episode(_subject(True), _episode(by))
            assert [run.interrupted for run in record.tool_runs] == [True]
            (outcome,) = record.outcomes
            assert outcome.status == "error"
            assert outcome.error is not None
            assert outcome.error.type == by


def test_what_interrupts_the_user_of_the_kit_is_not() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_episode(_subject(False), _episode("KeyboardInterrupt"))


@pytest.mark.parametrize("name", ["MemoryError", "OutOfMemoryError"])
def test_too_little_memory_is_no_answer_of_the_library(name: str) -> None:
    class Starved:
        def call(self, _: Invocation) -> Outcome:
            return Outcome(status="error", error=Failure(type=name, message=""))

    with pytest.raises(HarnessBroken, match=f"it had too little memory: calling ended with {name}"):
        play_episode(BuiltSubject(MANIFEST, lambda *_: Starved()), _episode("CancelledError"))
