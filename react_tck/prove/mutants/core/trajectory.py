"""Violations of what the trajectory tells, and of how it is kept (TRJ-…)."""

from collections.abc import Callable
from itertools import count
from typing import Any

import dspy

from react_tck.dialects.markup import as_text
from react_tck.model.base import JsonObject
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.runs import (
    Proceed,
    Steps,
    after,
    event_changed,
    has_finished,
    is_async,
    observed,
    when,
)
from react_tck.prove.mutants.operators.views import retold, steps_retold, without_key
from react_tck.reference import UdspyReAct, loop
from react_tck.reference.seams import Beginning, Site

_RUNS = count()
_LOST = without_key("trajectory")


def _has_used_a_tool(site: Site) -> bool:
    return any(step.tool != loop.FINISH for step in site.state.steps)


def _thought_not_read(_site: Site, event: loop.Event) -> loop.Event:
    return event.model_copy(update={"thought": ""}) if isinstance(event, loop.StepChosen) else event


def _thoughts_of_chat_only(_site: Site, steps: Steps) -> Steps:
    if isinstance(dspy.settings.adapter, dspy.JSONAdapter | dspy.XMLAdapter):
        return tuple(step.model_copy(update={"thought": ""}) for step in steps)
    return steps


def _all_calls(site: Site, steps: Steps) -> Steps:
    site.memory["steps"] = (*site.memory.get("steps", ()), *steps)
    return site.memory["steps"]  # type: ignore[no-any-return]


def _numbered(site: Site, told: dict[str, Any]) -> dict[str, Any]:
    if isinstance(site.agent, UdspyReAct):  # which keys that has is UDS-001's affair
        return told
    run = next(_RUNS)
    return told | {f"run_{index}": run for index in range(len(site.state.steps))}


def _finish_in_part(site: Site, told: dict[str, Any]) -> dict[str, Any]:
    last = len(site.state.steps) - 1
    return {key: value for key, value in told.items() if key not in (f"tool_args_{last}", f"observation_{last}")}


def _as_recorded(change: Callable[[Any], Any]) -> Callable[[Site, Steps], Steps]:
    return lambda _, steps: tuple(observed(step, change(step.observation)) for step in steps)


def _by_thought(_site: Site, steps: Steps) -> Steps:
    last = {step.thought: step.observation for step in steps}
    return tuple(observed(step, last[step.thought]) for step in steps)


_LONG = 1000


def _cut(value: Any) -> Any:
    return f"{value[:_LONG]}..." if isinstance(value, str) and len(value) > _LONG else value


def _cut_args(_site: Site, steps: Steps) -> Steps:
    return tuple(step.model_copy(update={"args": _without_middles(step.args)}) for step in steps)


def _without_middles(args: JsonObject) -> JsonObject:
    long = {name: str(value) for name, value in args.items() if len(str(value)) > _LONG}
    return args | {name: f"{text[:_LONG]}...{text[-_LONG:]}" for name, text in long.items()}


def _args_uncopied(_site: Site, proceed: Proceed, call: loop.Call) -> dict[str, Any]:
    """Return the lists and objects of the call itself, which is on record."""
    converted: dict[str, Any] = proceed(call)
    return converted | {name: call.args[name] for name, value in converted.items() if type(value) in (dict, list)}


def _nothing_kept(site: Site, beginning: Beginning) -> Beginning:
    site.memory["kept"] = {}
    return beginning


def _kept(site: Site, proceed: Proceed, result: Any) -> Any:
    site.memory.setdefault("kept", {})[f"observation_{len(site.state.steps)}"] = result
    return proceed(result)


def _phantom(site: Site, steps: Steps) -> Steps:
    return (*steps, loop.Step(thought="", tool=next(iter(site.agent.bound)), args={}, observation=""))


