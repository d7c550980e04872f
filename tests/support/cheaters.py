"""Subjects that do nothing of what they claim, or claim nothing: no run of them may end well. They need no library."""

from react_tck.model.case import Invocation
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.subjects.api import ConstructionError, Instance
from react_tck.subjects.libraries.reference.manifests import ALL


class _Cheater:
    """Claims everything the reference can do."""

    def initialize(self) -> Manifest:
        """Give the reference's manifest."""
        return ALL

    def construct(self, *_: object) -> Instance:
        """Take whatever there is."""
        return self

    def call(self, _: Invocation) -> Outcome:
        """Report success without asking the LM, running a tool or giving any output."""
        return Outcome(status="ok")


class _Leaver(_Cheater):
    def call(self, _: Invocation) -> Outcome:
        """End the process with the status of success."""
        raise SystemExit(0)


class _Evader:
    """Declares no capability, so that nothing can be asked of it."""

    def initialize(self) -> Manifest:
        """Say as little as a manifest can."""
        return Manifest(name="evader", version="0", dialects=("chat",), default_dialect="chat", default_max_steps=1)

    def construct(self, *_: object) -> Instance:
        """Refuse everything that needs no capability."""
        raise ConstructionError("refused")


def inert() -> _Cheater:
    """It does nothing."""
    return _Cheater()


def leaver() -> _Leaver:
    """It leaves the process."""
    return _Leaver()


def evader() -> _Evader:
    """It evades all questions."""
    return _Evader()
