"""Violations that show only where two things meet, of which a variation brings one: scenarios alone don't find them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import dspy
from pydantic import BaseModel

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import args_changed, has_failed, if_text, is_unknown
from react_tck.prove.mutants.operators.runs import (
    Proceed,
    Steps,
    before,
    chosen,
    finishes,
    is_async,
    on_request,
    when,
    with_call,
)
from react_tck.prove.mutants.operators.views import (
    LmReply,
    Messages,
    outputs_changed,
    reading,
    steps_retold,
    steps_shown,
    writing,
)
from react_tck.reference import loop
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.signatures.users import history_field

_crossing = partial(mutant, is_varied=True)
_LONG = 1000

# What a variation brings


def _has_history(site: Site) -> bool:
    return history_field(site.agent.signature) is not None


def _is_resumed(site: Site) -> bool:
    return not site.inputs


def _is_called_again(site: Site) -> bool:
    calls: int = site.memory.get("calls", 0)
    return calls > 1


def _count_calls(site: Site, proceed: Proceed, given: Any) -> Any:
    site.memory["calls"] = site.memory.get("calls", 0) + 1
    return proceed(given)


def _asks_in(kind: type[dspy.Adapter]) -> Callable[[Site], bool]:
    return lambda _: isinstance(dspy.settings.adapter, kind)


def _has_two_kinds_of_outputs(site: Site) -> bool:
    """Whether a text and a mapping are asked for."""
    kinds = [field.annotation for field in site.agent.signature.output_fields.values()]
    return str in kinds and any(getattr(kind, "__origin__", None) is dict for kind in kinds)


def _note_unreadable(site: Site, proceed: Proceed, reply: LmReply) -> dict[str, Any]:
    try:
        fields: dict[str, Any] = proceed(reply)
    except Exception:
        site.memory["unreadable"] = True
        raise
    return fields


_in_json, _in_xml = _asks_in(dspy.JSONAdapter), _asks_in(dspy.XMLAdapter)

# What a scenario brings


def _of_known_tools(site: Site, steps: Steps) -> Steps:
    return tuple(step for step in steps if step.tool in {*site.agent.bound, loop.FINISH, ""})


def _without_failures(steps: Steps) -> Steps:
    return tuple(step for step in steps if not has_failed(step))


def _without_last(steps: Steps) -> Steps:
    return steps[:-1]


def _goes_on_after_finish(_site: Site, event: loop.Event) -> loop.Event:
    call = chosen(event)
    if not isinstance(event, loop.StepChosen) or not finishes(event) or not (call and call.args):
        return event
    return with_call(event, name="nothing", args={})


def _finishes_at_marks(site: Site, event: loop.Event) -> loop.Event:
    if isinstance(event, loop.StepChosen) and is_unknown(site, event) and "Final Answer" in event.thought:
        return with_call(event, name=loop.FINISH, args={})
    return event


def _blank_without_tools(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    return dict.fromkeys(outputs, "") if len(site.state.steps) == 1 else outputs


def _as_mapping(value: Any) -> Any:
    return value.model_dump() if isinstance(value, BaseModel) else value


def _rounded(value: Any) -> Any:
    return round(value) if isinstance(value, float) else value


def _without_instructions(site: Site, messages: Messages) -> Messages:
    told: str = site.agent.signature.instructions
    return [message | {"content": str(message["content"]).replace(told, "")} for message in messages]


def _showing(phase: Any, change: Callable[[Steps], Steps]) -> Edit[Prompt]:
    edit: Edit[Prompt] = by_trajectory(on_request(phase, steps_shown(change)))
    return edit


MUTANTS = (
    _crossing(
        "async-unknown-tool-not-recorded",
        "TRJ-002",
        "Leaves the steps that name an unknown tool out of the trajectory, if awaited.",
        prediction=when(is_async, steps_retold(_of_known_tools)),
    ),
    _crossing(
        "async-extraction-without-instructions",
        "EXT-005",
        "Asks for the answer without the signature's instructions, if awaited.",
        adapter=when(is_async, by_trajectory(on_request("extraction", writing(_without_instructions)))),
    ),
    _crossing(
        "history-hides-tool-errors",
        "ERR-007",
        "Shows no step whose tool failed, where there is a history.",
        prompt=when(_has_history, _showing("step", _without_failures)),
    ),
    _crossing(
        "history-answers-blank-without-tools",
        "LOOP-007",
        "Gives empty outputs where the first step finishes, if there is a history.",
        prediction=when(_has_history, outputs_changed(_blank_without_tools)),
    ),
    _crossing(
        "second-call-goes-on-after-finish",
        "LOOP-010",
        "Doesn't take `finish` with args for `finish` in the second call of an instance.",
        begin=_count_calls,
        advance=when(_is_called_again, before(_goes_on_after_finish)),
    ),
    _crossing(
        "second-call-rounds-args",
        "TOOL-001",
        "Hands on rounded numbers in the second call of an instance.",
        begin=_count_calls,
        args=when(_is_called_again, args_changed(_rounded)),
    ),
    _crossing(
        "second-call-without-instructions",
        "STEP-005",
        "Asks for a step without the signature's instructions in the second call of an instance.",
        begin=_count_calls,
        adapter=when(_is_called_again, by_trajectory(on_request("step", writing(_without_instructions)))),
    ),
    _crossing(
        "json-hides-tool-errors",
        "ERR-007",
        "Shows no step whose tool failed, where JSON is asked for.",
        prompt=when(_in_json, _showing("step", _without_failures)),
    ),
    _crossing(
        "json-hands-on-mappings",
        "TOOL-009",
        "Hands on a mapping in the place of a model, where JSON is asked for.",
        args=when(_in_json, args_changed(_as_mapping)),
    ),
    _crossing(
        "xml-cuts-args",
        "ERR-010",
        "Hands on the beginning of a long text, where XML is asked for.",
        args=when(_in_xml, args_changed(if_text(lambda text: text[:_LONG]))),
    ),
    _crossing(
        "resumed-call-goes-on-after-finish",
        "LOOP-010",
        "Doesn't take `finish` with args for `finish`, once it has been resumed.",
        advance=when(_is_resumed, before(_goes_on_after_finish)),
    ),
    _crossing(
        "unreadable-reply-hides-tool-errors",
        "ERR-007",
        "Shows no step whose tool failed, once a reply couldn't be read.",
        adapter=reading(_note_unreadable),
        prompt=when(lambda site: "unreadable" in site.memory, _showing("step", _without_failures)),
    ),
    _crossing(
        "unknown-tool-finishes-at-marks",
        "ERR-028",
        "Takes an unknown tool for `finish`, where the thought has the mark of a final answer.",
        advance=before(_finishes_at_marks),
    ),
    _crossing(
        "two-kinds-of-outputs-lose-the-last-step",
        "EXT-001",
        "Extracts a text and a mapping without the last step, where the steps have run out.",
        prompt=when(
            lambda site: _has_two_kinds_of_outputs(site) and not site.state.finished,
            _showing("extraction", _without_last),
        ),
    ),
)
