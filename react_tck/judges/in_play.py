"""Which requirements an episode put to the test: those that a judge would have named if the subject had broken them."""

from collections.abc import Callable, Iterator, Mapping

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from react_tck.dialects.fields import FINISH
from react_tck.dialects.markup import is_encodable
from react_tck.fakes.malformed import requirement_of
from react_tck.judges.choices.replies import LASTING
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.errors import has_wrong_inputs
from react_tck.judges.seen import Response, Seen
from react_tck.judges.tool_args import nothing_forbids
from react_tck.judges.trajectories import has_run_out, owes_trajectory
from react_tck.model.case import System
from react_tck.model.intent import Answer, BadArgs, Calls, Empty, Fault, Finish, Garbled, Raw, Submit
from react_tck.model.record import Asked
from react_tck.model.signature import Form
from react_tck.model.tool import Reads
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.turns import Turn
from react_tck.record.values import strip_texts, unify_line_ends
from react_tck.record.visibility import read_case_name

Rule = Callable[[Seen], bool]

_BROKEN = (Garbled, Raw, Empty)


def find_tested_requirements(evidence: Evidence) -> frozenset[str]:
    """Return the ids of the requirements that the episode put to the test."""
    seen = Seen(evidence)
    return frozenset(requirement_id for requirement_id, rule in RULES.items() if rule(seen))


#: By the part of an id before the hyphen.
_SANITIZER = "SAN-"


def find_tested_sanitizers(evidence: Evidence) -> frozenset[str]:
    """Return the ids of the sanitizers that the episode put to the test; of SAN-009 its second play tells."""
    seen = Seen(evidence)
    return frozenset(
        id_ for id_, rule in RULES.items() if id_.startswith(_SANITIZER) and (id_ == DETERMINISM or rule(seen))
    )


def _describes_outputs(form: Form) -> Rule:
    return lambda seen: seen.describes_outputs(form) and bool(seen.list_requests("extraction"))


def _steps_ran_out(seen: Seen) -> bool:
    return any(scene.used_up_its_steps for scene in seen.scenes)


def _own_limit_ran_out(seen: Seen) -> bool:
    limited = (scene for scene in seen.scenes if scene.invocation.max_steps is not None)
    return any(scene.used_up_its_steps for scene in limited)


def _was_shown(seen: Seen) -> bool:
    """Tell whether the LM was asked again after a tool had run."""
    events = seen.evidence.record.events
    first = next((index for index, event in enumerate(events) if event in seen.runs), len(events))
    return any(isinstance(event, Asked) for event in events[first:])


def _name_is(*matches: str) -> Rule:
    return lambda seen: any(read_case_name(call.tool, scene.case).match in matches for scene, call in seen.calls)


def _has_unfit_call(seen: Seen) -> bool:
    return any(call.tool in scene.tools and not nothing_forbids(scene, call) for scene, call in seen.calls)


def _has_fitting_call(seen: Seen) -> bool:
    return any(call.tool in scene.tools and nothing_forbids(scene, call) for scene, call in seen.calls)


def _needs_a_person(seen: Seen) -> bool:
    return any(call.tool in scene.tools and scene.tools[call.tool].confirm for scene, call in seen.calls)


def _has_response(*responses: Response) -> Rule:
    return lambda seen: bool(seen.responses & set(responses))


def _has_adapter_setting(seen: Seen, *, of_the_module: bool, of_all: bool) -> bool:
    options = seen.evidence.episode.case.options
    is_so = (options.module_adapter is not None, options.adapter is not None) == (of_the_module, of_all)
    return options.system in (None, "transcript") and is_so and bool(seen.list_requests("extraction"))


def _has_trajectory(seen: Seen, *, for_want_of_steps: bool) -> bool:
    """Tell whether a call gave a trajectory to be held against what happened."""
    calls = [scene for scene in seen.scenes if scene.record.outcomes and scene.record.outcomes[-1].status == "ok"]
    told = (scene for scene in calls if has_run_out(scene) is for_want_of_steps)
    return any(scene.record.tool_runs for scene in told)


