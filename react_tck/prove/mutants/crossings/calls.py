"""Crossings of what came before a call, beside it or in a person's response: each is met by one variation."""

from typing import Any

from react_tck.prove.mutants.crossings.blind import ending_the_turn
from react_tck.prove.mutants.operators.crossings import (
    crossing,
    of_known_tools,
    showing,
    without_failures,
)
from react_tck.prove.mutants.operators.runs import Proceed, earlier_of, in_a, on_request, when
from react_tck.prove.mutants.operators.views import steps_retold, transcribing
from react_tck.reference import UdspyReAct, loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Beginning, Site


def _noting_adapter(site: Site, adapter: Any) -> Any:
    site.memory.setdefault("adapters", set()).add(type(adapter))
    return adapter


def _counting_ends(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
    site.kept["ended before"] = site.memory.get("ended", 0)
    prediction = yield from proceed(beginning)
    site.memory["ended"] = site.memory.get("ended", 0) + 1
    return prediction


MUTANTS = {
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
    "concurrent-hides-unknown-tools": crossing(
        "TRJ-002",
        "Leaves the steps that name an unknown tool out, where another call of the instance has ended meanwhile.",
        run=_counting_ends,
        prediction=when(
            lambda site: bool(site.memory.get("ended", 0) > site.kept["ended before"]), steps_retold(of_known_tools)
        ),
    ),
}
