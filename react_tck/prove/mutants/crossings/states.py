"""Crossings of what is saved and when, of a concurrent call that runs a tool, and of long and odd texts."""

from react_tck.prove.mutants.operators.crossings import (
    NotesLoading,
    crossing,
    is_loaded,
)
from react_tck.prove.mutants.operators.runs import earlier_of, when
from react_tck.prove.mutants.operators.views import (
    entries_read,
    entries_shown,
    json_history_read,
    transcribing,
)
from react_tck.reference import loop
from react_tck.reference.seams import Site


def _under_one_id(entries: loop.Entries) -> loop.Entries:
    """Return the entries with one id for all calls of a tool in a turn; the results keep theirs."""
    turns = [entry for entry in entries if isinstance(entry, loop.AssistantTurn)]
    ids = {(id(turn), call.name): call.id for turn in turns for call in turn.tool_calls}

    def rename(turn: loop.AssistantTurn) -> loop.AssistantTurn:
        calls = tuple(call.model_copy(update={"id": ids[id(turn), call.name]}) for call in turn.tool_calls)
        return turn.model_copy(update={"tool_calls": calls})

    return tuple(rename(entry) if isinstance(entry, loop.AssistantTurn) else entry for entry in entries)


def _without_summaries(_site: Site, entries: loop.Entries) -> loop.Entries:
    return tuple(entry for entry in entries if not isinstance(entry, loop.Summary))


MUTANTS = {
    "summary-not-read-again": crossing(
        "TRN-017",
        "Leaves out the summaries of a history that a run goes on with.",
        begin=transcribing(entries_read(_without_summaries)),
    ),
    "json-finds-results-by-tools": crossing(
        "TRN-010",
        "Gives the calls of a tool in one turn one id, in a history that was written out.",
        **json_history_read(_under_one_id),
    ),
    "loaded-forgets-earlier-turns": crossing(
        "TRN-008",
        "Shows nothing of earlier turns, once a saved state was loaded.",
        mixin=NotesLoading,
        prompt=transcribing(
            when(is_loaded, entries_shown(lambda site, entries: entries[len(earlier_of(site.state)) :]))
        ),
    ),
}
