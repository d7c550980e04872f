"""An episode in a process of its own; `python -m react_tck.play.determinism_worker SUBJECT` is that process."""

import json
import os
import subprocess
import sys

from react_tck.model.episode import Episode
from react_tck.model.record import Record
from react_tck.play.session import play
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import resolve

#: Seconds a fresh process may take for one episode, imports included.
_TIMEOUT = 60
#: Not the parent's, so that an order taken from a set or a hash shows.
_HASH_SEED = "4711"


def play_afresh(subject_name: str, episode: Episode) -> Record:
    """Play the episode in a process of its own.

    Raises:
        HarnessBroken: if that process gives no record.
    """
    done = subprocess.run(
        [sys.executable, "-m", "react_tck.play.determinism_worker", subject_name],
        input=episode.model_dump_json(),
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        env={**os.environ, "PYTHONHASHSEED": _HASH_SEED},
        check=False,
    )
    if done.returncode:
        raise HarnessBroken(f"a fresh process exited with {done.returncode}: {done.stderr.strip()[-500:]}")
    return Record.model_validate(json.loads(done.stdout))


def main() -> None:
    """An episode as JSON on the standard input; its record as JSON on the standard output."""
    episode = Episode.model_validate_json(sys.stdin.read())
    output, sys.stdout = sys.stdout, sys.stderr  # a subject may print
    # In ASCII, which can say half a surrogate pair.
    json.dump(play(resolve(sys.argv[1]), episode).model_dump(mode="json"), output)


if __name__ == "__main__":
    main()
