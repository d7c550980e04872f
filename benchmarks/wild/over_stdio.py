"""A harness that crashes, hangs, babbles and comes late by a seed.

Every episode is accounted for, and memory and descriptors are to stay flat.
"""

import sys
from collections import deque
from pathlib import Path

from benchmarks.wild.tally import Tally, held
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.signature import parse_arrow
from react_tck.play.session import Session
from react_tck.subjects.api import HarnessBroken, TimedOut
from react_tck.subjects.stdio import StdioSubject, Timeouts, make_starter
from tests.zoo.tricks import wild_fate

_LOOKS = 10
_ROOT = Path(__file__).parents[2]
#: Episodes after which nothing can come any more: their lanes are closed.
_SETTLED = 16
#: What a call that goes well asks the LM: two steps and the extraction.
_REQUESTS = 3


def played(episodes: int, looks: int = _LOOKS) -> Tally:
    """Play so many."""
    subject = StdioSubject(
        make_starter([sys.executable, "-m", "tests.zoo.harness", "wild"], str(_ROOT)), Timeouts(construct=5, call=1)
    )
    tally, waiting = Tally(episodes=episodes), deque[tuple[int, str, Session | str]]()
    try:
        for number in range(1, episodes + 1):
            episode = _episode(number)
            question = str(episode.case.invocations[0].inputs["question"])
            waiting.append((number, wild_fate(question), _play(subject, episode)))
            if len(waiting) > _SETTLED:
                _settle(tally, *waiting.popleft())
            if number % max(1, episodes // looks) == 0:
                tally.held.append(held())
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
        session.call_instance(episode.case.invocations[0])
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
        tally.enter(f"episode {number}", meant, came)
        return
    record = came.read_record()
    after = "end after" if "exited with status 0" in (record.breach or "") else _broken(record.breach or "well")
    # It may overtake the answer on its way to us: what tells it is that there is one too many.
    is_late = len(record.requests) > _REQUESTS
    tally.enter(f"episode {number}", meant, "late request" if is_late else after)
