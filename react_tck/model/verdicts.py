"""What a run comes to: conformance, counted in MUSTs by specification, and robustness, counted in practices."""

from react_tck.model.base import Value
from react_tck.model.requirement import Severity, Specification


class Conformance(Value):
    """How a subject stands to a specification that it claims."""

    #: None of what somebody's own features require.
    specification: Specification | None
    is_conformant: bool
    #: So many MUSTs were judged.
    judged: int
    unmet: tuple[str, ...] = ()
    #: What isn't judged until something else is mended that made all of it fail; none of that conforms.
    blocked: tuple[str, ...] = ()
    #: What can't be said to be met, for it was flaky.
    flaky: tuple[str, ...] = ()
    #: What the subject declares not to support.
    #: By its declaration, or because the kit has no way to test it with this subject.
    unsupported: tuple[str, ...] = ()
    #: What of that is the core of the loop.
    without_core: tuple[str, ...] = ()


class Robustness(Value):
    """Which practices a subject breaks, of so many that were judged."""

    judged: int
    broken: dict[Severity, tuple[str, ...]]
    blocked: tuple[str, ...] = ()


class Verdicts(Value):
    """Both, and what the subject declares and was seen to do otherwise."""

    conformance: tuple[Conformance, ...]
    robustness: Robustness
    declared_otherwise: tuple[str, ...] = ()
