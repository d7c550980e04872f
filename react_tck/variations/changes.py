"""What changes make of an episode, each by a pure function; None where nothing would be another."""

from collections.abc import Callable, Collection, Iterable, Iterator

from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Attempts, Calls, CallTool, Fault, Garbled, Intent, Submit
from react_tck.model.signature import Field, schema_of
from react_tck.model.tool import Performs, Reports, Tool
from react_tck.play.others import EARLIER, SPARE, call_spare, can_be_known, finish_at_once, make_sample

Changing = Callable[[Episode], Episode | None]
#: What every tool takes besides, and is given: a list; and null where the default is another.
_MORE: JsonObject = {
    "pages": {"type": "array", "items": {"type": "integer"}, "default": []},
    "edition": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": "the newest"},
}
_GIVEN: JsonObject = {"pages": [12, 3], "edition": None}
_HISTORY = Field(name="history", annotation="dspy.History", json_schema={"type": "array"}, history=True)


# Calls


def call_async(episode: Episode) -> Episode:
    """Return the episode of which every call and resumption is asynchronous."""

    def change(call: Invocation) -> Invocation:
        resumed = tuple(each.model_copy(update={"mode": "async"}) for each in call.resumptions)
        return call.model_copy(update={"mode": "async", "resumptions": resumed})

    return _change_calls(episode, change)


def give_history(episode: Episode) -> Episode | None:
    """Return the episode whose signature takes a history, and whose calls follow a turn about something else."""
    signature = episode.case.signature
    if signature.history_field:
        return None
    arrow = f"{_HISTORY.name}: {_HISTORY.annotation}, {signature.arrow}"
    changed = signature.model_copy(update={"inputs": (*signature.inputs, _HISTORY), "arrow": arrow})
    outputs = {field.name: make_sample(field.json_schema) for field in signature.outputs}

    def follow_turn(call: Invocation) -> Invocation:
        return call.model_copy(update={"history": (_make_other_inputs(episode, call) | outputs,)})

    return _change_calls(_change_case(episode, signature=changed), follow_turn)


def call_before(episode: Episode, adapter: str | None = None) -> Episode:
    """Return the episode whose instance was called before; then an adapter may have been configured."""
    given = {} if adapter is None else {"adapter": adapter}

    def come_later(call: Invocation) -> Invocation:
        later = {} if call.follows is None else {"follows": call.follows + 1}
        return call.model_copy(update=given | later)

    return _begin_with_call(episode, come_later)


def follow_call_before(episode: Episode) -> Episode:
    """Return the episode whose instance was called before, about something else, and whose calls go on with that."""

    def follow(call: Invocation) -> Invocation:
        if call.follows is None:
            return call if call.history is not None else call.model_copy(update={"follows": 0})
        return call.model_copy(update={"follows": call.follows + 1})

    return _begin_with_call(episode, follow)


def _begin_with_call(episode: Episode, change: Callable[[Invocation], Invocation]) -> Episode:
    """Return the episode with a call more, in which the LM finishes at once; its own calls are changed so."""
    said, own = finish_at_once(episode), episode.script
    steps, answers = (*said.steps, *own.steps), (*said.answers, *own.answers)
    script = own.model_copy(update={"steps": steps, "answers": answers})
    first, *_ = calls = episode.case.invocations
    history = () if episode.case.signature.history_field else None
    before = Invocation(inputs=_make_other_inputs(episode, first), history=history, max_steps=first.max_steps)
    changed = _change_case(episode, invocations=(before, *map(change, calls)))
    return changed.model_copy(update={"script": script})


def _make_other_inputs(episode: Episode, call: Invocation) -> JsonObject:
    """Return the inputs with another text in the place of each text."""
    texts = {field.name for field in episode.case.signature.inputs if field.is_text}
    return {name: EARLIER if name in texts else value for name, value in call.inputs.items()}


# What is done while it is played


def play_under(name: str) -> Changing:
    """Have the episode played in the circumstance of this name."""
    return lambda episode: episode.model_copy(update={"variations": (*episode.variations, name)})


def call_concurrently(episode: Episode) -> Episode | None:
    """Have the instance called about something else, to the end, while the first request waits for its reply."""
    return play_under("concurrent call")(episode) if can_be_known(episode) else None


def confirm_tools(name: str) -> Changing:
    """Have every tool require confirmation, and each call that waits resumed in the circumstance of this name."""

    def change(episode: Episode) -> Episode | None:
        if not _calls_own_tool(episode):
            return None
        tools = tuple(tool.model_copy(update={"confirm": True}) for tool in episode.case.tools)
        return play_under(name)(_change_case(episode, tools=tools))

    return change


def call_while_waiting(episode: Episode) -> Episode | None:
    """Have the instance called about something else, which waits as well, before a person agrees to its call."""
    if not can_be_known(episode) or not _calls_own_tool(episode):
        return None
    return confirm_tools("called while waiting")(_add_spare(episode))


# Replies


def ask_in(dialect: str) -> Changing:
    """Have the adapter of the dialect configured for everything."""

    def change(episode: Episode) -> Episode:
        return _change_case(episode, options=episode.case.options.model_copy(update={"adapter": dialect}))

    return change


def garble_first(episode: Episode) -> Episode | None:
    """Return the episode whose first, plain step is prose at first; who submits is given its answer there."""
    first, *rest = episode.script.steps or (None,)
    if not isinstance(first, CallTool | Submit) or first.sticky:
        return None
    steps = (Attempts(replies=(Garbled(form="prose", meant=first), first)), *rest)
    return _change_script(episode, steps=steps)


