"""The choice points, as observed: pure functions of an episode and its record."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from react_tck.dialects import takes_submit
from react_tck.dialects.machina import machine_state
from react_tck.fakes.malformed.reading import reading
from react_tck.model.episode import Episode
from react_tck.model.intent import BadArgs, CallTool, Finish, Garbled, Submit
from react_tck.model.record import Asked, Event, Record, Resumed, Returned, ToolRan
from react_tck.model.tool import Tool
from react_tck.record.reactions import Reaction, reactions
from react_tck.record.tool_names import read_case_name
from react_tck.record.turns import Turn, turns
from react_tck.record.values import EXACT, coerced, rounded

Observer = Callable[[Episode, Record], str | None]

#: The ways to go on that a choice names; a run or a success is none of them.
_COURSES: Mapping[str, str] = {"observe": "observe", "extract": "extract", "error": "error"}


def unknown_tool(episode: Episode, record: Record) -> str | None:
    """What becomes of a step that names no tool there is."""

    def is_fault(asked: Asked) -> bool:
        call = asked.intent
        return isinstance(call, CallTool) and read_case_name(call.tool, episode.case).match == "unknown"

    return _course(episode, record, is_fault, {**_COURSES, "observe": "observe and continue"})


def malformed_args(episode: Episode, record: Record) -> str | None:
    """What becomes of args that are no JSON object, however read."""
    tools = _tools(episode)

    def is_fault(asked: Asked) -> bool:
        return isinstance(asked.intent, BadArgs) and asked.intent.tool in tools and Turn(asked, ()).call is None

    return _course(episode, record, is_fault, _COURSES)


def schema_mismatch(episode: Episode, record: Record) -> str | None:
    """What becomes of args that don't fit their schema, but could be made to without loss."""
    tools = _tools(episode)

    def is_fault(asked: Asked) -> bool:
        call = asked.intent
        if not isinstance(call, CallTool) or call.tool not in tools:
            return False
        fits = Draft202012Validator(tools[call.tool].parameters).is_valid
        return not fits(call.args) and fits(coerced(call.args, tools[call.tool].parameters))

    return _course(episode, record, is_fault, {**_COURSES, "run": "coerce when lossless"})


def malformed_reply(episode: Episode, record: Record) -> str | None:
    """What becomes of a step that can't be read, and how often it is asked for again before."""

    def is_fault(asked: Asked) -> bool:
        # Who takes one of two contradicting fields has read it: what follows tells nothing.
        if not isinstance(asked.intent, Garbled) or asked.ask is None or asked.intent.form == "contradicted-field":
            return False
        return reading(asked.intent, asked.ask) is None

    told = _told(episode, record, is_fault, _COURSES)
    return f"retries {told.retries}, then {told.course}" if told else None


def trajectory_format(_: Episode, record: Record) -> str | None:
    """How a successful call exposes its trajectory."""
    formats = {outcome.trajectory_format for outcome in record.outcomes if outcome.status == "ok"}
    return next(iter(formats)) if len(formats) == 1 else None


def finish_recorded(_: Episode, record: Record) -> str | None:
    """Whether the step that chose `finish` is in the trajectory."""
    finished = [e for e in record.requests if isinstance(e.intent, Finish) and e.intent.thought]
    ended = [outcome for outcome in record.outcomes if outcome.status == "ok"]
    if len(finished) != 1 or len(ended) != 1 or ended[0].trajectory_format == "none":
        return None
    intent, ask = finished[0].intent, finished[0].ask
    assert isinstance(intent, Finish)
    if ask and ask.fields[:1] == ("tool_name",):  # no thought was asked for
        return None
    return "yes" if intent.thought in str(ended[0].trajectory) else "no"


def max_steps_default(episode: Episode, record: Record) -> str | None:
    """How many steps an LM that never finishes is given when nobody says how many."""
    case = episode.case
    endless = any(isinstance(step, CallTool) and step.sticky for step in episode.script.steps)
    limited = case.options.max_steps is not None or any(i.max_steps is not None for i in case.invocations)
    cut_off = any(asked.refusal for asked in record.requests)
    if not endless or limited or cut_off or len(record.outcomes) != 1:
        return None
    return str(sum(1 for asked in record.requests if asked.ask and asked.ask.phase == "step"))


def max_steps_zero(episode: Episode, record: Record) -> str | None:
    """What becomes of a loop that may take no step."""
    # A conversation has no state for it (CNV-005).
    if episode.case.options.max_steps != 0 or episode.case.options.system == "conversation":
        return None
    refused = record.refusal or any(outcome.status == "error" for outcome in record.outcomes)
    return "refuse" if refused else "extract at once"


