"""The choices that an LM's reply leaves open, as observed: pure functions of an episode and its record.

A variant is observed only where it is what decided: where the steps have run out, nothing but a further step tells
that the call goes on.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise

from jsonschema import Draft202012Validator

from react_tck.dialects.labels import plain_name
from react_tck.dialects.notations import is_nothing, is_plain_json, parse_certain_args, read_both_values
from react_tck.dialects.reading import takes_submit
from react_tck.fakes.malformed import Meant, both_readings, read_leniently, requirement_of
from react_tck.model.base import JsonObject
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, BadArgs, CallTool, Fault, FaultName, Finish, Garbled, Submit
from react_tck.model.record import Asked, Record, Returned, ToolRan
from react_tck.model.requirement import OR
from react_tck.model.tool import Tool
from react_tck.record.answers import is_cut_off, read_answer
from react_tck.record.reactions import Reaction, yield_reactions
from react_tck.record.turns import Turn
from react_tck.record.values import arrives_intact, coerce_args, fits_as_written, is_same_value
from react_tck.record.visibility import Match, hides_value, read_case_name, text_shows

#: The ways to go on that a choice names; a run or a success is none of them.
COURSES: Mapping[str, str] = {"observe": "observe", "extract": "extract", "error": "error"}
#: A variant of `schema-mismatch`; it says nothing of args that can't be made to fit.
COERCED = "coerce when lossless"
#: Faults that a repetition may mend, and for which no other requirement has a recovery.
PASSING: tuple[FaultName, ...] = ("rate-limit", "server-error", "timeout", "connection-reset")
#: What no repetition mends: it costs one request (ERR-026).
LASTING: tuple[FaultName, ...] = ("bad-request", "unauthorized", "forbidden")


def observe_unknown_tool(episode: Episode, record: Record) -> str | None:
    """What becomes of a step that names no tool there is."""
    variants = {**COURSES, "observe": "observe and continue"}
    return observe_course(episode, record, lambda asked: names_no_tool(episode, asked), variants)


def names_no_tool(episode: Episode, asked: Asked) -> bool:
    """Whether the reply is a step that names no tool there is (choice `unknown-tool`)."""
    call = asked.intent
    return isinstance(call, CallTool) and read_case_name(call.tool, episode.case).match == "unknown"


def observe_tool_name_matching(episode: Episode, record: Record) -> str | None:
    """Whether a near miss names the tool: quotes or blank space around the name, or other letters too."""
    taken: dict[Match, bool] = {}
    for told in yield_reactions(episode, record, lambda asked: _match_near_miss(episode, asked) is not None):
        match = _match_near_miss(episode, told.asked)
        if match and (told.course == "run" or _is_telling(told, COURSES)):
            taken[match] = told.course == "run"
    if taken.get("other letters"):
        return "case ignored"
    if taken.get("near miss") is False:
        return "exact"
    return "quotes and space ignored" if len(taken) > 1 else None


def _match_near_miss(episode: Episode, asked: Asked) -> Match | None:
    """How nearly a call names one of the user's tools, if that is all that is wrong with it."""
    call = asked.intent
    if not isinstance(call, CallTool):
        return None
    name = read_case_name(call.tool, episode.case)
    tool = map_tools(episode).get(name.tool or "")
    is_one = name.match in ("near miss", "other letters") and tool is not None and not tool.confirm
    return name.match if is_one and tool and fits_as_written(call.args, tool.parameters) else None


def observe_malformed_args(episode: Episode, record: Record) -> str | None:
    """What becomes of args that are no JSON object, however read."""
    return observe_course(episode, record, lambda asked: has_no_args(episode, asked), COURSES)


def has_no_args(episode: Episode, asked: Asked) -> bool:
    """Whether the reply calls a tool with args that are no JSON object, however read (choice `malformed-args`)."""
    call = asked.intent
    return isinstance(call, BadArgs) and call.tool in map_tools(episode) and Turn(asked, ()).reply_call is None


def observe_args_notation(episode: Episode, record: Record) -> str | None:
    """What becomes of args that are one certain value, but not in JSON."""

    def is_fault(asked: Asked) -> bool:
        written = asked.intent
        is_other = isinstance(written, BadArgs) and not (is_plain_json(written.text) or is_nothing(written.text))
        return is_other and _has_fitting_args(episode, asked)

    told = find_telling_reaction(episode, record, is_fault, {**COURSES, "run": ""})
    if told is None or not isinstance(told.by, ToolRan):
        return "JSON only" if told else None
    assert isinstance(told.asked.intent, BadArgs)
    parameters = map_tools(episode)[told.asked.intent.tool].parameters
    is_repaired = arrives_intact(parse_certain_args(told.asked.intent.text), told.by.args, parameters)
    return "repaired when certain" if is_repaired else None


def observe_empty_args(episode: Episode, record: Record) -> str | None:
    """What becomes of empty or `null` args where no parameter is required."""

    def is_fault(asked: Asked) -> bool:
        return isinstance(asked.intent, BadArgs) and is_nothing(asked.intent.text) and _has_fitting_args(episode, asked)

    variants = {"run": "empty object", "observe": "observe", "error": "error"}
    return observe_course(episode, record, is_fault, variants)


