"""The choice points, as observed: pure functions of an episode and its record.

Those that a reply leaves open are in `replies`; here are the others, and the table of all."""

from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from itertools import pairwise

from pydantic import JsonValue

from react_tck.dialects.fields import FINISH, REASONING
from react_tck.dialects.machina import machine_state
from react_tck.dialects.markup import as_text, is_encodable
from react_tck.dialects.reading import takes_submit
from react_tck.judges.choices import replies
from react_tck.judges.choices.replies import observe_schema_mismatch
from react_tck.model.episode import Episode
from react_tck.model.intent import BadArgs, CallTool, Finish
from react_tck.model.outcome import UnreadableTrace, read_trace
from react_tck.model.record import Asked, Event, Record, Resumed, Returned, ToolRan
from react_tck.model.requirement import variants_of
from react_tck.record.approvals import is_taken
from react_tck.record.reactions import is_last_step
from react_tck.record.turns import split_turns
from react_tck.record.values import EXACT, round_to_double
from react_tck.record.visibility import text_shows

Observer = Callable[[Episode, Record], str | None]

#: The choice that a manifest has a key of its own for.
DEFAULT_STEPS = "max-steps-default"


def observe_trajectory_format(_: Episode, record: Record) -> str | None:
    """How a successful call exposes its trajectory."""
    formats = {outcome.trajectory_format for outcome in record.outcomes if outcome.status == "ok"} - {"none"}
    return next(iter(formats)) if len(formats) == 1 else None


def observe_finish_recorded(_: Episode, record: Record) -> str | None:
    """Whether the step that chose `finish` is in the trajectory."""
    # What becomes of one with args is LOOP-010's affair.
    finished = [e for e in record.requests if isinstance(e.intent, Finish) and e.intent.thought and not e.intent.args]
    own = record.of_call(finished[0].invocation).outcomes if len(finished) == 1 else ()
    ended = [outcome for outcome in own if outcome.status == "ok"]
    if len(ended) != 1 or ended[0].trajectory_format == "none":
        return None
    intent, ask = finished[0].intent, finished[0].ask
    assert isinstance(intent, Finish)
    if ask and ask.fields[:1] == ("tool_name",):  # no thought was asked for
        return None
    others = (e.intent.thought for e in record.requests if isinstance(e.intent, CallTool | BadArgs))
    if text_shows(finished[0].request.text, intent.thought) or any(intent.thought in thought for thought in others):
        return None
    with suppress(UnreadableTrace):
        if any(step.parts.get("tool") == FINISH for step in read_trace(ended[0]).steps):
            return "yes"
    return "yes" if text_shows(as_text(ended[0].trajectory), intent.thought) else "no"


def observe_max_steps_default(episode: Episode, record: Record) -> str | None:
    """How many steps an LM that never finishes is given when nobody says how many."""
    case = episode.case
    endless = any(isinstance(step, CallTool) and step.sticky for step in episode.script.steps)
    limited = case.options.max_steps is not None or any(i.max_steps is not None for i in case.invocations)
    cut_off = any(asked.refusal for asked in record.requests)
    if not endless or limited or cut_off or len(record.outcomes) != 1:
        return None
    steps = sum(1 for asked in record.requests if asked.ask and asked.ask.phase == "step")
    # What fails at once, or right behind a reply, has crashed: its steps haven't run out.
    has_crashed = record.outcomes[0].status == "error" and (steps < 2 or isinstance(record.events[-2], Asked))
    return None if has_crashed else str(steps)


