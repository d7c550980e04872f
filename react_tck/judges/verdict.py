"""How a scenario can end, and what its steps raise to end it so."""

from react_tck.model.record import Event
from react_tck.model.report import Beat

#: Characters that anybody reads: those at the beginning, and those at the end.
_HEAD, _TAIL = 8000, 400


def shorten_text(text: str) -> str:
    """Return the text without its middle, if it is longer than anybody reads."""
    left_out = len(text) - _HEAD - _TAIL
    return text if left_out <= 0 else f"{text[:_HEAD]} … {left_out} characters … {text[-_TAIL:]}"


class Violation(AssertionError):
    """The subject doesn't do what the requirement says: what a judge returns, and what a sentence raises.

    Args:
        expected: what the requirement demands, in the scenario's words.
        actual: what the record shows instead.
        at: the event of the first divergence, if it is one event's.
        requirement_id: the requirement; a sentence leaves it to its scenario.
        kind: how the subject departs from what is due, such as "goes on too long", where a judge can tell.
        due: what was to happen at that event, one of these, where the oracle can tell.
    """

    def __init__(
        self,
        expected: str,
        actual: str,
        at: Event | None = None,
        requirement_id: str = "",
        kind: str = "",
        due: tuple[Beat, ...] = (),
    ) -> None:
        self.expected = shorten_text(expected)
        self.actual = shorten_text(actual)
        super().__init__(f"expected: {self.expected}\nactual:   {self.actual}")
        self.at = at
        self.requirement_id = requirement_id
        self.kind = kind
        self.due = due

    def with_requirement(self, requirement_id: str) -> "Violation":
        """Return the same, of this requirement."""
        return Violation(self.expected, self.actual, self.at, requirement_id, self.kind, self.due)


class Unsupported(Exception):
    """The scenario needs something the subject's manifest doesn't declare."""


class Untestable(Exception):
    """A prerequisite that is the kit's or the machine's, not the subject's, is missing."""


class ScriptWrong(Exception):
    """The script of somebody's own scenario has no reply to a request that was due, or more than was due."""

    kind = "the script is wrong"


def check(holds: bool, expected: str, actual: str, at: Event | None = None) -> None:
    """Let the step pass if the record holds what is expected.

    Raises:
        Violation: if it doesn't.
    """
    if not holds:
        raise Violation(expected, actual, at)
