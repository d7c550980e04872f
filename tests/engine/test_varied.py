"""Rows under variations: only of rows that pass, with the difference shown, and what comes before is no sentence's."""

import json

import pytest
from pydantic import JsonValue

from react_tck.catalogue.selection import Selection
from react_tck.engine import examiner
from react_tck.engine.run import Run
from react_tck.engine.varied import reduce_combination
from react_tck.fakes.tools import TOOLBOX
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.record import Record
from react_tck.model.report import Report, ScenarioResult, Verdict
from react_tck.model.signature import parse_arrow
from react_tck.play.session import Session
from react_tck.processes.supervised import SupervisedRun
from react_tck.steps.plays import VariedPlay, begin_play
from react_tck.subjects.catalogue import resolve
from react_tck.variations.change import Combination
from react_tck.variations.table import VARIATIONS
from tests.support.suite_checks import TITLE, Heard

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")


def play(subject: str, title: str) -> Report:
    return Run(resolve(subject), subject, Selection(title=title, vary="all")).report(Heard())


def results_of(report: Report) -> dict[str, ScenarioResult]:
    own = (each for each in report.requirements if each.profile != "sanitizer")
    return {row.variation: row for each in own for row in each.scenarios if row.title.startswith(TITLE)}


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

    monkeypatch.setattr(examiner, "describe_difference", describe)
    title = "The trajectory names the unknown tool that the LM selected {async}"
    report = play("mutant:async-unknown-tool-not-recorded", title)
    wrong = [row for each in report.requirements for row in (*each.scenarios, *each.departures) if row.course]
    assert len(wrong) > 1
    assert described == ["once"]


def test_no_variation_is_played_of_a_row_that_fails() -> None:
    rows = results_of(play("mutant:tool-run-twice", TITLE))
    assert rows.pop("").verdict is Verdict.FAILED
    assert {row.verdict for row in rows.values()} == {Verdict.NOT_SELECTED}
    assert {row.message for row in rows.values()} == {"without the variation the row doesn't pass"}


@pytest.mark.parametrize(
    ("variation", "more"),
    [("second call", 2), ("garbled first", 1), ("concurrent call", 0)],
)
def test_what_comes_before_is_seen_by_judges_and_not_by_sentences(variation: str, more: int) -> None:
    selection = Selection(title=f"{TITLE} {{{variation}}}", vary="all")
    plays = Run(resolve("reference"), "reference", selection, keeps_records=True)
    report, results = plays.run_with_results(Heard())
    assert results_of(report)[variation].verdict is Verdict.PASSED
    itself, varied, *_ = (
        Record.model_validate(json.loads(text)) for row in selection.rows for text in results.records[row.title]
    )
    assert len(varied.requests) - len(itself.requests) == more


def test_a_fault_of_a_later_turn_is_told_where_the_first_reply_was_garbled() -> None:
    title = "The agent never leaves out the newest step, however often a prompt doesn't fit [step, 3] {garbled first}"
    selection = Selection("upstream", title=title, vary="all")
    report = Run(resolve("reference-udspy"), "reference-udspy", selection).report(Heard())
    assert {row.title: row.verdict for each in report.requirements for row in each.scenarios}[title] is Verdict.PASSED


@pytest.mark.parametrize(
    ("row", "variation"),
    [
        ("A follow-up turn leaves the history it was given as it was", "agreed"),
    ],
)
def test_a_sentence_reads_a_varied_transcript_as_it_is_meant(row: str, variation: str) -> None:
    title = f"{row} {{{variation}}}"
    report = Run(
        resolve("reference-transcript"), "reference-transcript", Selection("all", title=title, vary="all")
    ).report(Heard())
    verdicts = {row.title: row.verdict for each in report.requirements for row in each.scenarios}
    assert verdicts[title] is Verdict.PASSED
    assert not report.causes


