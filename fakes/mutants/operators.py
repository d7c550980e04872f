"""Operators that many mutants share: what to do, where and when to do it, and how to say it of steps and entries.

An operator is an `Edit` or an `Around` of `react_tck.reference.seams`. `when`, `in_a`, `on`, `on_request` and
`of_tool` say where one acts; elsewhere the reference does what it does.
"""

import copy
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.views.trajectory import as_mapping, as_text
from react_tck.reference.loop.views.transcript import dumped, loaded
from react_tck.reference.seams import Around, Beginning, Edit, Phase, Prompt, Site
from react_tck.reference.signatures.react import TRAJECTORY

Steps = tuple[loop.Step, ...]
Proceed = Callable[[Any], Any]
Perform = Callable[[loop.Action], Episode[loop.Event]]
Messages = list[dict[str, Any]]


# Where and when


def when(condition: Callable[[Site], bool], operator: Any) -> Any:
    """The operator, an edit or an around, where the condition holds."""

    def acting(site: Site, *given: Any) -> Any:
        if condition(site):
            return operator(site, *given)
        return given[0] if len(given) == 1 else given[0](given[1])

    return acting


def in_a(react: type[Any], operator: Any) -> Any:
    """The operator, in agents of this class."""
    return when(lambda site: isinstance(site.agent, react), operator)


def is_async(site: Site) -> bool:
    """Whether the agent is awaited."""
    return site.mode == "async"


def on_request(phase: Phase, edit: Edit[Any]) -> Edit[Any]:
    """An edit of prompts or adapters, in requests for a step, an extraction or a summary only."""

    def edited(site: Site, value: Any) -> Any:
        asked = value.phase if isinstance(value, Prompt) else site.phase
        return edit(site, value) if asked == phase else value

    return edited


def on(
    kind: Any, operator: Callable[[Site, Perform, Any], Episode[loop.Event]]
) -> Around[loop.Action, Episode[loop.Event]]:
    """An operator in the seam `perform`, for actions of this kind only."""
    return lambda site, perform, action: (
        operator(site, perform, action) if isinstance(action, kind) else perform(action)
    )


def of_tool(name: str, operator: Around[loop.Call, dict[str, Any]]) -> Around[loop.Call, dict[str, Any]]:
    """An operator in the seam `args`, for calls of this tool only."""
    return lambda site, proceed, call: operator(site, proceed, call) if call.name == name else proceed(call)


# Before and after what the reference does


def before(edit: Callable[[Site, Any], Any]) -> Around[Any, Any]:
    """What is given is changed first; then the reference does what it does."""
    return lambda site, proceed, given: proceed(edit(site, given))


def after(edit: Callable[[Site, Any], Any]) -> Around[Any, Any]:
    """What the reference makes is changed."""
    return lambda site, proceed, given: edit(site, proceed(given))


def at_once(value: Any) -> Episode[Any]:
    """An episode without effects."""
    return value
    yield


# The seam `perform`


