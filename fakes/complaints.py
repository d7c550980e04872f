"""Sentences of what went wrong, however often it does: the first are kept, and how many more there were."""

#: Sentences that are kept, and characters of each.
_KEPT, _SHOWN = 1000, 2000


class Complaints:
    """Takes sentences; whoever goes wrong without end fills no memory, and is told of all the same.

    >>> from react_tck.fakes.complaints import Complaints
    >>> found = Complaints()
    >>> for number in range(1002):
    ...     found.add(f"request {number} was refused")
    >>> found.sentences[0], found.sentences[-1]
    ('request 0 was refused', 'and 2 more')
    """

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._more = 0

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was wrong, in order; at the end, how much more there was."""
        return (*self._kept, f"and {self._more} more") if self._more else tuple(self._kept)

    def add(self, sentence: str) -> None:
        """Take a sentence about something else that was wrong."""
        if len(self._kept) < _KEPT:
            self._kept.append(sentence[:_SHOWN])
        else:
            self._more += 1

    def clear(self) -> None:
        """Forget all sentences, once they have been told."""
        self._kept, self._more = [], 0