def _is_retyped(asked: Asked) -> bool:
    return isinstance(asked.intent, Garbled) and requirement_of(asked.intent.form, "step") == "ERR-016"


def _list_inputs(seen: Seen) -> Iterator[JsonValue]:
    return (value for scene in seen.scenes for value in scene.invocation.inputs.values())


def _is_indented(value: JsonValue) -> bool:
    return isinstance(value, str) and value != value.strip()


def _has_rewritable_output(asked: Asked) -> bool:
    said = asked.intent
    return isinstance(said, Answer | Submit) and strip_texts(unify_line_ends(said.outputs)) != said.outputs


def _list_texts(seen: Seen) -> Iterator[JsonValue]:
    yield from _list_inputs(seen)
    yield from (run.observation for run in seen.runs)


def _has_submit(seen: Seen, *, fits: bool) -> bool:
    submits = ((scene, turn) for scene, turn in seen.turns if isinstance(turn.asked and turn.asked.intent, Submit))
    return any(_fits_signature(scene, turn) is fits for scene, turn in submits)


def _fits_signature(scene: Scene, turn: Turn) -> bool:
    given = turn.reply_calls[0].args
    fields = scene.case.signature.outputs
    valid = (f.name in given and Draft202012Validator(f.json_schema).is_valid(given[f.name]) for f in fields)
    return set(given) == {field.name for field in fields} and all(valid)


def _applies_to_system(system: System | None, rule: Rule = lambda _: True) -> Rule:
    return lambda seen: seen.evidence.episode.case.options.system == system and rule(seen)


def _says_finish(seen: Seen) -> bool:
    return any(call.tool == FINISH for _, turn in seen.turns for call in turn.reply_calls)


def _has_follow_up(seen: Seen) -> bool:
    return any(scene.invocation.follows is not None and scene.record.requests for scene in seen.scenes)


def _begins_anew(seen: Seen) -> bool:
    """Tell whether a call that is given no history comes after one in which a tool ran."""
    later = (scene for scene in seen.scenes if not scene.is_given_a_history and scene.record.requests)
    is_plain = seen.evidence.episode.case.options.system != "conversation"
    return is_plain and any(run.invocation < scene.number for scene in later for run in seen.runs)


def _has_earlier_turns(seen: Seen) -> bool:
    return any(scene.invocation.history for scene in seen.scenes) and bool(seen.list_requests("extraction"))


def _count_suspensions(seen: Seen) -> int:
    return sum(outcome.suspension is not None for outcome in seen.evidence.record.outcomes)


def _was_asked_twice(seen: Seen) -> bool:
    return len(seen.evidence.record.requests) > 1


def _failed_for_good(seen: Seen) -> bool:
    said = (asked.intent for asked in seen.evidence.record.requests)
    return any(isinstance(intent, Fault) and intent.fault in LASTING for intent in said)


def _is_held_against(requirement_id: str) -> Rule:
    return lambda seen: any(each.requirement_id == requirement_id for each in seen.evidence.counterparts)


