"""Of the calls that a run plays, all are predicted but those of which nobody can say what is due."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.judges.oracle.departures import Followed, follow_call
from react_tck.model.episode import Episode
from react_tck.model.record import Record
from react_tck.record.evidence import Evidence
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import resolve

#: Why calls aren't predicted, and how many there are at most.
_NAMED = {
    "a name is taken twice (TOOL-005, TOOL-014 to TOOL-016)": 3,
    "a run comes to nothing to observe at once (TOOL-006)": 8,
    "an input is missing or unknown (SIG-007)": 6,
    "another instance suspended the call": 2,
}


def _followed(subject: str, folder: Path) -> Iterator[Followed]:
    manifest = resolve(subject).initialize()
    for path in folder.glob("*.jsonl"):
        episode, *events = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
        record = Record.model_validate({"case_id": path.name, "events": [json.loads(event) for event in events]})
        evidence = Evidence(Episode.model_validate_json(episode), manifest, record)
        yield from map(follow_call, evidence.scenes)


@pytest.mark.parametrize(
    ("subject", "profile"),
    [
        ("reference", "core"),
        ("reference-conversation", "conversation"),
        ("reference-transcript", "transcript"),
        ("reference-transcript", "confirmation"),
        ("reference-udspy", "udspy"),
        ("reference", "upstream"),
    ],
)
def test_all_calls_of_a_run_are_predicted_but_named_ones(subject: str, profile: str, tmp_path: Path) -> None:
    Run(resolve(subject), subject, Selection(profile), transcripts=tmp_path, replays=False).collect_results(Unheard())
    calls = list(_followed(subject, tmp_path))
    gaps = [call.gap for call in calls if call.gap]
    assert calls
    assert {gap: gaps.count(gap) for gap in gaps if gaps.count(gap) > _NAMED.get(gap, 0)} == {}
    assert [call.departure for call in calls if call.departure] == []
