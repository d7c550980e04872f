"""A name that no tool has is told of, to the LM or to the caller (ERR-001)."""

from collections.abc import Iterator

from react_tck.dialects.fields import FINISH
from react_tck.judges.oracle.departures import is_predictable
from react_tck.judges.tool_names import names_no_tool, untold
from react_tck.judges.verdict import Violation
from react_tck.model.episode import Episode
from react_tck.model.intent import CallTool, Fault
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked, Record
from react_tck.record.reactions import aftermaths
from react_tck.record.turns import undecorated


def concealed(episode: Episode, _: Manifest, record: Record) -> Iterator[tuple[str, Violation]]:
    """The unknown names that nobody was told of, with the id of the requirement."""
    # What doesn't fit into a prompt any more may be left out of it.
    if not is_predictable(episode) or any(isinstance(asked.intent, Fault) for asked in record.requests):
        return

    def is_fault(asked: Asked) -> bool:
        return names_no_tool(asked, episode.case.tools)

    for after in aftermaths(episode, record, is_fault):
        assert isinstance(after.asked.intent, CallTool)
        name = undecorated(after.asked.intent.tool)
        # No name can't be told; and who finishes at `finish()` needn't speak of it.
        if name and FINISH not in name.lower() and (violation := untold(after, name)):
            yield "ERR-001", violation