def observe_max_steps_zero(episode: Episode, record: Record) -> str | None:
    """What becomes of a loop that may take no step; who takes a single one, or knows no end, fails LOOP-004."""
    limits = {call.find_step_limit(episode.case.options) for call in episode.case.invocations}
    # A conversation has no state for it (CNV-005).
    if limits != {0} or episode.case.options.system == "conversation":
        return None
    if taken := [e for e in record.requests if e.ask and e.ask.phase == "step" and not e.attempt]:
        return "default" if len(taken) > len(episode.case.invocations) and not taken[-1].refusal else None
    if record.refusal or any(outcome.status == "error" for outcome in record.outcomes):
        # What fails once the LM was asked is no refusal; and inputs may be what is refused (ERR-017, SIG-007).
        takes = episode.case.signature.takes_inputs
        is_sure = all(is_encodable(call.inputs) and takes(call.inputs) for call in episode.case.invocations)
        return "refuse" if is_sure and not record.requests else None
    return "extract at once"


def observe_extraction(episode: Episode, record: Record) -> str | None:
    """Whether the extraction asks for reasoning first, or there is none because the outputs are submitted."""
    # A field of the user's own called so tells nothing.
    if episode.case.options.predictor is not None or any(f.name == REASONING for f in episode.case.signature.outputs):
        return None
    asks = [e.ask for e in record.requests if e.ask]
    phases = {ask.phase: ask for ask in asks}
    if _offers_submit(record):
        return "none (submit)"
    # Without a step before it, the answer may be all that the subject ever asks for.
    if len(phases) < 2:
        return None
    return "chain-of-thought" if REASONING in phases["extraction"].fields else "predict"


def observe_fallback(_: Episode, record: Record) -> str | None:
    """How a loop that could have submitted, and did not, gets its answer (TRN-006)."""
    last = record.requests[-1] if record.requests else None
    if last is None or last.ask is None or last.ask.phase != "extraction" or not _offers_submit(record):
        return None
    # A summary is no answer, and what didn't fit got none.
    if last.is_overflow or last.ask.fields == ("summary",):
        return None
    return "forced submit" if takes_submit(last) else "extract"


def _offers_submit(record: Record) -> bool:
    return any(map(takes_submit, record.requests))


def observe_tool_error(episode: Episode, record: Record) -> str | None:
    """What becomes of a tool that raises."""
    failed = next((i for i, e in enumerate(record.events) if isinstance(e, ToolRan) and e.error is not None), None)
    following = _find_event_after_turn(record, failed)
    if failed is None or following is None:
        return None
    if isinstance(following, Asked):
        return "observe"
    # What isn't its end leaves the call waiting for a person who never comes; that a response is refused is CNF-012's.
    since = record.events[failed : record.events.index(following, failed)]
    is_interrupted = any(isinstance(event, ToolRan) and event.interrupted for event in since)
    is_end = isinstance(following, Returned) and following.outcome.status == "error" and not is_interrupted
    is_refused = any(isinstance(event, Resumed) and not is_taken(event) for event in since)
    return "error" if is_end and not is_refused and not is_last_step(episode, record, failed) else None


def observe_steps_exhausted(episode: Episode, record: Record) -> str | None:
    """What follows when the steps run out on one that went well."""
    ran = next(
        (i for i, e in enumerate(record.events) if isinstance(e, ToolRan) and is_last_step(episode, record, i)), None
    )
    following = _find_event_after_turn(record, ran)
    if ran is None or following is None or any(isinstance(e, ToolRan) and _goes_wrong(e) for e in record.events[ran:]):
        return None
    match following:
        case Asked(ask=ask, refusal=None) if ask:
            return "extract" if ask.phase == "extraction" else None
        case Returned(outcome=outcome) if outcome.status in ("ok", "error"):
            return "error" if outcome.status == "error" else "last observation"
    return None


def _goes_wrong(run: ToolRan) -> bool:
    """Whether what came of a run ends some calls by itself: an error, an interruption, what no request can carry."""
    return run.error is not None or run.interrupted or not is_encodable(run.result)


def _find_event_after_turn(record: Record, run: int | None) -> Event | None:
    """What follows the turn of a tool run; further tools may have been called in it, and wait for a person."""
    later = record.events[run:] if run is not None else ()
    beside = zip((None, *later), later, (*later[1:], None), strict=False)
    return next((event for before, event, then in beside if not _is_of_turn(before, event, then)), None)


