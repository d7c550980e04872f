"""What the framework's callbacks are told of an episode (OBS-001): every tool's run, and every reply that is read."""

from collections import Counter
from collections.abc import Iterator

from react_tck.judges.verdict import Violation
from react_tck.model.record import Record
from react_tck.record.evidence import Evidence

_UNHEARD = "OBS-001"


def find_unheard_events(evidence: Evidence) -> Iterator[Violation]:
    """Runs and replies of which callbacks that listen hear nothing."""
    yield from find_unheard_runs(evidence.record)
    yield from find_unheard_replies(evidence.record)


def find_unheard_runs(record: Record) -> Iterator[Violation]:
    """Each tool that ran oftener than callbacks heard of; of a run that is interrupted nobody is told how it ended."""
    if record.heard is None:
        return
    ran = Counter(run.tool for run in record.tool_runs if not run.interrupted)
    heard = Counter(notice.name for notice in record.heard if notice.what == "tool")
    if ran - heard:
        expected = f"the callbacks hear of the tool calls {_list_names(ran)}"
        yield Violation(expected, f"they heard of {_list_names(heard)}", requirement_id=_UNHEARD)


def find_unheard_replies(record: Record) -> Iterator[Violation]:
    """Fewer readings than replies; an adapter may try to read one in several ways, and reads no native calls.

    Of a reply without a text there is nothing to read.
    """
    if record.heard is None:
        return
    answered = [asked.completion for asked in record.requests if asked.completion]
    replies = sum(not completion.tool_calls and completion.content != "" for completion in answered)
    readings = Counter(notice.name for notice in record.heard if notice.what == "reading")
    if readings.total() < replies:
        expected = f"the callbacks hear of the reading of {replies} replies"
        yield Violation(expected, f"they heard of {_list_names(readings)}", requirement_id=_UNHEARD)


def _list_names(names: Counter[str]) -> str:
    return ", ".join(names.elements()) or "none"
