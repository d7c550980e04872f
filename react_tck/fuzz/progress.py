"""How far a search is, as far as it is heard of the workers."""

from itertools import count
from typing import Protocol

from react_tck.fuzz.shards import ShardResult
from react_tck.processes.workers.workers import Beat


class SearchListener(Protocol):
    """Whoever shows how far the search is."""

    def searched(self, shards: int, examples: int, findings: int) -> None:
        """So many shards and examples have been judged."""

    def shrinking(self, requirement_id: str, attempts: int) -> None:
        """So many attempts have been made to make a finding smaller."""


class UnheardSearch:
    """For searches that nobody watches."""

    def searched(self, shards: int, examples: int, findings: int) -> None:
        """Nothing."""

    def shrinking(self, requirement_id: str, attempts: int) -> None:
        """Nothing."""


class SearchCount:
    """Counts what is heard of the workers."""

    def __init__(self, listener: SearchListener) -> None:
        self.found = 0
        self._listener = listener
        self._beats = self._shards = self._examples = 0

    def beat(self) -> None:
        """One more example."""
        self._beats += 1
        self._tell()

    def played(self, result: ShardResult) -> None:
        """One more shard; of workers far away no more is heard."""
        self._shards += 1
        self._examples += result.examples
        self._tell()

    def _tell(self) -> None:
        self._listener.searched(self._shards, max(self._beats, self._examples), self.found)

    def shrinking(self, ids: str) -> Beat:
        """Counts the attempts to make these smaller."""
        attempts = count(1)
        return lambda: self._listener.shrinking(ids, next(attempts))
