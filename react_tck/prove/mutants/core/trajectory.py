"""Violations of what the trajectory tells (TRJ-001 to TRJ-004)."""

from collections.abc import Callable
from itertools import count
from typing import Any

import dspy

from react_tck.dialects.markup import as_text
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.runs import Steps, event_changed, has_finished, is_async, observed, when
from react_tck.prove.mutants.operators.views import retold, steps_retold, without_key
from react_tck.reference import UdspyReAct, loop
from react_tck.reference.seams import Site

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


def _is_free_in_what_it_records(site: Site) -> bool:
    # What udspy records of `finish` is UDS-001's affair.
    return has_finished(site.state.steps) and not isinstance(site.agent, UdspyReAct)


def _as_recorded(change: Callable[[Any], Any]) -> Callable[[Site, Steps], Steps]:
    return lambda _, steps: tuple(observed(step, change(step.observation)) for step in steps)


def _by_thought(_site: Site, steps: Steps) -> Steps:
    last = {step.thought: step.observation for step in steps}
    return tuple(observed(step, last[step.thought]) for step in steps)


def _phantom(site: Site, steps: Steps) -> Steps:
    return (*steps, loop.Step(thought="", tool=next(iter(site.agent.bound)), args={}, observation=""))


MUTANTS = (
    mutant("trajectory-missing", "TRJ-001", "Returns the outputs alone.", prediction=_LOST),
    mutant(
        "trajectory-only-when-finished",
        "TRJ-001",
        "Returns no trajectory if the steps ran out.",
        prediction=when(lambda site: not has_finished(site.state.steps), _LOST),
    ),
    mutant(
        "trajectory-only-after-tools",
        "TRJ-001",
        "Returns no trajectory if no tool was used.",
        prediction=when(lambda site: not _has_used_a_tool(site), _LOST),
    ),
    mutant(
        "trajectory-missing-from-async-calls",
        "TRJ-001",
        "Returns the outputs alone from the async entry point.",
        prediction=when(is_async, _LOST),
    ),
    mutant(
        "thought-not-read",
        "TRJ-002",
        "Reads the tool and the args of a step, and not its thought.",
        perform=event_changed(_thought_not_read),
    ),
    mutant(
        "thoughts-lost-outside-chat",
        "TRJ-002",
        "Finds thoughts in the chat dialect only.",
        prediction=steps_retold(_thoughts_of_chat_only),
    ),
    mutant(
        "last-step-lost-at-max-steps",
        "TRJ-002",
        "Leaves the last step out if the steps ran out.",
        prediction=steps_retold(lambda site, steps: steps if has_finished(site.state.steps) else steps[:-1]),
    ),
    mutant(
        "repeated-step-merged",
        "TRJ-002",
        "Records the same call only once.",
        prediction=steps_retold(lambda _, steps: tuple({(s.tool, str(s.args)): s for s in steps}.values())),
    ),
    mutant(
        "trajectory-of-earlier-calls-kept",
        "TRJ-002",
        "Returns the steps of all calls the instance has had.",
        prediction=steps_retold(_all_calls),
    ),
    mutant(
        "observations-recorded-without-blanks",
        "TRJ-007",
        "Records results with one blank for all blank space in them.",
        prediction=steps_retold(_as_recorded(lambda seen: " ".join(seen.split()) if isinstance(seen, str) else seen)),
    ),
    mutant(
        "observations-recorded-in-words",
        "TRJ-007",
        "Records beside each result that it is one.",
        prediction=steps_retold(_as_recorded(lambda seen: f"The tool returned: {as_text(seen)}")),
    ),
    mutant(
        "nothing-recorded-of-falsehoods",
        "TRJ-007",
        "Records null for every result that is false in Python.",
        prediction=steps_retold(_as_recorded(lambda seen: seen or None)),
    ),
    mutant(
        "one-observation-a-thought",
        "TRJ-007",
        "Records for all steps of one thought what the last of them observed.",
        prediction=steps_retold(_by_thought),
    ),
    mutant(
        "trace-depends-on-run",
        "TRJ-003",
        "Numbers the runs, and notes the number beside every step.",
        prediction=retold(_numbered),
    ),
    mutant(
        "question-in-trace",
        "TRJ-003",
        "Notes beside the first step what was asked.",
        prediction=retold(lambda site, told: told | {"task_0": str(site.inputs)}),
    ),
    mutant(
        "finish-recorded-in-part",
        "TRJ-004",
        "Records of `finish` the thought and the name only.",
        prediction=when(_is_free_in_what_it_records, retold(_finish_in_part)),
    ),
    mutant(
        "finish-recorded-only-after-tools",
        "TRJ-004",
        "Records `finish` unless it was the first step.",
        prediction=steps_retold(lambda _, steps: steps if len(steps) > 1 else ()),
    ),
    mutant(
        "phantom-step",
        "TRJ-002",
        "Records a step that was never taken.",
        prediction=by_trajectory(steps_retold(_phantom)),
    ),
)
