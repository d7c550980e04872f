"""Rows under variations: only of rows that pass, with the difference shown, and what comes before is no sentence's."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine import judging
from react_tck.engine.run import Run
from react_tck.engine.varied import reduce_combination
from react_tck.fakes.tools import TOOLBOX
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.report import Report, ScenarioResult, Verdict
from react_tck.model.signature import parse_arrow
from react_tck.steps.plays import VariedPlay, begin_play
from react_tck.subjects.catalogue import resolve
from react_tck.variations.change import Combination
from react_tck.variations.table import VARIATIONS
from tests.support.suite_checks import Heard

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")


def play(subject: str, title: str) -> Report:
    return Run(resolve(subject), subject, Selection(title=title, vary="all")).report(Heard())


class Unordered:
    """The reference with its tools in another order by chance, as a map of Go's gives them."""

    def __init__(self) -> None:
        self._reference, self._chance = resolve("reference"), Random(7)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reference, name)

    def construct(self, signature: Any, tools: tuple[Any, ...], options: Any, endpoints: Any) -> Any:
        order = self._chance.sample(range(len(tools)), len(tools))
        mixed = replace(endpoints, tools=tuple(endpoints.tools[at] for at in order))
        return self._reference.construct(signature, tuple(tools[at] for at in order), options, mixed)


def test_who_differs_from_himself_is_told_that_and_nothing_else() -> None:
    tags = "@ISO-001 or @ISO-002 or @ASY-001 or @SAN-009"
    report = Run(Unordered(), "reference", Selection("all", tags=tags), replays=False).report(Heard())
    assert [each.id for each in report.requirements if each.verdict is Verdict.FAILED] == ["SAN-009"]


def test_a_variation_of_a_row_that_passes_fails_by_itself_and_shows_where_it_parts() -> None:
    report = play(
        "mutant:async-unknown-tool-not-recorded", "The trajectory names the unknown tool that the LM selected {async}"
    )
    rows = [row for each in report.requirements if each.id == "TRJ-002" for row in each.scenarios]
    red = next(row for row in rows if row.variation == "async")
    assert red.verdict is Verdict.FAILED
    assert all(row.verdict is not Verdict.FAILED for row in rows if not row.variation)
    assert "varied: Every call and resumption is asynchronous. Without {async} the row passes." in red.message
    assert red.title.endswith("{async}")
    assert f"-k '{red.title}' --vary all" in red.reproduce.replace("'\"'\"'", "'")
    assert report.ledger.balances


@pytest.mark.parametrize("needed", [{"async"}, {"async", "loaded"}, {"json", "history", "loaded"}])
def test_a_failing_combination_is_reduced_to_those_that_it_takes(needed: set[str]) -> None:
    names = ("async", "json", "history", "agreed", "loaded")
    whole, played = Combination(tuple(each for each in VARIATIONS if each.name in names)), list[str]()

    def fails(fewer: Combination) -> bool:
        played.append(fewer.name)
        return needed <= {part.name for part in fewer.parts}

    assert {part.name for part in reduce_combination(whole, fails).parts} == needed
    assert len(played) <= 10


def test_a_failure_under_five_variations_is_told_under_the_one_that_it_takes() -> None:
    """What it takes in STEP-005 is that the instance was called before; the oracle sees what was played."""
    (row,) = (row for row in Selection(tags="@STEP-005", vary="sample").rows if "called while waiting" in row.title)
    subject = "mutant:second-call-without-instructions"
    report = Run(resolve(subject), subject, Selection("all", title=row.title, vary="sample")).report(Heard())
    told = [each for each in results_titled(report, row.title) if each.verdict is Verdict.FAILED]
    assert {each.variation for each in told} == {"called while waiting"}
    assert all("Without {called while waiting} the row passes." in each.message for each in told)
    assert not any("doesn't wait" in each.message for each in told)
    assert report.ledger.balances


def results_titled(report: Report, title: str) -> list[ScenarioResult]:
    rows = (row for each in report.requirements for row in (*each.scenarios, *each.departures))
    return [row for row in rows if row.title == title]


def test_the_row_without_its_variation_is_played_once_more_for_all_that_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    described: list[str] = []

    def describe(*_: object) -> str:
        described.append("once")
        return "varied: so"

    monkeypatch.setattr(judging, "describe_difference", describe)
    title = "The trajectory names the unknown tool that the LM selected {async}"
    report = play("mutant:async-unknown-tool-not-recorded", title)
    wrong = [row for each in report.requirements for row in (*each.scenarios, *each.departures) if row.course]
    assert len(wrong) > 1
    assert described == ["once"]


def play_question(*names: str) -> VariedPlay:
    """A question that the LM looks up and answers, played under the variations of these names."""
    call = CallTool(tool="search", args={"query": "hills"})
    script = Script(steps=(call, Finish()), answers=(Answer(outputs={"answer": "yes"}),))
    case = Case(id="x", signature=parse_arrow("question -> answer"), tools=(TOOLBOX["search"],))
    parts = tuple(each for each in VARIATIONS if each.name in names)
    play = begin_play(resolve("reference"), Episode(case=case, script=script, nonce="1"), Combination(parts))
    assert play.make_call(Invocation(inputs={"question": "Why?"})).outputs == {"answer": "yes"}
    assert isinstance(play, VariedPlay)
    return play


def test_a_concurrent_call_ends_while_the_first_request_waits_and_leaves_the_record_as_it_is() -> None:
    play = play_question("concurrent call")
    assert play.concurrent
    assert play.concurrent.record
    assert [outcome.outputs for outcome in play.concurrent.record.outcomes] == [{"answer": "something of long ago"}]
    assert len(play.concurrent.record.requests) == 2
    assert len(play.record.requests) == 3