#: By id: whether an episode put the requirement to the test. What isn't here no judge can name: it is the scenarios'.
RULES: Mapping[str, Rule] = {
    **{id_: _is_held_against(id_) for id_ in ("ASY-001", "CNF-008", "ISO-002", "SAV-002", "TRN-010")},
    **dict.fromkeys(("CNF-006", "CNF-013", "CNF-014"), _has_response("edit")),
    **dict.fromkeys(("LOOP-006", "SAN-001", "STEP-004"), lambda seen: bool(seen.list_requests("step"))),
    **dict.fromkeys(("TOOL-007", "TRN-013"), lambda seen: seen.has_reply("step", Calls)),
    **dict.fromkeys(("ERR-005", "ERR-019"), lambda seen: seen.has_reply("step", *_BROKEN)),
    **dict.fromkeys(("TRN-008", "TRN-017"), _applies_to_system("transcript", _has_follow_up)),
    "LOOP-003": lambda seen: seen.has_reply("step", Finish),
    "LOOP-004": _steps_ran_out,
    **dict.fromkeys(("LOOP-002", "LOOP-005"), lambda seen: len(seen.runs) > 1),
    "LOOP-009": _own_limit_ran_out,
    "SIG-008": _describes_outputs(Form.VALUE),
    "SIG-009": _describes_outputs(Form.CLASS),
    "SIG-007": lambda seen: any(map(has_wrong_inputs, seen.scenes)),
    "EXT-001": lambda seen: seen.has_reply("step", Finish),
    **dict.fromkeys(("EXT-002", "EXT-003"), lambda seen: seen.has_reply("extraction", Answer)),
    "STEP-003": _applies_to_system(None, lambda seen: bool(seen.list_requests("step"))),
    "STEP-005": lambda seen: seen.asks_with_instructions("step"),
    "EXT-005": lambda seen: seen.asks_with_instructions("extraction"),
    "ADP-001": lambda seen: _has_adapter_setting(seen, of_the_module=False, of_all=True),
    "ADP-002": lambda seen: any(
        _has_adapter_setting(seen, of_the_module=True, of_all=it_is) for it_is in (True, False)
    ),
    "ADP-003": lambda seen: _has_adapter_setting(seen, of_the_module=False, of_all=False),
    "ADP-005": lambda seen: (
        any(scene.invocation.adapter for scene in seen.scenes) and bool(seen.list_requests("extraction"))
    ),
    "TRJ-001": lambda seen: any(map(owes_trajectory, seen.scenes)),
    "TRJ-002": lambda seen: _has_trajectory(seen, for_want_of_steps=False),
    "TRJ-005": lambda seen: seen.tells_of_runs and seen.has_overflow,
    "TRJ-007": lambda seen: any(_has_trajectory(seen, for_want_of_steps=it_is) for it_is in (True, False)),
    "TOOL-003": lambda seen: any(run.error is None for run in seen.runs),
    "TOOL-009": lambda seen: any(Reads() in seen.evidence.episode.behaviours.get(run.tool, ()) for run in seen.runs),
    "TOOL-011": lambda seen: any(tool.defaults for tool in seen.tools) and bool(seen.list_requests("step")),
    "ERR-001": _name_is("unknown", "near miss"),
    **dict.fromkeys(("ERR-002", "ERR-003", "ERR-021"), lambda seen: seen.has_reply("step", BadArgs)),
    "ERR-004": _has_unfit_call,
    "ERR-006": lambda seen: any(asked.attempt for asked in seen.evidence.record.requests),
    "ERR-007": lambda seen: any(run.error is not None for run in seen.runs),
    "ERR-008": lambda seen: any(seen.has_reply(phase, *_BROKEN, BadArgs, Fault) for phase in ("step", "extraction")),
    **dict.fromkeys(("ERR-010", "SAN-002"), lambda seen: bool(seen.runs)),
    "ERR-011": lambda seen: seen.has_reply("extraction", *_BROKEN),
    "ERR-012": lambda seen: seen.has_reply("step", Fault) or seen.has_reply("extraction", Fault),
    "ERR-013": lambda seen: _has_trajectory(seen, for_want_of_steps=True),
    "ERR-015": lambda seen: any(run.interrupted for run in seen.runs),
    "ERR-016": lambda seen: any(_is_retyped(asked) for asked in seen.list_requests("step")),
    "ERR-028": _name_is("unknown"),
    "ERR-017": lambda seen: not all(map(is_encodable, _list_texts(seen))),
    "ERR-020": lambda seen: seen.has_reply("step", *_BROKEN) or _name_is("unknown", "near miss")(seen),
    "ERR-022": lambda seen: seen.tells_of_runs and any(_is_indented(run.observation) for run in seen.runs),
    "ERR-023": lambda seen: seen.has_outcome("ok") and any(map(_has_rewritable_output, seen.evidence.record.requests)),
    "ERR-024": lambda seen: bool(seen.responses) and any(_is_indented(value) for value in _list_inputs(seen)),
    "ERR-025": lambda seen: bool(seen.runs) and (seen.has_reply("step", Fault) or seen.has_reply("extraction", Fault)),
    "ERR-026": _failed_for_good,
    "ISO-001": _begins_anew,
    "HIS-001": _has_earlier_turns,
    "HIS-003": lambda seen: any(scene.invocation.history for scene in seen.scenes),
    **dict.fromkeys(("CNV-001", "CNV-002", "CNV-003", "CNV-005"), _applies_to_system("conversation", _was_asked_twice)),
    "CNV-006": _applies_to_system("conversation", lambda seen: bool(seen.runs) and _steps_ran_out(seen)),
    "CNV-007": _applies_to_system("conversation", lambda seen: bool(seen.evidence.record.requests)),
    "CNV-009": _applies_to_system("conversation", _has_follow_up),
    "CNV-013": _applies_to_system("conversation", lambda seen: seen.has_reply("step", Finish)),
    "TRN-001": _applies_to_system("transcript", lambda seen: bool(seen.runs) and seen.has_outcome("ok")),
    "TRN-002": _applies_to_system("transcript", _says_finish),
    "TRN-003": lambda seen: _has_submit(seen, fits=True),
    "TRN-005": lambda seen: _has_submit(seen, fits=False),
    "TRN-004": _applies_to_system("transcript", lambda seen: seen.has_outcome("ok")),
    "TRN-006": _applies_to_system(
        "transcript", lambda seen: seen.has_outcome("ok") and bool(seen.list_requests("extraction"))
    ),
    "TRN-007": _applies_to_system("transcript", lambda seen: seen.tells_of_runs),
    "TRN-014": _applies_to_system("transcript", lambda seen: seen.has_overflow and seen.has_outcome("ok")),
    "TRN-015": lambda seen: seen.has_reply("step", Calls) and _has_submit(seen, fits=True),
    "TRN-016": _applies_to_system("transcript", lambda seen: seen.has_image),
    "CNF-001": _needs_a_person,
    "CNF-002": lambda seen: _count_suspensions(seen) > 0 and _needs_a_person(seen),
    "CNF-003": _has_response("yes"),
    "CNF-004": _has_response("no"),
    "CNF-005": _has_response("feedback"),
    "CNF-007": lambda seen: _count_suspensions(seen) > 1,
    "CNF-009": lambda seen: bool(seen.responses) and bool(seen.runs),
    "CNF-011": _has_response("answer"),
    "CNF-012": _has_response("refused"),
    "CNF-015": lambda seen: _needs_a_person(seen) and bool(seen.responses),
    "CNF-016": lambda seen: bool(seen.evidence.record.asking_tools),
    "UDS-001": _applies_to_system("udspy", lambda seen: seen.has_outcome("ok")),
    "UDS-002": _applies_to_system("udspy", lambda seen: any(run.error is not None for run in seen.runs)),
    **dict.fromkeys(("CTX-001", "CTX-002"), lambda seen: seen.has_overflow),
    **dict.fromkeys(("ISO-003", "SAN-006", "SAN-010", "SAN-012"), lambda seen: seen.is_over),
    "SAN-003": _has_fitting_call,
    "SAN-004": _was_shown,
    "SAN-007": lambda seen: seen.has_outcome("ok"),
    "SAN-008": lambda seen: bool(seen.evidence.record.requests),
    "SAN-009": lambda seen: seen.evidence.replayed is not None,
    "SAN-013": lambda seen: any(
        message.tool_calls or message.role == "tool"
        for asked in seen.evidence.record.requests
        for message in asked.request.messages
    ),
    "SAN-011": lambda seen: any(tool.parameter_names for tool in seen.tools) and bool(seen.list_requests("step")),
    "OBS-001": lambda seen: seen.evidence.record.heard is not None,
}
