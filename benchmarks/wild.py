"""`python -m benchmarks.wild [EPISODES]`: a harness that crashes, hangs, babbles and comes late by a seed.

Every episode is accounted for, and memory and descriptors are to stay flat.
"""

import os
import sys
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.signature import parse_arrow
from react_tck.play.session import Session
from react_tck.subjects.api import HarnessBroken, TimedOut
from react_tck.subjects.stdio import StdioSubject, Timeouts, started
from tests.zoo.tricks import WILD, wild_fate

_EPISODES = 20_000
_LOOKS = 10
_ROOT = Path(__file__).parents[1]
#: Episodes after which nothing can come any more: their lanes are closed.
_SETTLED = 16
#: What a call that goes well asks the LM: two steps and the extraction.
_REQUESTS = 3


@dataclass
class Tally:
    """What was to become of the episodes, and what did."""

    meant: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    #: Episodes that met another fate than theirs.
    wrong: list[tuple[int, str, str]] = field(default_factory=list)
    #: Bytes in memory and open descriptors after each part.
    held: list[tuple[int, int]] = field(default_factory=list)

    def enter(self, number: int, meant: str, seen: str) -> None:
        """An episode is over, and settled."""
        self.meant[meant] += 1
        self.seen[seen] += 1
        if meant != seen:
            self.wrong.append((number, meant, seen))


def played(episodes: int, looks: int = _LOOKS) -> Tally:
    """Play so many."""
    subject = StdioSubject(
        started([sys.executable, "-m", "tests.zoo.harness", "wild"], str(_ROOT)), Timeouts(construct=5, call=1)
    )
    tally, waiting = Tally(), deque[tuple[int, str, Session | str]]()
    try:
        for number in range(1, episodes + 1):
            episode = _episode(number)
            question = str(episode.case.invocations[0].inputs["question"])
            waiting.append((number, wild_fate(question), _play(subject, episode)))
            if len(waiting) > _SETTLED:
                _settle(tally, *waiting.popleft())
            if number % max(1, episodes // looks) == 0:
                tally.held.append((_resident(), len(list(Path("/proc/self/fd").iterdir()))))
    finally:
        subject.close()
    while waiting:
        _settle(tally, *waiting.popleft())
    return tally


def _episode(number: int) -> Episode:
    case = Case(
        id=f"wild/{number}",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["add"],),
        invocations=(Invocation(inputs={"question": f"What is 2 + {number}?"}),),
    )
    steps = (CallTool(tool="add", args={"a": 2, "b": number}), Finish())
    return Episode(case=case, script=Script(steps=steps, answers=(Answer(outputs={"answer": "5"}),)), nonce="wild")


def _play(subject: StdioSubject, episode: Episode) -> Session | str:
    """The session, whose record may grow; or what broke it."""
    session = Session(subject, episode)
    try:
        session.call(episode.case.invocations[0])
    except TimedOut:
        return "hang"
    except HarnessBroken as error:
        return _broken(str(error))
    return session


def _broken(message: str) -> str:
    fates = {"exited with status 1 instead of answering 'call'": "crash", "DEBUG: calling": "garbage"}
    fates |= {"DEBUG: done": "noise after", "exited with status 0 after its answer": "end after"}
    return next((fate for part, fate in fates.items() if part in message), message)


def _settle(tally: Tally, number: int, meant: str, came: Session | str) -> None:
    if isinstance(came, str):
        tally.enter(number, meant, came)
        return
    record = came.record()
    after = "end after" if "exited with status 0" in (record.breach or "") else _broken(record.breach or "well")
    # It may overtake the answer on its way to us: what tells it is that there is one too many.
    is_late = len(record.requests) > _REQUESTS
    tally.enter(number, meant, "late request" if is_late else after)


def _resident() -> int:
    """Bytes of this process in memory, by /proc."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Play, and print."""
    episodes = int(sys.argv[1]) if len(sys.argv) > 1 else _EPISODES
    tally = played(episodes)
    for fate in (*WILD, "well"):
        print(f"  {fate:<14} meant {tally.meant[fate]:6}   seen {tally.seen[fate]:6}")
    print(f"{sum(tally.seen.values())} of {episodes} episodes accounted for, {len(tally.wrong)} otherwise than meant")
    for number, meant, seen in tally.wrong[:5]:
        print(f"  episode {number}: {meant} became {seen}")
    for memory, descriptors in tally.held:
        print(f"  {memory / 2**20:7.1f} MiB  {descriptors} descriptors")


if __name__ == "__main__":
    main()
