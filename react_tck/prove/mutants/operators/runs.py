"""Operators that many mutants share: what to do, where and when to do it, and how to say it of steps and entries.

An operator is an `Edit` or an `Around` of `react_tck.reference.seams`. `when`, `in_a`, `on`, `on_request` and
`of_tool` say where one acts; elsewhere the reference does what it does.
"""

from collections.abc import Callable, Iterable
from typing import Any

import dspy

from react_tck.reference import loop
from react_tck.reference.confirmation import ConfirmationRequired
from react_tck.reference.drive import Episode, EpisodeFailed
from react_tck.reference.effects import UseTool
from react_tck.reference.seams import Around, Beginning, Edit, Phase, Prompt, Site

Steps = tuple[loop.Step, ...]
Proceed = Callable[[Any], Any]
Perform = Callable[[loop.Action], Episode[loop.Event]]


# Where and when


def when(condition: Callable[[Site], bool], operator: Any) -> Any:
    """Return the operator, an edit or an around, where the condition holds."""

    def acting(site: Site, *given: Any) -> Any:
        if condition(site):
            return operator(site, *given)
        return given[0] if len(given) == 1 else given[0](given[1])

    return acting


def in_a(react: type[Any], operator: Any) -> Any:
    """Return the operator, in agents of this class."""
    return when(lambda site: isinstance(site.agent, react), operator)


def is_async(site: Site) -> bool:
    """Tell whether the agent is awaited."""
    return site.mode == "async"


def on_request(phase: Phase, edit: Edit[Any]) -> Edit[Any]:
    """Return an edit of prompts or adapters, in requests for a step, an extraction or a summary only."""

    def edited(site: Site, value: Any) -> Any:
        asked = value.phase if isinstance(value, Prompt) else site.phase
        return edit(site, value) if asked == phase else value

    return edited


def on(
    kind: Any, operator: Callable[[Site, Perform, Any], Episode[loop.Event]]
) -> Around[loop.Action, Episode[loop.Event]]:
    """Return an operator in the seam `perform`, for actions of this kind only."""
    return lambda site, perform, action: (
        operator(site, perform, action) if isinstance(action, kind) else perform(action)
    )


def of_tool(name: str, operator: Around[loop.Call, dict[str, Any]]) -> Around[loop.Call, dict[str, Any]]:
    """Return an operator in the seam `args`, for calls of this tool only."""
    return lambda site, proceed, call: operator(site, proceed, call) if call.name == name else proceed(call)


# Before and after what the reference does


def before(edit: Callable[[Site, Any], Any]) -> Around[Any, Any]:
    """Change what is given first; then the reference does what it does."""
    return lambda site, proceed, given: proceed(edit(site, given))


def after(edit: Callable[[Site, Any], Any]) -> Around[Any, Any]:
    """Change what the reference makes."""
    return lambda site, proceed, given: edit(site, proceed(given))


def at_once(value: Any) -> Episode[Any]:
    """Yield an episode that returns this value and performs no effect."""
    return value
    yield


