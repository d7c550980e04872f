"""No row passes of an agent of which nothing was seen: 283 did, of one that does nothing but fail."""

from dataclasses import replace
from typing import Any

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure, Outcome
from react_tck.model.report import Verdict
from react_tck.results.books import Unheard
from react_tck.subjects.api import OperationRefused
from react_tck.subjects.catalogue import resolve
from react_tck.subjects.libraries.reference.manifests import ALL


class Silent:
    """A subject, and an instance of it, that never asks its LM for anything, and runs no tool."""

    def initialize(self) -> Manifest:
        return ALL

    def construct(self, *_: Any) -> "Silent":
        return self

    def call(self, *_: Any) -> Outcome:
        return Outcome(status="error", error=Failure(type="Silent", message="it does nothing"))

    def refuse(self, *_: Any) -> Any:
        raise OperationRefused("it has none")

    resume, parse, status, describe, dump_state, load_state = call, *[refuse] * 5


class BrokenOff(Silent):
    """One that asks for a step, runs the tool, and fails."""

    def construct(self, *case: Any) -> "Silent":
        replies = iter([case[-1].lm])
        once = replace(case[-1], lm=lambda request: next(replies)(request))
        self.instance = resolve("reference").construct(case[0], case[1], case[2], once)
        return self

    def call(self, *how: Any) -> Outcome:
        self.instance.call(*how)
        return super().call()


LATER = "@LOOP-002 or @LOOP-012 or @EXT-001 or @EXT-006 or @TRJ-002 or @TRJ-004 or @ERR-022"


@pytest.mark.parametrize(("agent", "tags"), [(Silent(), None), (BrokenOff(), LATER)])
def test_nothing_passes_of_which_nothing_was_seen(agent: Silent, tags: str | None) -> None:
    """What is refused before the LM is asked was seen: a pair of tools, a text that no encoding can carry, no step."""
    report = Run(agent, "unseen", Selection(profile="all", tags=tags), replays=False).report(Unheard())
    passed = {row.title for each in report.requirements for row in each.scenarios if row.verdict is Verdict.PASSED}
    refused = (
        "Two tools of one name are refused",
        "The agent survives an input ",
        "The agent takes no step with max_steps 0",
    )
    assert {title for title in passed if not title.startswith(refused)} == set()