def test_the_call_before_has_the_history_that_another_variation_adds() -> None:
    """Without them it asks for nothing, and the scenario's own call is told what was meant for it."""
    parts = tuple(each for each in VARIATIONS if each.name in ("second call", "history"))
    script = Script(steps=(Finish(),), answers=(Answer(outputs={"answer": "yes"}),))
    episode = Episode(case=Case(id="x", signature=parse_arrow("question -> answer")), script=script, nonce="1")
    play = begin_play(resolve("reference"), episode, Combination(parts))
    assert play.call(Invocation(inputs={"question": "Why?"})).outputs == {"answer": "yes"}
    before, call = play.episode.case.invocations
    assert (before.inputs, before.history) == ({"question": "something of long ago"}, ())
    assert call.history == ({"question": "something of long ago", "answer": "something of long ago"},)


def test_workers_play_variations_as_one_process_does() -> None:
    name, selection = "mutant:tool-run-twice", Selection(title=TITLE, vary="sample")
    alone = Run(resolve(name), name, selection).report(Heard())
    assert SupervisedRun(name, selection, processes=2).report(Heard()) == alone


def play_question(*names: str) -> VariedPlay:
    """A question that the LM looks up and answers, played under the variations of these names."""
    call = CallTool(tool="search", args={"query": "hills"})
    script = Script(steps=(call, Finish()), answers=(Answer(outputs={"answer": "yes"}),))
    case = Case(id="x", signature=parse_arrow("question -> answer"), tools=(TOOLBOX["search"],))
    parts = tuple(each for each in VARIATIONS if each.name in names)
    play = begin_play(resolve("reference"), Episode(case=case, script=script, nonce="1"), Combination(parts))
    assert play.call(Invocation(inputs={"question": "Why?"})).outputs == {"answer": "yes"}
    assert isinstance(play, VariedPlay)
    return play


def test_a_call_that_a_person_is_asked_about_is_one_call_with_one_outcome_to_sentences() -> None:
    play = play_question("agreed")
    assert [outcome.status for outcome in play.record.outcomes] == ["suspended", "ok"]
    assert play.episode.case.invocations[0].resumptions[0].response == "yes"
    assert [outcome.status for outcome in play.told[1].outcomes] == ["ok"]


def test_a_call_aside_ends_while_the_first_request_waits_and_leaves_the_record_as_it_is() -> None:
    play = play_question("concurrent call")
    assert play.concurrent
    assert play.concurrent.record
    assert [outcome.outputs for outcome in play.concurrent.record.outcomes] == [{"answer": "something of long ago"}]
    assert len(play.concurrent.record.requests) == 2
    assert len(play.record.requests) == 3


def test_a_call_that_waits_beside_the_scenarios_own_is_in_no_record_of_it() -> None:
    play = play_question("called while waiting")
    assert play.concurrent
    assert play.concurrent.record
    assert [outcome.status for outcome in play.concurrent.record.outcomes] == ["suspended"]
    assert [outcome.status for outcome in play.record.outcomes] == ["suspended", "ok"]
    assert [outcome.status for outcome in play.told[1].outcomes] == ["ok"]
    assert [ran.tool for ran in play.record.tool_runs] == ["search"]


def test_the_prompt_behind_two_steps_is_cut_before_those_of_the_scenario() -> None:
    play = play_question("cut prompts")
    assert [asked.is_overflow for asked in play.record.requests] == [False, False, True, False, False, False]
    assert [ran.tool for ran in play.record.tool_runs] == ["glance", "glance", "search"]


def test_tools_are_given_more_args_and_null_for_a_default() -> None:
    (ran,) = play_question("more args").record.tool_runs
    assert ran.args == {"query": "hills", "pages": [12, 3], "edition": None}


def test_tools_are_declared_by_schemas_alone() -> None:
    play = play_question("declared tools")
    assert all(tool.is_declared for tool in play.episode.case.tools)
    assert [outcome.status for outcome in play.told[1].outcomes] == ["ok"]


def test_a_state_is_saved_after_a_call_of_which_no_record_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[int] = []
    dump = Session.dump_state

    def dump_state(session: Session) -> JsonValue:
        saved.append(session._calls)
        return dump(session)

    monkeypatch.setattr(Session, "dump_state", dump_state)
    assert len(play_question("loaded").record.outcomes) == 1
    assert saved == [1]


def test_a_call_in_json_comes_after_one_in_the_dialect_that_there_was() -> None:
    asked = [request.ask.dialect for request in play_question("JSON later").record.requests if request.ask]
    assert asked == ["chat", "chat", "json", "json", "json"]
