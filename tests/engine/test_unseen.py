"""No row passes of an agent of which nothing was seen: 283 did, of one that does nothing but fail."""

from importlib.util import find_spec
from typing import Any

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.outcome import Failure, Outcome
from react_tck.model.report import Verdict
from react_tck.results.books import Unheard
from react_tck.subjects.api import OperationRefused
from react_tck.subjects.libraries.reference.manifests import ALL

pytestmark = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")


class Silent:
    """A subject, and an instance of it, that never asks its LM for anything, and runs no tool."""

    def initialize(self) -> Any:
        return ALL

    def construct(self, *_: Any) -> Any:
        return self

    def call(self, *_: Any) -> Outcome:
        return Outcome(status="error", error=Failure(type="Silent", message="it does nothing"))

    resume = call

    async def acall(self, *_: Any) -> Outcome:
        return self.call()

    def dump_state(self, *_: Any) -> Any:
        raise OperationRefused("it has none")

    parse = status = describe = load_state = dump_state


def test_nothing_passes_of_which_nothing_was_seen() -> None:
    """What is refused before the LM is asked was seen: a pair of tools, and a text that no encoding can carry."""
    report = Run(Silent(), "silent", Selection(profile="all"), replays=False).report(Unheard())
    passed = {row.title for each in report.requirements for row in each.scenarios if row.verdict is Verdict.PASSED}
    seen = ("Two tools of one name are refused", "The agent survives an input ")
    assert {title for title in passed if not title.startswith(seen)} == set()
