"""What was to become of the episodes, what did, and what this process held meanwhile."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Held(NamedTuple):
    """What this process holds."""

    #: Bytes in memory.
    memory: int
    #: Open ones.
    descriptors: int


def held() -> Held:
    """What it holds now, by /proc."""
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return Held(resident, len(list(Path("/proc/self/fd").iterdir())))


@dataclass
class Tally:
    """Every fate that was met; several episodes may share one."""

    meant: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    #: Those that met another fate than theirs.
    wrong: list[str] = field(default_factory=list)
    episodes: int = 0
    #: After each part.
    held: list[Held] = field(default_factory=list)

    def enter(self, name: str, meant: str, seen: str) -> None:
        """This is over, and settled."""
        self.meant[meant] += 1
        self.seen[seen] += 1
        if meant != seen:
            self.wrong.append(f"{name}: {meant} became {seen}")

    def lines(self) -> Iterator[str]:
        """All of it."""
        for fate in sorted(self.meant | self.seen, key=self.meant.__getitem__):
            yield f"  {fate:<14} meant {self.meant[fate]:6}   seen {self.seen[fate]:6}"
        yield f"{self.episodes} episodes, {self.seen.total()} fates, {len(self.wrong)} otherwise than meant"
        yield from (f"  {wrong}" for wrong in self.wrong[:5])
        for memory, descriptors in self.held:
            yield f"  {memory / 2**20:7.1f} MiB  {descriptors} descriptors"