MUTANTS = {
    "trajectory-missing": mutant("TRJ-001", "Returns the outputs alone.", prediction=_LOST),
    "trajectory-only-when-finished": mutant(
        "TRJ-001",
        "Returns no trajectory if the steps ran out.",
        prediction=when(lambda site: not has_finished(site.state.steps), _LOST),
    ),
    "trajectory-only-after-tools": mutant(
        "TRJ-001",
        "Returns no trajectory if no tool was used.",
        prediction=when(lambda site: not _has_used_a_tool(site), _LOST),
    ),
    "trajectory-missing-from-async-calls": mutant(
        "TRJ-001", "Returns the outputs alone from the async entry point.", prediction=when(is_async, _LOST)
    ),
    "thought-not-read": mutant(
        "TRJ-002",
        "Reads the tool and the args of a step, and not its thought.",
        perform=event_changed(_thought_not_read),
    ),
    "thoughts-lost-outside-chat": mutant(
        "TRJ-002", "Finds thoughts in the chat dialect only.", prediction=steps_retold(_thoughts_of_chat_only)
    ),
    "last-step-lost-at-max-steps": mutant(
        "TRJ-002",
        "Leaves the last step out if the steps ran out.",
        prediction=steps_retold(lambda site, steps: steps if has_finished(site.state.steps) else steps[:-1]),
    ),
    "repeated-step-merged": mutant(
        "TRJ-002",
        "Records the same call only once.",
        prediction=steps_retold(lambda _, steps: tuple({(s.tool, str(s.args)): s for s in steps}.values())),
    ),
    "trajectory-of-earlier-calls-kept": mutant(
        "TRJ-002", "Returns the steps of all calls the instance has had.", prediction=steps_retold(_all_calls)
    ),
    "observations-recorded-without-blanks": mutant(
        "TRJ-007",
        "Records results with one blank for all blank space in them.",
        prediction=steps_retold(_as_recorded(lambda seen: " ".join(seen.split()) if isinstance(seen, str) else seen)),
    ),
    "observations-recorded-in-words": mutant(
        "TRJ-007",
        "Records beside each result that it is one.",
        prediction=steps_retold(_as_recorded(lambda seen: f"The tool returned: {as_text(seen)}")),
    ),
    "nothing-recorded-of-falsehoods": mutant(
        "TRJ-007",
        "Records null for every result that is false in Python.",
        prediction=steps_retold(_as_recorded(lambda seen: seen or None)),
    ),
    "one-observation-a-thought": mutant(
        "TRJ-007",
        "Records for all steps of one thought what the last of them observed.",
        prediction=steps_retold(_by_thought),
    ),
    "trace-depends-on-run": mutant(
        "TRJ-003", "Numbers the runs, and notes the number beside every step.", prediction=retold(_numbered)
    ),
    "question-in-trace": mutant(
        "TRJ-003",
        "Notes beside the first step what was asked.",
        prediction=retold(lambda site, told: told | {"task_0": str(site.inputs)}),
    ),
    "finish-recorded-in-part": mutant(
        "TRJ-004",
        "Records of `finish` the thought and the name only.",
        prediction=when(
            lambda site: has_finished(site.state.steps) and not isinstance(site.agent, UdspyReAct),
            retold(_finish_in_part),
        ),
    ),
    "finish-recorded-only-after-tools": mutant(
        "TRJ-004",
        "Records `finish` unless it was the first step.",
        prediction=steps_retold(lambda _, steps: steps if len(steps) > 1 else ()),
    ),
    "trajectory-truncated": mutant(
        "TRJ-005", "Returns the last ten steps only.", prediction=steps_retold(lambda _, steps: steps[-10:])
    ),
    "long-observations-cut": mutant(
        "TRJ-005",
        "Shortens long observations in the trajectory it returns.",
        prediction=retold(lambda _site, told: {key: _cut(value) for key, value in told.items()}),
    ),
    "long-args-cut": mutant(
        "TRJ-005", "Shortens the middle of long args in the trajectory it returns.", prediction=steps_retold(_cut_args)
    ),
    "forgotten-steps-not-returned": mutant(
        "TRJ-005",
        "Returns the trajectory without the steps it left out of a prompt.",
        prediction=steps_retold(lambda site, _: site.state.shown_steps),
    ),
    "trajectory-aliases-args": mutant(
        "TRJ-006", "Keeps the args it gave to the tool, not a copy.", args=_args_uncopied
    ),
    "trajectory-aliases-observation": mutant(
        "TRJ-006",
        "Keeps the object the tool returned, not a copy.",
        begin=after(_nothing_kept),
        observation=_kept,
        prediction=retold(lambda site, told: told | site.memory.get("kept", {})),
    ),
    "phantom-step": mutant(
        "TRJ-002", "Records a step that was never taken.", prediction=by_trajectory(steps_retold(_phantom))
    ),
}
