"""A name that no tool has is told of, to the LM or to the caller (ERR-001)."""

from collections.abc import Iterator

from react_tck.dialects.fields import FINISH
from react_tck.model.episode import Episode
from react_tck.model.intent import CallTool, Fault
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked, Record
from react_tck.runner.aftermath import aftermaths
from react_tck.runner.naming import untold
from react_tck.runner.oracle.judge import is_predictable
from react_tck.runner.turns import undecorated
from react_tck.runner.verdict import Violation


def concealed(episode: Episode, _: Manifest, record: Record) -> Iterator[tuple[str, Violation]]:
    """The unknown names that nobody was told of, with the id of the requirement."""
    # What doesn't fit into a prompt any more may be left out of it.
    if not is_predictable(episode) or any(isinstance(asked.intent, Fault) for asked in record.requests):
        return
    known = {"", *(tool.name.lower() for tool in episode.case.tools)}

    def is_fault(asked: Asked) -> bool:
        if not isinstance(asked.intent, CallTool):
            return False
        # A near miss may be taken for what it was meant to be.
        name = undecorated(asked.intent.tool).lower()
        return name not in known and FINISH not in name

    for after in aftermaths(episode, record, is_fault):
        assert isinstance(after.asked.intent, CallTool)
        if violation := untold(after, undecorated(after.asked.intent.tool)):
            yield "ERR-001", violation
