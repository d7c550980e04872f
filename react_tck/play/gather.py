"""Evidence for the judges: an episode as it was played, played again after another one, or in a fresh process.

`python -m react_tck.play.gather SUBJECT` is that process.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.manifest import Manifest
from react_tck.model.record import Record
from react_tck.play.session import play
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import HarnessBroken, Subject, TimedOut
from react_tck.subjects.catalogue import resolve


def _another(manifest: Manifest) -> Episode:
    """What is played between an episode and its replay, so that whatever a subject keeps shows."""
    case = Case(
        id="another",
        signature=manifest.signature("place, day -> report"),
        tools=(TOOLBOX["weather"], TOOLBOX["ping"]),
        invocations=(Invocation(inputs={"place": "Oslo", "day": "Monday"}),),
    )
    script = Script(
        steps=(CallTool(tool="weather", args={"city": "Oslo"}, thought="See."), Finish(sticky=True)),
        answers=(Answer(outputs={"report": "snow"}, sticky=True),),
    )
    return Episode(case=case, script=script, nonce="another")


def gather(subject: Subject, episode: Episode, *, again: bool) -> Evidence:
    """Play the episode; `again` plays it once more, after another one.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    record = play(subject, episode, is_watched=False)
    evidence = Evidence(episode, subject.initialize(), record)
    return replayed(subject, evidence) if again else evidence


def replayed(subject: Subject, evidence: Evidence) -> Evidence:
    """The evidence with another record of its episode, played again after another one.

    Raises:
        HarnessBroken: if the harness breaks.
    """
    play(subject, _another(subject.initialize()))
    return replace(evidence, replayed=play(subject, evidence.episode))


#: Seconds a fresh process may take for one episode, imports included.
_TIMEOUT = 60
#: Not the parent's, so that an order taken from a set or a hash shows.
_HASH_SEED = "4711"


def play_afresh(subject_name: str, episode: Episode) -> Record:
    """Play the episode in a process of its own.

    Raises:
        HarnessBroken: if that process gives no record.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", "react_tck.play.gather", subject_name],
            input=episode.model_dump_json(),
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            env={**os.environ, "PYTHONHASHSEED": _HASH_SEED},
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise TimedOut(f"a fresh process did not come to an end within {_TIMEOUT:g} seconds") from late
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
