"""Violations that show only where two things meet, of which a variation brings one: scenarios alone don't find them."""

from react_tck.prove.mutants.operators.crossings import (
    LONG,
    NotesLoading,
    as_mapping,
    blank_without_tools,
    count_calls,
    crossing,
    finishes_at_marks,
    goes_on_after_finish,
    has_history,
    has_two_kinds_of_outputs,
    in_json,
    in_xml,
    is_called_again,
    is_loaded,
    is_resumed_elsewhere,
    is_resumed_here,
    is_summarised,
    met_concurrent_end,
    note_concurrent_ends,
    note_unreadable,
    of_known_tools,
    rounded,
    showing,
    without_failures,
    without_instructions,
    without_last,
)
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import args_changed, if_text
from react_tck.prove.mutants.operators.runs import (
    before,
    event_changed,
    first_call_alone,
    is_async,
    on_request,
    when,
)
from react_tck.prove.mutants.operators.views import outputs_changed, reading, steps_retold, writing

MUTANTS = {
    "summarised-run-takes-one-call": crossing(
        "TRN-013",
        "Runs the first call of each turn alone, once the run was summarised.",
        perform=when(is_summarised, event_changed(first_call_alone)),
    ),
    "cut-prompts-hide-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, once steps were left out of a prompt.",
        prompt=when(lambda site: site.state.left_out > 0, showing("step", without_failures)),
    ),
    "async-unknown-tool-not-recorded": crossing(
        "TRJ-002",
        "Leaves the steps that name an unknown tool out of the trajectory, if awaited.",
        prediction=when(is_async, steps_retold(of_known_tools)),
    ),
    "async-extraction-without-instructions": crossing(
        "EXT-005",
        "Asks for the answer without the signature's instructions, if awaited.",
        adapter=when(is_async, by_trajectory(on_request("extraction", writing(without_instructions)))),
    ),
    "history-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, where there is a history.",
        prompt=when(has_history, showing("step", without_failures)),
    ),
    "history-answers-blank-without-tools": crossing(
        "LOOP-007",
        "Gives empty outputs where the first step finishes, if there is a history.",
        prediction=when(has_history, outputs_changed(blank_without_tools)),
    ),
    "second-call-goes-on-after-finish": crossing(
        "LOOP-010",
        "Doesn't take `finish` with args for `finish` in the second call of an instance.",
        begin=count_calls,
        advance=when(is_called_again, before(goes_on_after_finish)),
    ),
    "second-call-rounds-args": crossing(
        "TOOL-001",
        "Hands on rounded numbers in the second call of an instance.",
        begin=count_calls,
        args=when(is_called_again, args_changed(rounded)),
    ),
    "second-call-without-instructions": crossing(
        "STEP-005",
        "Asks for a step without the signature's instructions in the second call of an instance.",
        begin=count_calls,
        adapter=when(is_called_again, by_trajectory(on_request("step", writing(without_instructions)))),
    ),
    "json-hands-on-mappings": crossing(
        "TOOL-009",
        "Hands on a mapping in the place of a model, where JSON is asked for.",
        args=when(in_json, args_changed(as_mapping)),
    ),
    "xml-cuts-args": crossing(
        "ERR-010",
        "Hands on the beginning of a long text, where XML is asked for.",
        args=when(in_xml, args_changed(if_text(lambda text: text[:LONG]))),
    ),
    "unreadable-reply-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, once a reply couldn't be read.",
        adapter=reading(note_unreadable),
        prompt=when(lambda site: "unreadable" in site.memory, showing("step", without_failures)),
    ),
    "unknown-tool-finishes-at-marks": crossing(
        "ERR-028",
        "Takes an unknown tool for `finish`, where the thought has the mark of a final answer.",
        advance=before(finishes_at_marks),
    ),
    "two-kinds-of-outputs-lose-the-last-step": crossing(
        "EXT-001",
        "Extracts a text and a mapping without the last step, where the steps have run out.",
        prompt=when(
            lambda site: has_two_kinds_of_outputs(site) and not site.state.finished,
            showing("extraction", without_last),
        ),
    ),
    "loaded-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, once a saved state was loaded.",
        mixin=NotesLoading,
        prompt=when(is_loaded, showing("step", without_failures)),
    ),
    "loaded-unknown-tool-not-recorded": crossing(
        "TRJ-002",
        "Leaves the steps that name an unknown tool out of the trajectory, once a saved state was loaded.",
        mixin=NotesLoading,
        prediction=when(is_loaded, steps_retold(of_known_tools)),
    ),
    "loaded-rounds-args": crossing(
        "TOOL-001",
        "Hands on rounded numbers, once a saved state was loaded.",
        mixin=NotesLoading,
        args=when(is_loaded, args_changed(rounded)),
    ),
    "concurrent-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, where another call has ended since this one began.",
        run=note_concurrent_ends,
        prompt=when(met_concurrent_end, showing("step", without_failures)),
    ),
    "concurrent-goes-on-after-finish": crossing(
        "LOOP-010",
        "Doesn't take `finish` with args for `finish`, where another call has ended since this one began.",
        run=note_concurrent_ends,
        advance=when(met_concurrent_end, before(goes_on_after_finish)),
    ),
    "resumed-elsewhere-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, once another instance has resumed the call.",
        begin=count_calls,
        prompt=when(is_resumed_elsewhere, showing("step", without_failures)),
    ),
    "resumed-here-hands-on-mappings": crossing(
        "TOOL-009",
        "Hands on a mapping in the place of a model, once the instance itself has resumed the call.",
        begin=count_calls,
        args=when(is_resumed_here, args_changed(as_mapping)),
    ),
    "resumed-elsewhere-hands-on-mappings": crossing(
        "TOOL-009",
        "Hands on a mapping in the place of a model, once another instance has resumed the call.",
        begin=count_calls,
        args=when(is_resumed_elsewhere, args_changed(as_mapping)),
    ),
    "async-rounds-args": crossing(
        "TOOL-001", "Hands on rounded numbers, if awaited.", args=when(is_async, args_changed(rounded))
    ),
    "json-unknown-tool-not-recorded": crossing(
        "TRJ-002",
        "Leaves the steps that name an unknown tool out of the trajectory, where JSON is asked for.",
        prediction=when(in_json, steps_retold(of_known_tools)),
    ),
    "xml-hands-on-mappings": crossing(
        "TOOL-009",
        "Hands on a mapping in the place of a model, where XML is asked for.",
        args=when(in_xml, args_changed(as_mapping)),
    ),
    "second-call-answers-blank-without-tools": crossing(
        "LOOP-007",
        "Gives empty outputs where the first step finishes, in the second call of an instance.",
        begin=count_calls,
        prediction=when(is_called_again, outputs_changed(blank_without_tools)),
    ),
    "history-rounds-args": crossing(
        "TOOL-001", "Hands on rounded numbers, where there is a history.", args=when(has_history, args_changed(rounded))
    ),
}
