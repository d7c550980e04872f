"""An episode in a fresh process: with another hash seed, and without anything that this one remembers.

Of a harness it is the harness's own that is fresh. Of a subject in Python it is forked from a process that has
imported what all of them need, `python -m react_tck.play.fresh_process --kept DESCRIPTOR MODULE…`, and has played
nothing. Where a process can't be forked it is `python -m react_tck.play.fresh_process SUBJECT`.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from react_tck.model.episode import Episode
from react_tck.model.record import Record
from react_tck.play.session import play_episode, play_session
from react_tck.subjects.api import HarnessBroken, Separate, TimedOut
from react_tck.subjects.catalogue import close_subject, is_harness, list_modules, make_harness_subject, resolve

#: Seconds a fresh process may take for one episode, imports included.
_TIMEOUT = 60
#: Not the parent's, so that an order taken from a set or a hash shows.
_HASH_SEED = "4711"
_COMMAND = (sys.executable, "-m", "react_tck.play.fresh_process")
_KEPT = "--kept"


def play_in_fresh_process(subject_name: str, episode: Episode) -> Record:
    """Play the episode in a process of its own.

    Raises:
        HarnessBroken: if that process gives no record.
    """
    if is_harness(subject_name):
        return _play_with_another_harness(subject_name, episode)
    text = episode.model_dump_json()
    said = _play_in_fork(subject_name, text) if hasattr(socket, "send_fds") else _run_fresh_process(subject_name, text)
    return Record.model_validate(json.loads(said))


def _play_in_fork(subject_name: str, episode: str) -> str:
    """Return the record, by the server there is; where somebody has ended it, or closed its socket, by another."""
    if _kept and _kept[-1].is_reachable:
        try:
            return _kept[-1].play_in_fork(subject_name, episode)
        except ConnectionError:
            pass
    if _kept:
        _kept.pop().socket.detach()  # its number may be another file's by now
    start_fork_server(list_modules(subject_name))
    return _kept[-1].play_in_fork(subject_name, episode)


def _play_with_another_harness(harness_name: str, episode: Episode) -> Record:
    another = make_harness_subject(harness_name, [f"PYTHONHASHSEED={_HASH_SEED}"])
    try:
        session = play_session(another, episode)
        if isinstance(another, Separate):
            another.await_unasked()
        record = session.read_record()
    finally:
        close_subject(another)
    if record.breach:
        raise HarnessBroken(record.breach)
    return record


def _run_fresh_process(subject_name: str, episode: str) -> str:
    try:
        done = subprocess.run(
            [*_COMMAND, subject_name],
            input=episode,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            env=_make_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise _make_timeout() from late
    if done.returncode:
        raise HarnessBroken(f"a fresh process exited with {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


def _make_timeout() -> TimedOut:
    return TimedOut(f"a fresh process did not come to an end within {_TIMEOUT:g} seconds")


def _make_environment() -> Mapping[str, str]:
    return {**os.environ, "PYTHONHASHSEED": _HASH_SEED}


@dataclass(frozen=True)
class ForkServer:
    """A process that fresh ones are forked from, as those see it that need them."""

    process: subprocess.Popen[bytes]
    socket: socket.socket
    #: Of the socket, as it was opened.
    inode: int

    @property
    def is_reachable(self) -> bool:
        """Whether the socket is still the one that was opened."""
        try:
            return os.fstat(self.socket.fileno()).st_ino == self.inode
        except OSError:
            return False

    def play_in_fork(self, subject_name: str, episode: str) -> str:
        """Return the record of the episode.

        Raises:
            HarnessBroken: if there is none.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self.socket, [b"\n"], [theirs.fileno()])
        ours.settimeout(_TIMEOUT)
        try:
            with ours, ours.makefile("rw", encoding="utf-8") as stream:
                json.dump([str(Path.cwd()), dict(os.environ), subject_name, episode], stream)
                stream.flush()
                ours.shutdown(socket.SHUT_WR)
                said = stream.read()
        except TimeoutError as late:
            raise _make_timeout() from late
        record, why = json.loads(said or '["", "it said nothing"]')
        if why:
            raise HarnessBroken(f"a fresh process gave no record: {why[-500:]}")
        return str(record)


#: The one that is kept for this process, if there is one.
_kept: list[ForkServer] = []


def start_fork_server(modules: Iterable[str]) -> None:
    """Have fresh processes forked, for this one and all that are forked from it, from one that has imported these.

    That ends when none of them is left.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        process = subprocess.Popen(
            [*_COMMAND, _KEPT, str(number), *modules],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_make_environment(),
            pass_fds=[number],
        )
    _kept.append(ForkServer(process, ours, os.fstat(ours.fileno()).st_ino))


def _serve_forks(asked: socket.socket, modules: Iterable[str]) -> None:
    """Have a fork of this process play each episode that is asked for."""
    for module in modules:
        import_module(module)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with those that need it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while descriptors := socket.recv_fds(asked, 1, 1)[1]:
        with socket.socket(fileno=descriptors[0]) as other:
            if os.fork() == 0:
                try:
                    asked.close()
                    _answer_request(other)
                finally:
                    os._exit(0)


def _answer_request(other: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.alarm(2 * _TIMEOUT)  # nobody waits for it any more
    with other.makefile("rw", encoding="utf-8") as stream:
        folder, environment, subject_name, episode = json.load(stream)
        try:
            _move_to(folder, environment)
            said = [_play_to_json(subject_name, episode), ""]
        except BaseException:
            said = ["", traceback.format_exc()]
        json.dump(said, stream)


def _move_to(folder: str, environment: Mapping[str, str]) -> None:
    """Be where the process is now that asks: since this one's parent began it may have gone elsewhere."""
    os.chdir(folder)
    named = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:1] = [folder, *named]  # where `-m` finds modules
    os.environ.clear()
    os.environ.update(environment)


def _play_to_json(subject_name: str, episode: str) -> str:
    """In ASCII, which can say half a surrogate pair."""
    return json.dumps(play_episode(resolve(subject_name), Episode.model_validate_json(episode)).model_dump(mode="json"))


def main() -> None:
    """Read an episode as JSON from the standard input, and write its record to the standard output."""
    match sys.argv[1:]:
        case [first, number, *modules] if first == _KEPT:
            _serve_forks(socket.socket(fileno=int(number)), modules)
        case [subject_name]:
            output, sys.stdout = sys.stdout, sys.stderr  # a subject may print
            output.write(_play_to_json(subject_name, sys.stdin.read()))


if __name__ == "__main__":
    main()
