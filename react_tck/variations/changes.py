"""What the variations do to a case, a script and a call."""

import json
from collections.abc import Callable, Iterable, Iterator

from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.intent import (
    Answer,
    Attempts,
    Calls,
    CallTool,
    Fault,
    Finish,
    Garbled,
    Intent,
    Reply,
    Submit,
)
from react_tck.model.signature import Field, Form, Signature, schema_of
from react_tck.variations.earlier import call_first_tool, make_other_inputs, make_sample
from react_tck.variations.variation import Unvaried

#: Steps that a call may take beyond those of its script.
_MORE_STEPS = 20
_HISTORY = Field(name="history", annotation="dspy.History", json_schema={"type": "array"}, history=True)


def call_async(_episode: Episode, call: Invocation) -> Invocation:
    """The call and its resumptions, made asynchronously."""
    return call.model_copy(update={"mode": "async", "resumptions": tuple(map(resume_async, call.resumptions))})


def resume_async(resumption: Resumption) -> Resumption:
    """Have the suspended call resumed by its asynchronous entry point."""
    return resumption.model_copy(update={"mode": "async"})


def ask_in(dialect: str) -> Callable[[Episode], Episode]:
    """Have the adapter of the dialect configured for everything."""

    def change(episode: Episode) -> Episode:
        options = episode.case.options.model_copy(update={"adapter": dialect})
        return _with_case(episode, options=options)

    return change


def ask_module_in(dialect: str) -> Callable[[Episode], Episode]:
    """Have the adapter of the dialect given to the module alone."""

    def change(episode: Episode) -> Episode:
        options = episode.case.options.model_copy(update={"module_adapter": dialect})
        return _with_case(episode, options=options)

    return change


def add_history_input(episode: Episode) -> Episode:
    """Have the signature take a history."""
    signature = episode.case.signature
    inputs = (*signature.inputs, _HISTORY)
    arrow = f"{_HISTORY.name}: {_HISTORY.annotation}, {signature.arrow}"
    return _with_case(episode, signature=signature.model_copy(update={"inputs": inputs, "arrow": arrow}))


def give_history(episode: Episode, call: Invocation) -> Invocation:
    """The call after an earlier turn about something else."""
    turn = make_other_inputs(episode, call)
    turn |= {field.name: make_sample(field.json_schema) for field in episode.case.signature.outputs}
    return call.model_copy(update={"history": (turn,)})


def add_output(name: str, annotation: str, value: JsonValue) -> Callable[[Episode], Episode]:
    """Have the signature ask for one more output, and the LM answer it with the value."""

    def change(episode: Episode) -> Episode:
        signature = episode.case.signature
        field = Field(name=name, annotation=annotation, json_schema=schema_of(annotation))
        script = episode.script
        script = script.model_copy(
            update={
                "steps": tuple(change_replies(intent, _answer_more({name: value})) for intent in script.steps),
                "answers": tuple(change_replies(intent, _answer_more({name: value})) for intent in script.answers),
            }
        )
        changed = _with_case(episode, signature=_add_field(signature, field))
        return changed.model_copy(update={"script": script})

    return change


def add_input(name: str, annotation: str) -> Callable[[Episode], Episode]:
    """Have the signature take one more input."""
    field = Field(name=name, annotation=annotation, json_schema=schema_of(annotation))

    def change(episode: Episode) -> Episode:
        signature = episode.case.signature
        if name in {given.name for given in signature.inputs}:
            raise Unvaried(f"an input is called {name!r} already")
        changed = {"inputs": (field, *signature.inputs), "arrow": f"{name}: {annotation}, {signature.arrow}"}
        return _with_case(episode, signature=signature.model_copy(update=changed))

    return change


def give_instructions(instructions: str) -> Callable[[Episode], Episode]:
    """Have the signature, which is a class then, for no arrow has any, give the LM these instructions."""

    def change(episode: Episode) -> Episode:
        signature = episode.case.signature
        if signature.form is not Form.ARROW:
            raise Unvaried("a signature that is no arrow may have instructions of its own")
        changed = {"form": Form.CLASS, "instructions": instructions}
        return _with_case(episode, signature=signature.model_copy(update=changed))

    return change


def describe_fields(description: str) -> Callable[[Episode], Episode]:
    """Have the signature, which is a class then, for no arrow does, describe each field so, `{}` being its name."""

    def describe(field: Field) -> Field:
        return field.model_copy(update={"description": description.format(field.name)})

    def change(episode: Episode) -> Episode:
        signature = episode.case.signature
        if signature.form is not Form.ARROW:
            raise Unvaried("a signature that is no arrow may describe its fields")
        described = {side: tuple(map(describe, getattr(signature, side))) for side in ("inputs", "outputs")}
        return _with_case(episode, signature=signature.model_copy(update={"form": Form.CLASS, **described}))

    return change


def add_image_input(name: str) -> Callable[[Episode], Episode]:
    """Have the signature, which is a class then, for no arrow tells it, take an image."""
    field = Field(name=name, json_schema={"type": "string", "contentMediaType": "image/png"})

    def change(episode: Episode) -> Episode:
        signature = episode.case.signature
        form = Form.CLASS if signature.form is Form.ARROW else signature.form
        changed = {"inputs": (field, *signature.inputs), "arrow": f"{name}, {signature.arrow}", "form": form}
        return _with_case(episode, signature=signature.model_copy(update=changed))

    return change


