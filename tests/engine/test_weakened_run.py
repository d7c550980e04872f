"""Mutants of the runner: verdict, ledger and sanitizer code made lenient, each caught by the runner's checks."""

from collections.abc import Callable, Iterator

import pytest

from react_tck.catalogue.selection import NothingSelected, Selection
from react_tck.engine import examiner, replay
from react_tck.engine.run import Run
from react_tck.judges import sanitizers, tool_args
from react_tck.judges.table import JUDGES
from react_tck.judges.verdict import Violation
from react_tck.model.report import Ledger, Report, Verdict
from react_tck.results import exit_status, ledger
from react_tck.results.books import Listener
from tests.support import suite_checks as checks

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")

Weaken = Callable[[pytest.MonkeyPatch], None]


def violations_pass(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(examiner, "_VERDICTS", {**examiner._VERDICTS, AssertionError: Verdict.PASSED})


def the_best_scenario_decides(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ledger, "_WORST_FIRST", (Verdict.PASSED,))


def nothing_is_held_against_a_subject(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(exit_status, "_NOT_MET", set())
    patch.setattr(exit_status, "_BLOCKED", set())


def no_sanitizer_runs(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sanitizers, "SANITIZERS", {})


def any_args_will_do(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tool_args, "arrives_intact", lambda *_: True)


def the_oracle_agrees_with_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(examiner, "JUDGES", tuple(judge for judge in JUDGES if judge.name != "oracle"))


def nothing_is_played_again(patch: pytest.MonkeyPatch) -> None:
    def last(_: replay.Replayer) -> Iterator[tuple[replay.Played, Violation]]:
        yield from ()

    patch.setattr(replay.Replayer, "replay_last", last)


def every_record_is_the_same(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replay, "find_replay_difference", lambda _: iter(()))


def refusals_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(examiner.Examiner, "check_requests", lambda _: None)


def the_ledger_always_balances(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Ledger, "balances", True)


def a_run_of_nothing_counts(patch: pytest.MonkeyPatch) -> None:
    original = Run.report

    def report(self: Run, listener: Listener) -> Report:
        try:
            return original(self, listener)
        except NothingSelected:
            return Run(self.subject, self.subject_name, Selection(title=checks.TITLE)).report(listener)

    patch.setattr(Run, "report", report)


def unsupported_is_good_enough(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(exit_status, "is_conformant", lambda _: True)


@pytest.mark.parametrize(
    ("weaken", "check"),
    [
        (violations_pass, checks.a_violation_is_a_failed_scenario),
        (the_best_scenario_decides, checks.a_failed_scenario_fails_its_requirement),
        (nothing_is_held_against_a_subject, checks.a_failed_must_is_not_conformant),
        (no_sanitizer_runs, checks.a_sanitizer_speaks_up_by_itself),
        (any_args_will_do, checks.changed_args_are_seen),
        (the_oracle_agrees_with_everything, checks.a_departure_is_seen),
        (nothing_is_played_again, checks.a_changing_record_is_seen),
        (every_record_is_the_same, checks.a_changing_record_is_seen),
        (refusals_are_forgotten, checks.an_unexpected_request_is_refused_and_fails),
        (the_ledger_always_balances, checks.a_lost_scenario_is_noticed),
        (a_run_of_nothing_counts, checks.a_run_of_nothing_is_no_run),
        (unsupported_is_good_enough, checks.supporting_nothing_is_not_conformant),
    ],
    ids=lambda function: function.__name__,
)
def test_a_weakened_runner_is_caught(
    monkeypatch: pytest.MonkeyPatch, weaken: Weaken, check: Callable[[], None]
) -> None:
    weaken(monkeypatch)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check()
