"""Python subjects that misbehave in every way we know: each is the reference, but for what it does after a call.

One run meets all of them: by the nonce among the inputs the subject knows which row it plays, and what to do in it.
"""

import json
from collections.abc import Mapping
from typing import Any, cast

from react_tck.catalogue.selection import Selection
from react_tck.model.case import Invocation, Options
from react_tck.model.episode import make_nonce
from react_tck.model.outcome import Outcome
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.results.books import Books, Unheard
from react_tck.subjects.api import Endpoints, Instance, Subject
from tests.zoo import changed_processes, harmless, lost_processes
from tests.zoo.kinds import Act, kinds_of

KINDS = (*kinds_of(lost_processes), *kinds_of(changed_processes), *kinds_of(harmless))


class Misbehaving:
    """The reference, but for the rows in which it does something else as well."""

    def __init__(self, inner: Subject, acts: Mapping[str, Act]) -> None:
        self._inner = inner
        self._acts = acts
        self.initialize = inner.initialize

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        """An instance that looks at its inputs."""
        return MisbehavingInstance(self._inner.construct(signature, tools, options, endpoints), self._acts)


class MisbehavingInstance:
    """One of its instances."""

    def __init__(self, inner: Any, acts: Mapping[str, Act]) -> None:
        self._inner = inner
        self._acts = acts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def call(self, invocation: Invocation) -> Outcome:
        """Call it, then misbehave if it is time to."""
        outcome: Outcome = self._inner.call(invocation)
        said = json.dumps(invocation.inputs)
        for known, act in self._acts.items():
            if known in said:
                given = act(outcome)
                outcome = outcome if given is None else cast(Outcome, given)
        return outcome


#: Rows in which the reference is called with marked inputs, and passes.
ROWS = Selection(
    tags="@TOOL-001 or @TOOL-002 or @TOOL-003 or @TOOL-004 or @TOOL-006 or @SIG-004 or @SIG-005 or @TRJ-007 "
    "or @ADP-001 or @STEP-001 or @TOOL-008 or @TOOL-011 or @EXT-002"
)
FEWER_ROWS = Selection(tags="@SIG-004 or @SIG-005 or @STEP-001")
SOME_ROWS = Selection(tags="@SIG-004 or @SIG-005 or @STEP-001 or @EXT-002")
#: Rows whose sentence is about the outputs: a kind that changes them fails nowhere else.
OUTPUT_ROWS = Selection(tags="@EXT-002")
#: What the subject below does, by nonce; the workers are copies of the process that fills it.
ACTS: dict[str, Act] = {}


def subject() -> Subject:
    """The one that a run names."""
    from react_tck.subjects.libraries.reference import react

    return Misbehaving(react.subject(), ACTS)


def marks(selection: Selection, seed: int = 0) -> dict[str, str]:
    """The nonces of the rows."""
    owed = Books(selection, Unheard()).owed
    return {row: make_nonce(f"{scenario.requirement_id}/{row}", seed) for row, scenario in owed.items()}