def give_input(name: str, value: JsonValue) -> Callable[[Episode, Invocation], Invocation]:
    """Give each call this input, too."""
    return lambda _, call: call.model_copy(update={"inputs": {name: value, **call.inputs}})


def exhaust_steps(episode: Episode) -> Episode:
    """Have the steps run out where the LM would finish; where it would finish at once, after a call of the first tool.

    Raises:
        Unvaried: unless the LM finishes just once, after a step or beside a tool, and nothing else limits the steps.
    """
    *before, last = episode.script.steps or (None,)
    if not before and episode.case.tools:
        before = [call_first_tool(episode)]
    if any(isinstance(intent, Fault) for intent in before):
        raise Unvaried("a request that a fault answers is no step: nobody knows how many there will be")
    is_limited = episode.case.options.max_steps is not None
    if not before or is_limited or not isinstance(last, Finish) or last.args or any(map(_finishes, before)):
        raise Unvaried("the LM doesn't finish once, after a step or beside a tool")
    script = episode.script.model_copy(update={"steps": tuple(before)})
    options = episode.case.options.model_copy(update={"max_steps": len(before)})
    return _with_case(episode, options=options).model_copy(update={"script": script})


def _finishes(intent: Intent | None) -> bool:
    match intent:
        case Garbled(meant=meant):
            return _finishes(meant)
        case Attempts(replies=replies):
            return any(map(_finishes, replies))
    return isinstance(intent, Finish) or intent is None or intent.sticky


def limit_to_one_step(episode: Episode) -> Episode:
    """Have the agent built for one step: its calls bring a limit of their own.

    Raises:
        Unvaried: if the case says how many steps there may be.
    """
    if episode.case.options.max_steps is not None:
        raise Unvaried("the case says how many steps there may be")
    options = episode.case.options.model_copy(update={"max_steps": 1})
    return _with_case(episode, options=options)


def give_own_limit(episode: Episode, call: Invocation) -> Invocation:
    """The call with as many steps as the script has, and some more."""
    return call.model_copy(update={"max_steps": len(episode.script.steps) + _MORE_STEPS})


def edit_nothing(suspension: JsonObject) -> str:
    """A response that puts the same args in the place of those that the call waits with."""
    call = suspension.get("tool_call")
    return json.dumps({"edit": {"args": call.get("args", {}) if isinstance(call, dict) else {}}})


def confirm_tools(episode: Episode) -> Episode:
    """Have every tool require confirmation.

    Raises:
        Unvaried: if the LM calls none of them.
    """
    names = {tool.name for tool in episode.case.tools}
    if names.isdisjoint(list_called_tools(episode.script.steps)):
        raise Unvaried("no tool is called for which a person could be asked")
    tools = tuple(tool.model_copy(update={"confirm": True}) for tool in episode.case.tools)
    return _with_case(episode, tools=tools)


def garble_first(episode: Episode) -> Episode:
    """Have the LM say prose at first where the first step is asked for.

    Raises:
        Unvaried: if the first step is no plain one, or is `finish`: who submits is given its answer in that place.
    """
    return _begin_with(episode, lambda first: Garbled(form="prose", meant=first))


def fail_first(episode: Episode) -> Episode:
    """Have the LM fail at first where the first step is asked for, as a provider does that is asked too often.

    Raises:
        Unvaried: if the first step is no plain one, or is `finish`.
    """
    return _begin_with(episode, lambda _: Fault(fault="rate-limit"))


def _begin_with(episode: Episode, make_reply: Callable[[CallTool | Submit], Reply]) -> Episode:
    first, *rest = episode.script.steps or (None,)
    if not isinstance(first, CallTool | Submit) or first.sticky:
        raise Unvaried("the first step is no plain tool call")
    steps = (Attempts(replies=(make_reply(first), first)), *rest)
    return episode.model_copy(update={"script": episode.script.model_copy(update={"steps": steps})})


def list_called_tools(intents: Iterable[Intent]) -> Iterator[str]:
    for intent in intents:
        match intent:
            case CallTool(tool=name):
                yield name
            case Calls(calls=calls):
                yield from (call.tool for call in calls)
            case Garbled(meant=meant):
                yield from list_called_tools([meant])
            case Attempts(replies=replies):
                yield from list_called_tools(replies)


def change_replies(intent: Intent, change: Callable[[Intent], Intent]) -> Intent:
    """The intent with everything changed that it consists of: attempts, calls of one turn, what a garbled one means."""
    match intent:
        case Attempts(replies=replies):
            return intent.model_copy(update={"replies": tuple(change_replies(reply, change) for reply in replies)})
        case Calls(calls=calls):
            return intent.model_copy(update={"calls": tuple(map(change, calls))})
        case Garbled(meant=meant):
            return intent.model_copy(update={"meant": change_replies(meant, change)})
    return change(intent)


def _with_case(episode: Episode, **changes: object) -> Episode:
    return episode.model_copy(update={"case": episode.case.model_copy(update=changes)})


def _add_field(signature: Signature, field: Field) -> Signature:
    arrow = f"{signature.arrow}, {field.name}: {field.annotation}"
    return signature.model_copy(update={"outputs": (*signature.outputs, field), "arrow": arrow})


def _answer_more(more: JsonObject) -> Callable[[Intent], Intent]:
    def change(intent: Intent) -> Intent:
        if not isinstance(intent, Answer | Submit):
            return intent
        return intent.model_copy(update={"outputs": {**intent.outputs, **more}})

    return change
