"""A fresh process has a hash seed of its own and remembers nothing, forked or not (SAN-009, CNF-008)."""

import os
import socket
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Finish, Script
from react_tck.model.manifest import Manifest
from react_tck.model.record import Refused
from react_tck.model.signature import parse_arrow
from react_tck.play import fresh_process
from react_tck.subjects.api import ConstructionError, HarnessBroken
from react_tck.subjects.catalogue import harness_name, resolve

EPISODE = Episode(
    case=Case(
        id="a case", signature=parse_arrow("question -> answer"), invocations=(Invocation(inputs={"question": "?"}),)
    ),
    script=Script(steps=(Finish(),), answers=(Answer(outputs={"answer": "5"}),)),
    nonce="n",
)
TELLING = f"python:{__name__}:telling"
_number = count(1)


class _Telling:
    """Tells the number of its play in this process, and a hash."""

    def initialize(self) -> Manifest:
        return resolve("reference").initialize()

    def construct(self, *_: Any, **__: Any) -> Any:
        raise ConstructionError(f"play {next(_number)}, hash {hash('a')}")


def telling() -> _Telling:
    return _Telling()


@pytest.fixture(params=["started", "forked"], name="fresh")
def _fresh(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(fresh_process, "_kept", [])
    if request.param == "started":
        monkeypatch.delattr(socket, "send_fds")
    yield
    assert len(fresh_process._kept) == (request.param == "forked")
    for kept in fresh_process._kept:
        kept.socket.close()
        assert kept.process.wait(60) == 0, "it ends with those that need it"


def told(subject_name: str = TELLING) -> str:
    [refused] = fresh_process.play_in_fresh_process(subject_name, EPISODE).events
    assert isinstance(refused, Refused)
    return refused.error.message


@pytest.mark.usefixtures("fresh")
def test_each_play_is_the_first_of_its_process_with_another_hash_seed() -> None:
    first = told()
    assert first.startswith("play 1, ")
    assert told() == first
    assert f"hash {hash('a')}" not in first


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_server_that_somebody_has_ended_is_replaced(monkeypatch: pytest.MonkeyPatch, is_closed: bool) -> None:
    monkeypatch.setattr(fresh_process, "_kept", [])
    first = told()
    [ended] = fresh_process._kept
    if is_closed:
        os.close(ended.socket.fileno())
    else:
        ended.process.kill()
    ended.process.wait()

    assert told() == first
    [kept] = fresh_process._kept
    assert kept is not ended
    kept.socket.close()
    kept.process.wait()


def test_of_a_harness_another_is_started_with_another_hash_seed() -> None:
    harness = harness_name([sys.executable, "-m", "react_tck", "harness", TELLING])
    first = told(harness)
    assert first.startswith("play 1, ")
    assert told(harness) == first


@pytest.mark.usefixtures("fresh")
def test_a_fresh_process_that_takes_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh_process, "_TIMEOUT", 0.01)
    with pytest.raises(HarnessBroken, match=r"did not come to an end within 0\.01 seconds"):
        fresh_process.play_in_fresh_process("reference", EPISODE)