def _has_fitting_args(episode: Episode, asked: Asked) -> bool:
    """Whether nothing is wrong with these args but how they are written."""
    assert isinstance(asked.intent, BadArgs)
    tool, args = map_tools(episode).get(asked.intent.tool), parse_certain_args(asked.intent.text)
    return tool is not None and args is not None and fits_as_written(args, tool.parameters)


def observe_malformed_reply(episode: Episode, record: Record) -> str | None:
    """What becomes of a step that can't be read, and how often it is asked for again before.

    An adapter of the caller's choice may have retries of its own, or none; in a conversation nothing is asked again:
    what couldn't be read stays, and is spoken of (CNV-010).
    """
    case, options = episode.case, episode.case.options
    adapters = (options.adapter, options.module_adapter, *(invocation.adapter for invocation in case.invocations))
    if any(adapters) or options.system == "conversation":
        return None

    def is_fault(asked: Asked) -> bool:
        if not isinstance(asked.intent, Garbled) or asked.ask is None or _may_be_followed(asked.intent):
            return False
        return read_leniently(asked.intent, asked.ask) is None

    told = find_telling_reaction(episode, record, is_fault, COURSES)
    return f"retries {told.retries}, then {told.course}" if told else None


def _may_be_followed(garbled: Garbled) -> bool:
    """Whether what comes after the reply may be what it asks for: who takes it has read it, and tells nothing.

    So it is of one of two contradicting fields, and of an extraction after a `finish` with a field of another type.
    """
    is_finish = isinstance(garbled.meant, Finish) and requirement_of(garbled.form, "step") == "ERR-016"
    return garbled.form == "contradicted-field" or is_finish


def observe_repeated_field(episode: Episode, record: Record) -> str | None:
    """Which of two values counts when a field or key stands twice; in each dialect."""
    return (
        _observe_repeated_args(episode, record)
        or _observe_repeated_step(episode, record)
        or _observe_repeated_answer(record)
    )


def _observe_repeated_args(episode: Episode, record: Record) -> str | None:
    def is_fault(asked: Asked) -> bool:
        args = asked.intent
        return (
            isinstance(args, BadArgs) and read_both_values(args.text) is not None and _has_fitting_args(episode, asked)
        )

    told = find_telling_reaction(episode, record, is_fault, {**COURSES, "run": ""})
    if told is None or told.asked.ask is None:
        return None
    assert isinstance(told.asked.intent, BadArgs)
    both = read_both_values(told.asked.intent.text)
    if not isinstance(told.by, ToolRan) or both is None:
        return f"refused in {plain_name(told.asked.ask.dialect)}"
    which = next(
        (name for name, args in zip(("first", "last"), both, strict=True) if is_same_value(args, told.by.args)), None
    )
    return which and f"{which} in {plain_name(told.asked.ask.dialect)}"


def _observe_repeated_step(episode: Episode, record: Record) -> str | None:
    """By the first value the step calls a tool, by the last it finishes; who then extracts may have refused it too."""

    def is_fault(asked: Asked) -> bool:
        both = _read_both_values(asked)
        return both is not None and isinstance(both[1], Finish)

    told = find_telling_reaction(episode, record, is_fault, {"run": "first", "observe": "refused", "error": "refused"})
    if told is None or told.asked.ask is None:
        return None
    return f"{'first' if told.course == 'run' else 'refused'} in {plain_name(told.asked.ask.dialect)}"


def _read_both_values(asked: Asked) -> tuple[Meant, Meant | None] | None:
    """What is meant by either value of a field that stands twice in one reply; of two replies nobody declares which."""
    match asked:
        case Asked(intent=Garbled(form="contradicted-field") as garbled, ask=ask) if ask:
            return both_readings(garbled, ask)
    return None


def _observe_repeated_answer(record: Record) -> str | None:
    for asked, ended in pairwise(record.events):
        if not (isinstance(asked, Asked) and isinstance(ended, Returned) and asked.ask):
            continue
        first, last = _read_both_values(asked) or (None, None)
        if not isinstance(first, Answer | Submit):
            continue
        if ended.outcome.status == "error":
            # Where the last can't be read, who takes it refuses the reply too.
            if last is None:
                return None
            return f"refused in {plain_name(asked.ask.dialect)}"
        read = {"first": first.outputs}
        if isinstance(last, Answer | Submit):
            read["last"] = last.outputs
        which = next((name for name, outputs in read.items() if is_same_value(outputs, ended.outcome.outputs)), None)
        return which and f"{which} in {plain_name(asked.ask.dialect)}"
    return None


