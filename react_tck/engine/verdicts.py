"""The verdict that the end of a row stands for."""

from collections.abc import Mapping

from react_tck.judges.verdict import Unsupported, Untestable
from react_tck.model.intent import Fault
from react_tck.model.report import Verdict
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken
from react_tck.variations.variation import Unvaried

#: What a scenario's steps raise, and the verdict it stands for; anything else is a bug of the kit.
_VERDICTS: Mapping[type[BaseException], Verdict] = {
    AssertionError: Verdict.FAILED,
    Unsupported: Verdict.UNSUPPORTED,
    Untestable: Verdict.UNTESTABLE,
    HarnessBroken: Verdict.ERROR,
    Unvaried: Verdict.NOT_SELECTED,
}
KNOWN = tuple(_VERDICTS)
#: What is asked only where the LM failed as a provider does.
_AFTER_A_FAULT = frozenset({"ERR-012", "ERR-025", "ERR-026", "ERR-027"})


def find_verdict(error: Exception | None) -> Verdict:
    """The verdict of a row that ended with this, or with nothing."""
    if error is None:
        return Verdict.PASSED
    return next((verdict for kind, verdict in _VERDICTS.items() if isinstance(error, kind)), Verdict.ERROR)


def excuse_unserved(error: Exception | None, requirement_id: str, world: World | None) -> Exception | None:
    """The error; but what goes wrong where the provider was to fail, and wasn't asked before, is others' affair."""
    plays = world.plays() if world else ()
    was_served = any(isinstance(asked.intent, Fault) for _, record in plays for asked in record.requests)
    if isinstance(error, AssertionError | None) and requirement_id in _AFTER_A_FAULT and not was_served:
        return Unsupported("the LM wasn't asked where it was to fail")
    return error
