"""Operators that crossings share: what a variation brings, and the fault that a scenario shows there and only there."""

from collections.abc import Callable
from functools import partial
from typing import Any

import dspy
from pydantic import BaseModel

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory, shared
from react_tck.prove.mutants.operators.replies import has_failed, is_unknown
from react_tck.prove.mutants.operators.runs import Proceed, Steps, chosen, finishes, on_request, with_call
from react_tck.prove.mutants.operators.views import LmReply, Messages, steps_shown
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Beginning, Edit, Prompt, Site
from react_tck.reference.signatures.react import history_field

#: A row of a table of crossings.
crossing = partial(mutant, is_varied=True)
#: A text longer than this is cut by who cuts texts.
LONG = 1000

# What a variation brings


def has_history(site: Site) -> bool:
    """Tell whether the signature takes a history."""
    return history_field(site.agent.signature) is not None


def is_resumed(site: Site) -> bool:
    """Tell whether the call was suspended, and goes on."""
    return not site.inputs


def is_called_again(site: Site) -> bool:
    """Tell whether it isn't the first call of the instance, where `count_calls` counts."""
    calls: int = site.memory.get("calls", 0)
    return calls > 1


def count_calls(site: Site, proceed: Proceed, given: Any) -> Any:
    """In the seam `begin`: count the calls of the instance."""
    site.memory["calls"] = site.memory.get("calls", 0) + 1
    return proceed(given)


def asks_in(kind: type[dspy.Adapter]) -> Callable[[Site], bool]:
    """Tell whether an adapter of this kind is configured for everything."""
    return lambda _: isinstance(dspy.settings.adapter, kind)


def has_two_kinds_of_outputs(site: Site) -> bool:
    """Tell whether a text and a mapping are asked for."""
    kinds = [field.annotation for field in site.agent.signature.output_fields.values()]
    return str in kinds and any(getattr(kind, "__origin__", None) is dict for kind in kinds)


def note_unreadable(site: Site, proceed: Proceed, reply: LmReply) -> dict[str, Any]:
    """In the seam `adapter`: remember that a reply couldn't be read."""
    try:
        fields: dict[str, Any] = proceed(reply)
    except Exception:
        site.memory["unreadable"] = True
        raise
    return fields


in_json, in_xml = asks_in(dspy.JSONAdapter), asks_in(dspy.XMLAdapter)


def is_resumed_here(site: Site) -> bool:
    """Tell whether the instance that was called resumes the call, where `count_calls` counts."""
    return is_resumed(site) and "calls" in site.memory


def is_resumed_elsewhere(site: Site) -> bool:
    """Tell whether another instance than the one that was called resumes the call, where `count_calls` counts."""
    return is_resumed(site) and "calls" not in site.memory


class NotesLoading:
    """Remembers that a state was loaded: a mixin."""

    _memory: dict[str, Any]

    def load_state(self, *given: Any, **options: Any) -> Any:
        """Load it, and remember that."""
        self._memory["loaded"] = True
        load: Callable[..., Any] = super().load_state  # type: ignore[misc]
        return load(*given, **options)


def is_summarised(site: Site) -> bool:
    """Tell whether the run, or an earlier one that it goes on from, was summarised."""
    return any(isinstance(entry, loop.Summary) for entry in site.state.history)


def is_loaded(site: Site) -> bool:
    """Tell whether the instance has loaded a state, where it `NotesLoading`."""
    return "loaded" in site.memory


def note_concurrent_ends(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
    """In the seam `run`: count the runs that have ended, of all instances."""
    site.memory["ended before"] = shared(site).get("ended", 0)
    prediction = yield from proceed(beginning)
    shared(site)["ended"] = shared(site).get("ended", 0) + 1
    return prediction


def met_concurrent_end(site: Site) -> bool:
    """Tell whether another run has ended since this one began, where `note_concurrent_ends` counts."""
    return bool(shared(site).get("ended", 0) > site.memory["ended before"])


# What a scenario brings


def of_known_tools(site: Site, steps: Steps) -> Steps:
    """Return the steps without those that name an unknown tool."""
    return tuple(step for step in steps if step.tool in {*site.agent.bound, loop.FINISH, ""})


def without_failures(steps: Steps) -> Steps:
    """Return the steps without those whose tool failed."""
    return tuple(step for step in steps if not has_failed(step))


def without_last(steps: Steps) -> Steps:
    """Return the steps without the last one."""
    return steps[:-1]


def goes_on_after_finish(_site: Site, event: loop.Event) -> loop.Event:
    """`finish` with args as an unknown tool."""
    call = chosen(event)
    if not isinstance(event, loop.StepChosen) or not finishes(event) or not (call and call.args):
        return event
    return with_call(event, name="nothing", args={})


def finishes_at_marks(site: Site, event: loop.Event) -> loop.Event:
    """Return an unknown tool as `finish`, where the thought has the mark of a final answer."""
    if isinstance(event, loop.StepChosen) and is_unknown(site, event) and "Final Answer" in event.thought:
        return with_call(event, name=loop.FINISH, args={})
    return event


def blank_without_tools(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    """Empty outputs where the run has no more than one step."""
    return dict.fromkeys(outputs, "") if len(site.state.steps) == 1 else outputs


def as_mapping(value: Any) -> Any:
    """Return a model as a mapping."""
    return value.model_dump() if isinstance(value, BaseModel) else value


def rounded(value: Any) -> Any:
    """Return a number without its fraction."""
    return round(value) if isinstance(value, float) else value


def without_instructions(site: Site, messages: Messages) -> Messages:
    """Messages without the signature's instructions."""
    told: str = site.agent.signature.instructions
    return [message | {"content": str(message["content"]).replace(told, "")} for message in messages]


def showing(phase: Any, change: Callable[[Steps], Steps]) -> Edit[Prompt]:
    """In the seam `prompt`: other steps shown in the requests of a phase."""
    edit: Edit[Prompt] = by_trajectory(on_request(phase, steps_shown(change)))
    return edit
