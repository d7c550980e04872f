"""How far a search is, as far as it is heard of the workers."""

from itertools import count
from typing import Protocol

from react_tck.fuzz.shards import ShardResult
from react_tck.processes.workers.workers import Beat


class SearchListener(Protocol):
    """Whoever shows how far the search is."""

    def show_progress(self, shards: int, examples: int, findings: int) -> None:
        """So many shards and examples have been judged."""

    def show_shrinking(self, requirement_id: str, attempts: int) -> None:
        """So many attempts have been made to make a finding smaller."""

    def show_choosing(self, examples: int) -> None:
        """All examples have been judged, so many of them; those that the corpus keeps are chosen."""


class SilentSearchListener:
    """For searches that nobody watches."""

    def show_progress(self, shards: int, examples: int, findings: int) -> None:
        """Ignore how many shards and examples have been judged."""

    def show_shrinking(self, requirement_id: str, attempts: int) -> None:
        """Ignore how many attempts have been made to make a finding smaller."""

    def show_choosing(self, examples: int) -> None:
        """Ignore that the episodes are chosen that the corpus keeps."""


class SearchCount:
    """Counts what is heard of the workers."""

    def __init__(self, listener: SearchListener) -> None:
        self.found = 0
        self._listener = listener
        self._beats = self._shards = self._examples = 0

    def count_beat(self) -> None:
        """Count one more example, and show it."""
        self._beats += 1
        self._show_progress()

    def count_shard(self, result: ShardResult) -> None:
        """Count one more shard, and show it; of workers far away no more is heard."""
        self._shards += 1
        self._examples += result.examples
        self._show_progress()

    def _show_progress(self) -> None:
        self._listener.show_progress(self._shards, max(self._beats, self._examples), self.found)

    def show_choosing(self) -> None:
        """Show that all examples have been judged, and what is done now."""
        self._listener.show_choosing(max(self._beats, self._examples))

    def count_attempts(self, ids: str) -> Beat:
        """Count the attempts to make these smaller."""
        attempts = count(1)
        return lambda: self._listener.show_shrinking(ids, next(attempts))
