"""A name that no tool has is told of, to the LM or to the caller (ERR-028), and kept in the trajectory (TRJ-002)."""

from collections.abc import Iterator
from contextlib import suppress

from react_tck.dialects.fields import FINISH, SUBMIT
from react_tck.dialects.markup import as_text
from react_tck.dialects.reading import takes_submit
from react_tck.judges.oracle.scope import is_plain_loop
from react_tck.judges.verdict import Violation
from react_tck.model.intent import CallTool, Fault
from react_tck.model.outcome import Outcome, UnreadableTrace, read_trace
from react_tck.model.record import Asked, Record, Returned
from react_tck.record.evidence import Evidence
from react_tck.record.reactions import Reaction, yield_reactions
from react_tck.record.visibility import ToolName, names_whole_word, read_case_name


def find_concealed_names(evidence: Evidence) -> Iterator[Violation]:
    """Yield the unknown names that nobody was told of."""
    episode, record = evidence.episode, evidence.record
    # What doesn't fit into a prompt any more may be left out of it.
    if not is_plain_loop(episode.case) or any(isinstance(asked.intent, Fault) for asked in record.requests):
        return

    def is_to_be_told(asked: Asked) -> bool:
        if not isinstance(asked.intent, CallTool) or asked.ask is None:
            return False
        name = read_case_name(asked.intent.tool, episode.case)
        # Who takes the outputs by `submit` has that tool besides those of the case.
        return _is_to_be_told(name) and not (name.bare == SUBMIT and takes_submit(asked))

    for reaction in yield_reactions(episode, record, is_to_be_told):
        # An error at the last step is about the steps that ran out (LOOP-004, choice `steps-exhausted`).
        if reaction.is_last_step and reaction.course == "error":
            continue
        assert isinstance(reaction.asked.intent, CallTool)
        name = read_case_name(reaction.asked.intent.tool, episode.case).bare
        if violation := find_untold_name(reaction, name):
            yield violation.with_requirement("ERR-028")
        if reaction.course == "observe":
            yield from _find_unrecorded_name(record.of_call(reaction.asked.invocation), name)


def find_untold_name(reaction: Reaction, name: str) -> Violation | None:
    """Return what is wrong if neither the request after that turn shows the name, nor the error does."""
    match reaction.by:
        case Asked(request=request) if not names_whole_word(request.text, name):
            return Violation(f"the next request tells of {name!r}", "it does not", reaction.by)
        case Returned(outcome=outcome) if outcome.error:
            told = f"{outcome.error.type}: {outcome.error.message}"
            if not names_whole_word(told, name):
                return Violation(f"the error tells of {name!r}", f"it says {told}", reaction.by)
    return None


def _find_unrecorded_name(call: Record, name: str) -> Iterator[Violation]:
    """Yield the trajectory of a successful call that went on after an unknown tool, without the name of it."""
    for ended in call.events:
        if isinstance(ended, Returned) and ended.outcome.status == "ok":
            recorded = _list_recorded_tools(ended.outcome)
            if not any(names_whole_word(tool, name) for tool in recorded):
                expected = f"the trajectory names {name!r}, of a step that was taken"
                yield Violation(expected, f"it names {recorded}", ended, "TRJ-002")


def _list_recorded_tools(outcome: Outcome) -> list[str]:
    """Return the tools of the steps, or the whole trajectory where its form doesn't say which they are."""
    with suppress(UnreadableTrace):
        if tools := [as_text(step.parts["tool"]) for step in read_trace(outcome).steps if "tool" in step.parts]:
            return tools
    return [as_text(outcome.trajectory)]


def _is_to_be_told(name: ToolName) -> bool:
    """No name can't be told; and who finishes at `finish()` needn't speak of it."""
    return name.match in ("other letters", "unknown") and bool(name.bare) and FINISH not in name.bare.lower()