def event_changed(change: Callable[[Site, loop.Event], loop.Event]) -> Around[loop.Action, Episode[loop.Event]]:
    """Another event than the one that came; the change may raise."""

    def changed(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
        event = yield from perform(action)
        return change(site, event)

    return changed


def twice(_site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    """Everything is done twice, and the second result counts."""
    yield from perform(action)
    return (yield from perform(action))


def ran(call: loop.Call) -> loop.RunTool:
    """The action of running this call."""
    return loop.RunTool(call=call)


def call_of(step: loop.Step) -> loop.Call:
    """The call of a step, to be made again."""
    return loop.Call(name=step.tool, args=step.args)


def chosen(event: loop.Event) -> loop.Call | None:
    """The first call of a step that was chosen."""
    return event.calls[0] if isinstance(event, loop.StepChosen) else None


def finishes(event: loop.Event) -> bool:
    """Whether the LM chose `finish`."""
    call = chosen(event)
    return call is not None and call.name == loop.FINISH


def with_call(event: loop.StepChosen, **update: Any) -> loop.StepChosen:
    """The event with another name or other args in its first call."""
    first, *others = event.calls
    return event.model_copy(update={"calls": (first.model_copy(update=update), *others)})


# The seams `begin` and `advance`


def begun_with(**state: Any) -> Around[dict[str, Any], Beginning]:
    """A run begins with other fields in its state."""
    return after(lambda _, beginning: beginning._replace(state=beginning.state.model_copy(update=state)))


def policy(**choices: Any) -> Around[dict[str, Any], Beginning]:
    """Does something else than is declared where the sources leave a choice."""

    def changed(_site: Site, beginning: Beginning) -> Beginning:
        made = beginning.state.policy.model_copy(update=choices)
        return beginning._replace(state=beginning.state.model_copy(update={"policy": made}))

    return after(changed)


def limited(limit: Callable[[Site, int], int]) -> Around[dict[str, Any], Beginning]:
    """A run with another limit of steps than it was given."""

    def changed(site: Site, beginning: Beginning) -> Beginning:
        max_steps = limit(site, beginning.state.max_steps)
        due = {"max_steps": max_steps, "action": loop.AskStep() if max_steps > 0 else loop.AskExtraction()}
        return beginning._replace(state=beginning.state.model_copy(update=due))

    return after(changed)


def then(change: Callable[[Site, loop.Event, loop.State], loop.State]) -> Around[loop.Event, loop.State]:
    """Another state than the one that follows; the change is given the event too. `site.state` is the one before."""
    return lambda site, proceed, event: change(site, event, proceed(event))


def to(state: loop.State, action: loop.Action) -> loop.State:
    """The state with another action due."""
    return state.model_copy(update={"action": action})


def with_steps(state: loop.State, steps: Steps) -> loop.State:
    """The state as if these steps had been taken in this run, in a system that ends by `finish`."""
    request = next(entry for entry in state.taken if isinstance(entry, loop.Request))
    taken = (request, *(entry for number, step in enumerate(steps) for entry in _entries(number, step)))
    return state.model_copy(update={"history": (*_earlier(state), *taken), "taken": taken})


def with_last_step(state: loop.State, **update: Any) -> loop.State:
    """The state as if its last step had been another one."""
    *earlier, last = state.steps
    return with_steps(state, (*earlier, last.model_copy(update=update)))


def observed(step: loop.Step, observation: Any) -> loop.Step:
    """The step with another observation."""
    return step.model_copy(update={"observation": observation})


def _earlier(state: loop.State) -> loop.Entries:
    return state.history[: len(state.history) - len(state.taken)]


def _entries(number: int, step: loop.Step) -> Iterable[loop.Entry]:
    if not step.tool:
        yield loop.Remark(remark=str(step.observation))
        return
    call = loop.Call(id=f"call_{number}", name=step.tool, args=step.args)
    yield loop.AssistantTurn(thought=step.thought, tool_calls=(call,), response=step.response)
    yield loop.Observation(tool_call_id=call.id, name=call.name, value=step.observation)


# The seam `prompt`


def inputs(change: Callable[[Site, dict[str, Any]], dict[str, Any]]) -> Edit[Prompt]:
    """Other inputs than the prompt has."""
    return lambda site, prompt: prompt._replace(inputs=change(site, prompt.inputs))


def steps_shown(change: Callable[[Steps], Steps]) -> Edit[Prompt]:
    """Other steps than were taken, in the trajectory as the LM reads it."""
    return inputs(lambda site, shown: shown | {TRAJECTORY: as_text(change(site.state.steps))})


def said_before(change: Callable[[Site, list[dict[str, Any]]], list[dict[str, Any]]]) -> Edit[Prompt]:
    """Other messages than there are in the prompt's history: exchanges of a conversation, entries of a transcript."""

    def changed(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
        if "history" not in shown:  # what asks for a summary has none
            return shown
        history = shown["history"]
        return shown | {"history": type(history)(messages=change(site, list(history.messages)))}

    return inputs(changed)


# The seam `adapter`


class LmReply(NamedTuple):
    """What the LM said, and the fields that were asked for."""

    text: str
    fields: tuple[str, ...]


def writing(change: Callable[[Site, Messages], Messages]) -> Edit[Any]:
    """Other messages than the adapter writes, in its fallback too."""

    def edited(site: Site, adapter: Any) -> Any:
        def write(signature: Any, demos: Any, inputs: Any) -> Messages:
            return change(site, adapter.format(signature, demos, inputs))

        return _rewired(adapter, lambda other: edited(site, other), format=write)

    return edited


def reading(operator: Around[LmReply, dict[str, Any]]) -> Edit[Any]:
    """Replies read otherwise than the adapter does, in its fallback too."""

    def edited(site: Site, adapter: Any) -> Any:
        def read(signature: Any, completion: str) -> dict[str, Any]:
            reply = LmReply(completion, tuple(signature.output_fields))
            return operator(site, lambda said: adapter.parse(signature, said.text), reply)

        return _rewired(adapter, lambda other: edited(site, other), parse=read)

    return edited


def _rewired(adapter: Any, again: Callable[[Any], Any], **methods: Any) -> Any:
    made = copy.copy(adapter)
    for name, method in methods.items():
        setattr(made, name, method)
    if fallback := getattr(adapter, "_make_json_adapter_fallback", None):
        made._make_json_adapter_fallback = lambda: again(fallback())
    return made


# The seam `prediction`


def without_key(name: str) -> Edit[Any]:
    """A prediction without this key."""

    def edited(_site: Site, prediction: Any) -> Any:
        return type(prediction)(**{key: value for key, value in prediction.items() if key != name})

    return edited


def retold(change: Callable[[Site, dict[str, Any]], Any]) -> Edit[Any]:
    """Another trajectory than the one there is."""

    def edited(site: Site, prediction: Any) -> Any:
        prediction[TRAJECTORY] = change(site, prediction[TRAJECTORY])
        return prediction

    return edited


def steps_retold(change: Callable[[Site, Steps], Steps]) -> Edit[Any]:
    """Other steps than were taken, in the trajectory as the caller gets it."""
    return retold(lambda site, _: as_mapping(change(site, site.state.steps)))


def outputs_changed(change: Callable[[Site, dict[str, Any]], dict[str, Any]]) -> Edit[Any]:
    """Other outputs than there are; those that the change leaves out are gone."""

    def edited(site: Site, prediction: Any) -> Any:
        names = site.agent.signature.output_fields
        kept = {key: value for key, value in prediction.items() if key not in names}
        return type(prediction)(**kept, **change(site, {name: prediction[name] for name in names}))

    return edited


# A transcript's entries

Entries = loop.Entries


def entries_shown(change: Callable[[Site, Entries], Entries]) -> Edit[Prompt]:
    """Other entries than the history has, as the LM reads it."""
    return said_before(lambda site, messages: dumped(change(site, loaded(messages))))


def entries_kept(change: Callable[[Site, Entries], Entries]) -> Edit[Any]:
    """Other entries than the history has, as the caller gets it."""

    def edited(site: Site, prediction: Any) -> Any:
        history = prediction["history"]
        prediction["history"] = type(history)(messages=dumped(change(site, loaded(history.messages))))
        return prediction

    return edited


def entries_read(change: Callable[[Site, Entries], Entries]) -> Around[dict[str, Any], Beginning]:
    """A run continues other entries than it was given."""

    def changed(site: Site, beginning: Beginning) -> Beginning:
        state = beginning.state
        history = (*change(site, _earlier(state)), *state.taken)
        return beginning._replace(state=state.model_copy(update={"history": history}))

    return after(changed)


def without(entries: Entries, *kinds: type[loop.Entry]) -> Entries:
    """The entries that are of none of these kinds."""
    return tuple(entry for entry in entries if not isinstance(entry, kinds))