def observe_cut_off_answer(_: Episode, record: Record) -> str | None:
    """What becomes of an answer for which no tokens were left, as far as there is any of it."""
    for asked, following in pairwise(record.events):
        if not isinstance(asked, Asked) or not isinstance(following, Asked | Returned):
            continue
        is_success = isinstance(following, Returned) and following.outcome.status == "ok"
        # Where any text is an answer; else nobody can read it, and it says nothing that it is refused.
        if is_cut_off(asked) and is_success:
            return "returned"
        match asked.intent:
            case Garbled(form="truncated", cut=cut) if isinstance(read_answer(asked), Answer):
                if is_success:
                    return "returned"
                # Who reads by the letter refuses a reply without its last marker, whatever cut it off.
                if cut == 1:
                    return "refused"
    return None


def observe_lm_fault(episode: Episode, record: Record) -> str | None:
    """The recovery from a provider's failure in a step, and how often is asked again before."""

    def is_fault(asked: Asked) -> bool:
        return isinstance(asked.intent, Fault) and asked.intent.fault in PASSING

    told = find_telling_reaction(episode, record, is_fault, COURSES)
    if told is None or _begins_anew(record, told):
        return None
    if told.course != "error":
        return told.course
    # What was asked again because of an unreadable reply is another choice's affair.
    asked = [event for event in record.requests if event.invocation == told.asked.invocation]
    attempts = asked[: asked.index(told.asked) + 1][-told.retries - 1 :]
    retries = sum(map(is_fault, attempts)) - 1
    return f"retries {retries}, then error" if retries else "error"


def _begins_anew(record: Record, told: Reaction) -> bool:
    """Whether the next request has lost what the one that failed shows of a tool's run: no recovery does that."""
    if not isinstance(told.by, Asked):
        return False
    before, now = told.asked.request.text, told.by.request.text
    return any(text_shows(before, run.observation) and hides_value(now, run.observation) for run in record.tool_runs)


def map_tools(episode: Episode) -> Mapping[str, Tool]:
    """The tools of an episode by name."""
    return {tool.name: tool for tool in episode.case.tools}


def observe_course(
    episode: Episode, record: Record, is_fault: Callable[[Asked], bool], variants: Mapping[str, str]
) -> str | None:
    """The variants of all turns that tell one; None if none does."""
    telling = [each for each in yield_reactions(episode, record, is_fault) if _is_telling(each, variants)]
    if telling[1:] and any(map(takes_submit, record.requests)):
        # What came after the first may have been the submit that is forced where the steps break off (TRN-006).
        telling = [telling[0], *(each for each in telling[1:] if each.course != "error")]
    # Who observes the first may end the call at the second.
    return OR.join(dict.fromkeys(variants[each.course] for each in telling)) or None


def find_telling_reaction(
    episode: Episode, record: Record, is_fault: Callable[[Asked], bool], variants: Mapping[str, str]
) -> Reaction | None:
    """The first turn that tells the variant."""
    return next((a for a in yield_reactions(episode, record, is_fault) if _is_telling(a, variants)), None)


def _is_telling(told: Reaction, variants: Mapping[str, str]) -> bool:
    """Whether the variant is what decided: after the last step an extraction or an error tells nothing."""
    return told.course in variants and not (told.is_last_step and told.course in ("extract", "error"))


def observe_schema_mismatch(episode: Episode, record: Record) -> str | None:
    """What becomes of args that don't fit their schema, but could be made to without loss."""
    tools = map_tools(episode)

    def is_fault(asked: Asked) -> bool:
        call, made = asked.intent, _make_fit(episode, asked)
        if made is None or not isinstance(call, CallTool):
            return False
        # Who converts numbers need not read objects and lists from their text.
        is_read = any(isinstance(made[name], dict | list) and isinstance(call.args[name], str) for name in call.args)
        return _fits_schema(tools[call.tool], made) and not is_read

    told = find_telling_reaction(episode, record, is_fault, {**COURSES, "run": ""})
    if told is None or not isinstance(told.by, ToolRan):
        return told.course if told else None
    assert isinstance(told.asked.intent, CallTool)
    if is_same_value(told.by.args, told.asked.intent.args):
        return "passed as given"
    return COERCED if _fits_schema(tools[told.asked.intent.tool], told.by.args) else None


def observe_unfit_args(episode: Episode, record: Record) -> str | None:
    """What becomes of args that can't be made to fit their schema: who makes others fit may do the one or the other."""
    tools = map_tools(episode)

    def is_fault(asked: Asked) -> bool:
        call, made = asked.intent, _make_fit(episode, asked)
        return made is not None and isinstance(call, CallTool) and not _fits_schema(tools[call.tool], made)

    return observe_course(episode, record, is_fault, COURSES)


def _make_fit(episode: Episode, asked: Asked) -> JsonObject | None:
    """The args of a call that don't fit their schema, with those converted that can be; None if they fit."""
    call = asked.intent
    tool = map_tools(episode).get(call.tool) if isinstance(call, CallTool) else None
    if not isinstance(call, CallTool) or tool is None or _fits_schema(tool, call.args):
        return None
    return coerce_args(call.args, tool.parameters)


def _fits_schema(tool: Tool, args: JsonObject) -> bool:
    return Draft202012Validator(tool.parameters).is_valid(args)