def _is_of_turn(before: Event | None, event: Event, following: Event | None) -> bool:
    # Who has refused a response waits for another one, which may never come.
    is_refusal = (isinstance(before, Resumed) and not is_taken(before)) or isinstance(following, Resumed)
    is_waiting = isinstance(event, Returned) and (event.outcome.status == "suspended" or is_refusal)
    return is_waiting or isinstance(event, ToolRan | Resumed)


def observe_step_adapter(episode: Episode, record: Record) -> str | None:
    """Whether steps and extraction are asked for in one dialect."""
    if any(call.adapter for call in episode.case.invocations):  # which may not have got as far as the same phases
        return None
    dialects = {
        phase: {e.ask.dialect for e in record.requests if e.ask and e.ask.phase == phase}
        for phase in ("step", "extraction")
    }
    # Which of them isn't the configured one's, where the extraction isn't, is for ADP-001 and ADP-002 to say.
    options = episode.case.options
    configured = options.module_adapter or options.adapter
    if configured and dialects["extraction"] != {configured}:
        return None
    # An adapter isn't what makes a step native.
    if not all(len(found) == 1 for found in dialects.values()) or dialects["step"] == {"native"}:
        return None
    if dialects["step"] == dialects["extraction"]:
        return "same as extraction"
    return "JSON only" if dialects["step"] == {"json"} else f"{next(iter(dialects['step']))} only"


def observe_first_state_finish(_: Episode, record: Record) -> str | None:
    """Whether a conversation may finish before any tool has run (S0)."""
    for asked, following in pairwise(record.requests):
        if isinstance(asked.intent, Finish) and machine_state(asked.request) == "user_query":
            return "legal" if machine_state(following.request) == "finish" else "illegal"
    return None


def observe_integer_range(_: Episode, record: Record) -> str | None:
    """Whether whole numbers that no double is reach a tool as they are."""
    for turn in split_turns(record) if any(isinstance(event, ToolRan) for event in record.events) else ():
        for call, run in turn.pair_runs() if turn.is_scripted else ():
            for name, given in call.args.items() if run else ():
                arrived = run.args.get(name) if run else None
                if not _is_beyond_doubles(given) or not isinstance(arrived, int | float):
                    continue
                return "any" if given == arrived else "53 bits"
    return None


def _is_beyond_doubles(value: JsonValue) -> bool:
    return isinstance(value, int) and abs(value) > EXACT and round_to_double(value) != value


OBSERVERS: dict[str, Observer] = {
    "unknown-tool": replies.observe_unknown_tool,
    "tool-name-matching": replies.observe_tool_name_matching,
    "malformed-args": replies.observe_malformed_args,
    "args-notation": replies.observe_args_notation,
    "empty-args": replies.observe_empty_args,
    "schema-mismatch": observe_schema_mismatch,
    "malformed-reply": replies.observe_malformed_reply,
    "repeated-field": replies.observe_repeated_field,
    "cut-off-answer": replies.observe_cut_off_answer,
    "lm-fault": replies.observe_lm_fault,
    "tool-error": observe_tool_error,
    "steps-exhausted": observe_steps_exhausted,
    "trajectory-format": observe_trajectory_format,
    "finish-recorded": observe_finish_recorded,
    DEFAULT_STEPS: observe_max_steps_default,
    "max-steps-zero": observe_max_steps_zero,
    "extraction": observe_extraction,
    "fallback": observe_fallback,
    "step-adapter": observe_step_adapter,
    "finish-from-first-state": observe_first_state_finish,
    "integer-range": observe_integer_range,
}


def observe_variants(plays: Iterable[tuple[Episode, Record]], names: Container[str] = OBSERVERS) -> dict[str, set[str]]:
    """The variants seen at each choice point of these names, at all of them unless it is told which matter."""
    seen: dict[str, set[str]] = {}
    for episode, record in plays:
        for name, observer in OBSERVERS.items():
            if name in names and (variant := observer(episode, record)):
                seen.setdefault(name, set()).update(variants_of(variant))
    return seen
