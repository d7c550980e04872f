"""Crossings of what came before a call, beside it or in a person's response: each is met by one variation."""

from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from react_tck.prove.mutants.crossings.blind import ending_the_turn
from react_tck.prove.mutants.crossings.drawn_prompts import has_failed_before, has_own_limit, noting_faults
from react_tck.prove.mutants.operators.crossings import (
    crossing,
    goes_on_after_finish,
    of_known_tools,
    rounded,
    showing,
    without_failures,
)
from react_tck.prove.mutants.operators.replies import args_changed
from react_tck.prove.mutants.operators.runs import Proceed, before, earlier_of, in_a, on, on_request, when
from react_tck.prove.mutants.operators.views import steps_retold, transcribing
from react_tck.reference import UdspyReAct, loop
from react_tck.reference.confirmation import Decision
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Beginning, Site


def _noting_edit(site: Site, proceed: Proceed, said: str) -> Decision:
    decision: Decision = proceed(said)
    site.kept["edited"] = decision.status == "edited"
    return decision


def _noting_rejection(site: Site, proceed: Proceed, said: str) -> Decision:
    decision: Decision = proceed(said)
    if decision.status == "rejected":
        site.memory["rejected"] = True
    return decision


def _noting_adapter(site: Site, adapter: Any) -> Any:
    site.memory.setdefault("adapters", set()).add(type(adapter))
    return adapter


def _counting_ends(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
    site.kept["ended before"] = site.memory.get("ended", 0)
    prediction = yield from proceed(beginning)
    site.memory["ended"] = site.memory.get("ended", 0) + 1
    return prediction


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType) and NoneType not in get_args(kind)


def _asks_for_union(site: Site) -> bool:
    return any(_is_union(field.annotation) for field in site.agent.signature.output_fields.values())


MUTANTS = {
    "edited-call-goes-on-after-finish": crossing(
        "LOOP-010",
        "Doesn't take `finish` with args for `finish`, once a person has edited a call.",
        response=_noting_edit,
        advance=when(lambda site: bool(site.kept.get("edited")), before(goes_on_after_finish)),
    ),
    "rejection-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, once a person has rejected a call of the instance.",
        response=_noting_rejection,
        prompt=when(lambda site: "rejected" in site.memory, showing("step", without_failures)),
    ),
    "failed-call-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, in the call after one that failed.",
        perform=on(loop.AskStep | loop.AskExtraction, noting_faults),
        prompt=when(has_failed_before, showing("step", without_failures)),
    ),
    "changed-adapter-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, once the instance has asked in two ways.",
        adapter=_noting_adapter,
        prompt=when(lambda site: len(site.memory.get("adapters", ())) > 1, showing("step", without_failures)),
    ),
    "adapter-of-the-first-native-step-is-kept": crossing(
        "ISO-001",
        "Asks for all native steps as it asked for the instance's first.",
        adapter=in_a(UdspyReAct, on_request("step", lambda site, adapter: site.memory.setdefault("adapter", adapter))),
    ),
    "failed-call-ends-the-turn-of-a-follow-up": crossing(
        "TRN-013",
        "Runs no call of a turn after one that failed, where the run goes on with an earlier one.",
        advance=transcribing(when(lambda site: bool(earlier_of(site.state)), ending_the_turn(loop.ToolFailed))),
    ),
    "call-aside-hides-unknown-tools": crossing(
        "TRJ-002",
        "Leaves the steps that name an unknown tool out, where another call of the instance has ended meanwhile.",
        run=_counting_ends,
        prediction=when(
            lambda site: bool(site.memory.get("ended", 0) > site.kept["ended before"]), steps_retold(of_known_tools)
        ),
    ),
    "own-limit-rounds-args": crossing(
        "TOOL-001",
        "Hands on rounded numbers in a call that has a limit of its own.",
        args=when(has_own_limit, args_changed(rounded)),
    ),
    "union-output-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, where an output may be of either of two types.",
        prompt=when(_asks_for_union, showing("step", without_failures)),
    ),
}