# Steps


def overflow_before(episode: Episode) -> Episode | None:
    """Return the episode that begins with two steps more, after which a prompt doesn't fit the context window."""
    limit = episode.case.options.max_steps
    if not episode.script.steps or limit == 0:
        return None
    said = (call_spare(minutes=1), call_spare(minutes=2), Fault(fault="context-window"))
    changed = _change_script(_add_spare(episode), steps=(*said, *episode.script.steps))
    if limit is not None:
        changed = _change_case(changed, options=changed.case.options.model_copy(update={"max_steps": limit + 2}))
    return _change_calls(changed, _allow_two_more)


def summarise_before(episode: Episode) -> Episode | None:
    """Return the same, of which the LM makes a summary that stands in the place of the first step."""
    changed = overflow_before(episode)
    summary = Answer(outputs={"summary": "Somebody looked out of the window."})
    return changed and _change_script(changed, answers=(summary, *changed.script.answers))


def _allow_two_more(call: Invocation) -> Invocation:
    return call if call.max_steps is None else call.model_copy(update={"max_steps": call.max_steps + 2})


# Tools


def declare_tools(episode: Episode) -> Episode | None:
    """Return the episode whose tools are functions of args of any name, with the schemas of their args beside them."""
    tools = tuple(tool.model_copy(update={"callable_form": "declared"}) for tool in episode.case.tools)
    return None if tools == episode.case.tools else _change_case(episode, tools=tools)


def take_more_args(episode: Episode) -> Episode | None:
    """Return the episode whose tools take a list besides, and a text or null, of which the LM gives null."""
    if not _calls_own_tool(episode) or (Performs(),) in episode.behaviours.values():  # a function takes what it takes
        return None
    names = {tool.name for tool in episode.case.tools}
    changed = _change_case(episode, tools=tuple(map(_add_parameters, episode.case.tools)))
    steps = tuple(_change_replies(intent, _give_more(names)) for intent in episode.script.steps)
    return _change_script(changed, steps=steps)


def _add_parameters(tool: Tool) -> Tool:
    properties = tool.parameters["properties"]
    assert isinstance(properties, dict)
    return tool.model_copy(update={"parameters": {**tool.parameters, "properties": {**properties, **_MORE}}})


def _give_more(names: Collection[str]) -> Callable[[Intent], Intent]:
    def change(intent: Intent) -> Intent:
        if not isinstance(intent, CallTool) or intent.tool not in names:
            return intent
        return intent.model_copy(update={"args": {**intent.args, **_GIVEN}})

    return change


def _calls_own_tool(episode: Episode) -> bool:
    names = {tool.name for tool in episode.case.tools}
    return not names.isdisjoint(_list_called_tools(episode.script.steps))


def _list_called_tools(intents: Iterable[Intent]) -> Iterator[str]:
    for intent in intents:
        match intent:
            case CallTool(tool=name):
                yield name
            case Calls(calls=calls):
                yield from (call.tool for call in calls)
            case Garbled(meant=meant):
                yield from _list_called_tools([meant])
            case Attempts(replies=replies):
                yield from _list_called_tools(replies)


def _add_spare(episode: Episode) -> Episode:
    """Have the agent built with the spare tool, too, which reports when it runs."""
    changed = _change_case(episode, tools=(*episode.case.tools, SPARE))
    return changed.model_copy(update={"behaviours": {**episode.behaviours, SPARE.name: (Reports(),)}})


# Outputs


def add_output(name: str, annotation: str, value: JsonValue) -> Changing:
    """Have the signature ask for one more output, and the LM answer it with the value."""
    field = Field(name=name, annotation=annotation, json_schema=schema_of(annotation))

    def answer_more(intent: Intent) -> Intent:
        if not isinstance(intent, Answer | Submit):
            return intent
        return intent.model_copy(update={"outputs": {**intent.outputs, name: value}})

    def change(episode: Episode) -> Episode:
        signature, script = episode.case.signature, episode.script
        arrow = f"{signature.arrow}, {name}: {annotation}"
        signature = signature.model_copy(update={"outputs": (*signature.outputs, field), "arrow": arrow})
        steps, answers = (
            tuple(_change_replies(intent, answer_more) for intent in said) for said in (script.steps, script.answers)
        )
        return _change_script(_change_case(episode, signature=signature), steps=steps, answers=answers)

    return change


def _change_replies(intent: Intent, change: Callable[[Intent], Intent]) -> Intent:
    """Return the intent with all its parts changed: attempts, calls of one turn, what a garbled one means."""
    match intent:
        case Attempts(replies=replies):
            return intent.model_copy(update={"replies": tuple(_change_replies(reply, change) for reply in replies)})
        case Calls(calls=calls):
            return intent.model_copy(update={"calls": tuple(map(change, calls))})
        case Garbled(meant=meant):
            return intent.model_copy(update={"meant": _change_replies(meant, change)})
    return change(intent)


def _change_case(episode: Episode, **changes: object) -> Episode:
    return episode.model_copy(update={"case": episode.case.model_copy(update=changes)})


def _change_script(episode: Episode, **changes: object) -> Episode:
    return episode.model_copy(update={"script": episode.script.model_copy(update=changes)})


def _change_calls(episode: Episode, change: Callable[[Invocation], Invocation]) -> Episode:
    return _change_case(episode, invocations=tuple(map(change, episode.case.invocations)))