def extraction(episode: Episode, record: Record) -> str | None:
    """Whether the extraction asks for reasoning first, or there is none because the outputs are submitted."""
    if episode.case.options.predictor is not None:
        return None
    asks = [e.ask for e in record.requests if e.ask]
    phases = {ask.phase: ask for ask in asks}
    if _submits(record):
        return "none (submit)"
    # Without a step before it, the answer may be all that the subject ever asks for.
    if len(phases) < 2:
        return None
    return "chain-of-thought" if "reasoning" in phases["extraction"].fields else "predict"


def fallback(_: Episode, record: Record) -> str | None:
    """How a loop that could have submitted, and did not, gets its answer (TRN-006)."""
    last = record.requests[-1] if record.requests else None
    if last is None or last.ask is None or last.ask.phase != "extraction" or not _submits(record):
        return None
    return "forced submit" if isinstance(last.intent, Submit) else "extract"


def _submits(record: Record) -> bool:
    return any(e.ask and takes_submit(e.request, e.ask) for e in record.requests)


def tool_error(_: Episode, record: Record) -> str | None:
    """What becomes of a tool that raises."""
    failed = [i for i, e in enumerate(record.events) if isinstance(e, ToolRan) and e.error is not None]
    # Further tools may have been called in the same turn, and wait for a person.
    later = [event for event in record.events[failed[0] :] if not _is_of_turn(event)] if failed else []
    return ("observe" if isinstance(later[0], Asked) else "error") if later else None


def _is_of_turn(event: Event) -> bool:
    is_suspended = isinstance(event, Returned) and event.outcome.status == "suspended"
    return is_suspended or isinstance(event, ToolRan | Resumed)


def step_adapter(_: Episode, record: Record) -> str | None:
    """Whether steps and extraction are asked for in one dialect."""
    dialects = {
        phase: {e.ask.dialect for e in record.requests if e.ask and e.ask.phase == phase}
        for phase in ("step", "extraction")
    }
    if not all(len(found) == 1 for found in dialects.values()):
        return None
    if dialects["step"] == {"native"}:
        return None  # an adapter isn't what makes a step native
    same = dialects["step"] == dialects["extraction"]
    return "same as extraction" if same else f"{next(iter(dialects['step']))} only"


def finish_from_first_state(_: Episode, record: Record) -> str | None:
    """Whether a conversation may finish before any tool has run (S0)."""
    for asked, following in pairwise(record.requests):
        if isinstance(asked.intent, Finish) and machine_state(asked.request) == "user_query":
            return "legal" if machine_state(following.request) == "finish" else "illegal"
    return None


def integer_range(_: Episode, record: Record) -> str | None:
    """Whether whole numbers that no double is reach a tool as they are."""
    for turn in turns(record) if any(isinstance(event, ToolRan) for event in record.events) else ():
        for call, run in turn.taken() if turn.is_scripted else ():
            for name, given in call.args.items() if run else ():
                arrived = run.args.get(name) if run else None
                if not _is_beyond_doubles(given) or not isinstance(arrived, int | float):
                    continue
                return "any" if given == arrived else "53 bits"
    return None


def _is_beyond_doubles(value: JsonValue) -> bool:
    return isinstance(value, int) and abs(value) > EXACT and rounded(value) != value


OBSERVERS: dict[str, Observer] = {
    "unknown-tool": unknown_tool,
    "malformed-args": malformed_args,
    "schema-mismatch": schema_mismatch,
    "malformed-reply": malformed_reply,
    "tool-error": tool_error,
    "trajectory-format": trajectory_format,
    "finish-recorded": finish_recorded,
    "max-steps-default": max_steps_default,
    "max-steps-zero": max_steps_zero,
    "extraction": extraction,
    "fallback": fallback,
    "step-adapter": step_adapter,
    "finish-from-first-state": finish_from_first_state,
    "integer-range": integer_range,
}


def observe(plays: Iterable[tuple[Episode, Record]]) -> dict[str, set[str]]:
    """The variants seen at each choice point."""
    seen: dict[str, set[str]] = {}
    for episode, record in plays:
        for name, observer in OBSERVERS.items():
            if variant := observer(episode, record):
                seen.setdefault(name, set()).add(variant)
    return seen


def agrees(declared: str, observed: Iterable[str]) -> bool:
    """Whether nothing was observed but what is declared, of which there may be several with `, or ` between them."""
    return set(observed) <= set(declared.split(", or "))


def _tools(episode: Episode) -> Mapping[str, Tool]:
    return {tool.name: tool for tool in episode.case.tools}


def _course(
    episode: Episode, record: Record, is_fault: Callable[[Asked], bool], variants: Mapping[str, str]
) -> str | None:
    told = _told(episode, record, is_fault, variants)
    return variants[told.course] if told else None


def _told(
    episode: Episode, record: Record, is_fault: Callable[[Asked], bool], variants: Mapping[str, str]
) -> Reaction | None:
    """The first turn that tells the variant; after the last step an extraction tells nothing."""
    found = (a for a in reactions(episode, record, is_fault) if a.course in variants)
    return next((a for a in found if not (a.course == "extract" and a.is_last_step)), None)
