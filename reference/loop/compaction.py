"""Which entries of a transcript may be summarised when it doesn't fit any more (TRN-014)."""

from typing import NamedTuple

from react_tck.reference.loop.entries import AssistantTurn, Entries, Request, Summary


class Cut(NamedTuple):
    """A transcript in three: what is summarised stands between what stays."""

    before: Entries
    summarised: Entries
    after: Entries


def cut_history(history: Entries) -> Cut | None:
    """Return where to cut; None if nothing can go.

    The last finished turn stays whole, because the user's next words may refer to it (TRN-008); so do the request
    and the last step of the turn under way.
    """
    starts = [index for index, entry in enumerate(history) if isinstance(entry, Request)]
    current = starts[-1] if starts else 0
    older = history[: starts[-2]] if len(starts) > 1 else ()
    if any(not isinstance(entry, Summary) for entry in older):
        return Cut((), older, history[len(older) :])
    steps = [index for index, entry in enumerate(history) if isinstance(entry, AssistantTurn) and index > current]
    if len(steps) < 2:
        return None
    return Cut(history[: current + 1], history[current + 1 : steps[-1]], history[steps[-1] :])


def insert_summary(parts: Cut, summary: str) -> Entries:
    """Return the transcript with a summary in the place of what was summarised."""
    return (*parts.before, Summary(summary=summary), *parts.after)
