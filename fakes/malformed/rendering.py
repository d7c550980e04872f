"""Replies whose form is broken, in whatever dialect they are asked for (ERR-002 to ERR-005, ERR-011)."""

import json

from react_tck.dialects import render
from react_tck.dialects.fields import TOOL_CALLS, calls_of, said, step_names
from react_tck.dialects.markup import JSON, LABEL, MARKUPS, Markup
from react_tck.fakes.json_text import is_json
from react_tck.fakes.malformed.forms import FORMS, Draft
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, BadArgs, CallTool, Garbled
from react_tck.model.lm import Ask, Completion, ToolCall


def garbled(intent: Garbled, ask: Ask) -> Completion:
    """The reply that means it, in the form that is broken so."""
    if ask.dialect == "native":
        return _native(intent, ask)
    values = said(intent.meant, ask)
    return Completion(content=_broken(intent, values, MARKUPS[ask.dialect]))


def bad_args(intent: BadArgs, ask: Ask) -> Completion:
    """The step with its args written as the intent says."""
    call = CallTool(tool=intent.tool, thought=intent.thought)
    if ask.dialect == "native":
        return _with_arguments(render(call, ask), intent.text)
    markup = MARKUPS[ask.dialect]
    text = intent.text if markup is not JSON or is_json(intent.text) else json.dumps(intent.text, ensure_ascii=False)
    broken = {step_names(ask.fields)[2]: text, TOOL_CALLS: _one_call(intent.tool, text)}
    pieces = ((name, broken.get(name, value)) for name, value in markup.pieces(said(call, ask)))
    return Completion(content=markup.reply(pieces))


def _one_call(tool: str, args: str) -> str:
    """The list of the only call, its args written so."""
    return f'{{"{TOOL_CALLS}": [{{"name": {json.dumps(tool, ensure_ascii=False)}, "args": {args}}}]}}'


def _native(intent: Garbled, ask: Ask) -> Completion:
    """Arguments in a broken form; where nothing of the form is left, a text without any call."""
    whole = render(intent.meant, ask)
    if isinstance(intent.meant, Answer) or intent.form in ("empty", "prose", "other-phase", "other-dialect"):
        return Completion(content=_broken(intent, said(intent.meant, ask), LABEL))
    if intent.form == "missing-field":
        call = whole.tool_calls[0].model_copy(update={"name": ""})
        return whole.model_copy(update={"tool_calls": (call,)})
    if intent.form == "missing-args":
        return _with_arguments(whole, "")
    return _with_arguments(whole, _broken(intent, calls_of(intent.meant)[0].args, JSON))


def _with_arguments(completion: Completion, arguments: str) -> Completion:
    calls: tuple[ToolCall, ...] = tuple(
        call.model_copy(update={"arguments": arguments}) for call in completion.tool_calls
    )
    return completion.model_copy(update={"tool_calls": calls})


def _broken(intent: Garbled, values: JsonObject, markup: Markup) -> str:
    tool = step_names(values)[1]
    field = tool if tool in values else next(reversed(values), "")
    return FORMS[intent.form](Draft(values, markup, field, intent.cut))
