"""What becomes of args that don't fit their schema, as observed: of those that could be made to fit, and of others."""

from jsonschema import Draft202012Validator

from react_tck.judges.choices.replies import COURSES, find_telling_reaction, map_tools, observe_course
from react_tck.model.base import JsonObject
from react_tck.model.episode import Episode
from react_tck.model.intent import CallTool
from react_tck.model.record import Asked, Record, ToolRan
from react_tck.model.tool import Tool
from react_tck.record.values import coerce_args, is_same_value

#: A variant of `schema-mismatch`; it says nothing of args that can't be made to fit.
COERCED = "coerce when lossless"


def observe_schema_mismatch(episode: Episode, record: Record) -> str | None:
    """What becomes of args that don't fit their schema, but could be made to without loss."""
    tools = map_tools(episode)

    def is_fault(asked: Asked) -> bool:
        call = asked.intent
        made = _make_fit(episode, asked)
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
        made = _make_fit(episode, asked)
        return (
            made is not None and isinstance(asked.intent, CallTool) and not _fits_schema(tools[asked.intent.tool], made)
        )

    return observe_course(episode, record, is_fault, COURSES)


def _make_fit(episode: Episode, asked: Asked) -> JsonObject | None:
    """The args of a call that don't fit their schema, with those converted that can be; None if they fit."""
    call = asked.intent
    tool = map_tools(episode).get(call.tool) if isinstance(call, CallTool) else None
    # Nearly all fit.
    if not isinstance(call, CallTool) or tool is None or _fits_schema(tool, call.args):
        return None
    return coerce_args(call.args, tool.parameters)


def _fits_schema(tool: Tool, args: JsonObject) -> bool:
    return Draft202012Validator(tool.parameters).is_valid(args)