def faults_swallowed(*but: type[Exception]) -> Around[Beginning, Episode[Any]]:
    """In the seam `run`: empty outputs in the place of any exception but these, and but a call that has to wait."""
    let_out: tuple[type[BaseException], ...] = (ConfirmationRequired, *but)

    def run(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
        try:
            return (yield from proceed(beginning))
        except let_out:
            raise
        except Exception:
            return dspy.Prediction(trajectory={}, **dict.fromkeys(site.agent.signature.output_fields, ""))

    return run


# The seam `perform`


def event_changed(change: Callable[[Site, loop.Event], loop.Event]) -> Around[loop.Action, Episode[loop.Event]]:
    """Another event than the one that came; the change may raise."""

    def changed(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
        event = yield from perform(action)
        return change(site, event)

    return changed


def first_call_alone(_site: Site, event: loop.Event) -> loop.Event:
    """Of a step that was chosen, the first call alone."""
    return event.model_copy(update={"calls": event.calls[:1]}) if isinstance(event, loop.StepChosen) else event


def used(change: Callable[[UseTool], UseTool]) -> Around[loop.Action, Episode[loop.Event]]:
    """Tools are run otherwise; whatever else comes of a call is what comes of it."""

    def performed(_site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
        episode = perform(action)
        try:
            use = next(episode)
            try:
                result = yield change(use) if isinstance(use, UseTool) else use
            except Exception as error:
                episode.throw(error)
            else:
                episode.send(result)
        except StopIteration as stop:
            event: loop.Event = stop.value
            return event
        raise AssertionError("a tool is run once")

    return on(loop.RunTool, performed)


def raised(kind: Any, error: Callable[[Any], Exception]) -> Around[loop.Action, Episode[loop.Event]]:
    """Return an exception in the place of events of this kind."""

    def change(_site: Site, event: loop.Event) -> loop.Event:
        if isinstance(event, kind):
            raise error(event)
        return event

    return event_changed(change)


def twice(_site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    """Yield everything is done twice, and the second result counts."""
    yield from perform(action)
    return (yield from perform(action))


def until_no(kind: type[Exception]) -> Around[loop.Action, Episode[loop.Event]]:
    """Yield everything is done again, as often as it fails in this way."""

    def performed(_site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
        while True:
            try:
                return (yield from perform(action))
            except kind:
                continue

    return performed


def results_remembered(known: Callable[[Site], dict[str, loop.Event]]) -> Around[loop.Action, Episode[loop.Event]]:
    """In the seam `perform`, for tool calls: what came of one is what comes of the same one again."""

    def performed(site: Site, perform: Perform, action: Any) -> Episode[loop.Event]:
        key = f"{action.call.name} {action.call.args}"
        if key not in known(site):
            known(site)[key] = yield from perform(action)
        return known(site)[key]

    return on(loop.RunTool, performed)


def ran(call: loop.Call) -> loop.RunTool:
    """Return the action of running this call."""
    return loop.RunTool(call=call)


def call_of(step: loop.Step) -> loop.Call:
    """Return the call of a step, to be made again."""
    return loop.Call(name=step.tool, args=step.args)


def chosen(event: loop.Event) -> loop.Call | None:
    """Return the first call of a step that was chosen."""
    return event.calls[0] if isinstance(event, loop.StepChosen) else None


def finishes(event: loop.Event) -> bool:
    """Tell whether the LM chose `finish`."""
    call = chosen(event)
    return call is not None and call.name == loop.FINISH


def with_call(event: loop.StepChosen, **update: Any) -> loop.StepChosen:
    """Return the event with another name or other args in its first call."""
    first, *others = event.calls
    return event.model_copy(update={"calls": (first.model_copy(update=update), *others)})


def has_finished(steps: Steps) -> bool:
    """Tell whether the last of these steps is `finish`."""
    return bool(steps) and steps[-1].tool == loop.FINISH


# The seams `begin` and `advance`


def begun_with(**state: Any) -> Around[dict[str, Any], Beginning]:
    """Begin a run with other fields in its state."""
    return after(lambda _, beginning: beginning._replace(state=beginning.state.model_copy(update=state)))


def policy(**choices: Any) -> Around[dict[str, Any], Beginning]:
    """Do something else than is declared where the sources leave a choice."""

    def changed(_site: Site, beginning: Beginning) -> Beginning:
        made = beginning.state.policy.model_copy(update=choices)
        return beginning._replace(state=beginning.state.model_copy(update={"policy": made}))

    return after(changed)


def limited(limit: Callable[[Site, int], int]) -> Around[dict[str, Any], Beginning]:
    """Begin a run with another limit of steps than it was given."""

    def changed(site: Site, beginning: Beginning) -> Beginning:
        max_steps = limit(site, beginning.state.max_steps)
        due = {"max_steps": max_steps, "action": loop.AskStep() if max_steps > 0 else loop.AskExtraction()}
        return beginning._replace(state=beginning.state.model_copy(update=due))

    return after(changed)


def then(change: Callable[[Site, loop.Event, loop.State], loop.State]) -> Around[loop.Event, loop.State]:
    """Another state than the one that follows; the change is given the event too. `site.state` is the one before."""
    return lambda site, proceed, event: change(site, event, proceed(event))


def raised_at_the_end(_site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    """For `then`: an exception where no step is left, and the LM hasn't said that it is done."""
    if isinstance(following.action, loop.AskExtraction) and not following.finished:
        raise EpisodeFailed("the steps have run out")
    return following


def to(state: loop.State, action: loop.Action) -> loop.State:
    """Return the state with another action due."""
    return state.model_copy(update={"action": action})


def with_steps(state: loop.State, steps: Steps) -> loop.State:
    """Return the state as if these steps had been taken in this run, in a system that ends by `finish`."""
    request = next(entry for entry in state.taken if isinstance(entry, loop.Request))
    taken = (request, *(entry for number, step in enumerate(steps) for entry in _entries(number, step)))
    return state.model_copy(update={"history": (*earlier_of(state), *taken), "taken": taken})


def with_last_step(state: loop.State, **update: Any) -> loop.State:
    """Return the state as if its last step had been another one."""
    *earlier, last = state.steps
    return with_steps(state, (*earlier, last.model_copy(update=update)))


def observed(step: loop.Step, observation: Any) -> loop.Step:
    """Return the step with another observation."""
    return step.model_copy(update={"observation": observation})


def earlier_of(state: loop.State) -> loop.Entries:
    """Return the entries from before this run."""
    return state.history[: len(state.history) - len(state.taken)]


def _entries(number: int, step: loop.Step) -> Iterable[loop.Entry]:
    if not step.tool:
        yield loop.Remark(remark=str(step.observation))
        return
    call = loop.Call(id=f"call_{number}", name=step.tool, args=step.args)
    yield loop.AssistantTurn(thought=step.thought, tool_calls=(call,), response=step.response)
    yield loop.Observation(tool_call_id=call.id, name=call.name, value=step.observation)
