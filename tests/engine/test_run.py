"""The runner does what it must: see `tests.support.suite_checks`."""

from collections.abc import Callable

import pytest

from react_tck.model.case import Invocation
from react_tck.model.outcome import Outcome, make_error_outcome
from react_tck.model.report import Verdict
from react_tck.subjects.api import Subject
from react_tck.subjects.python import BuiltSubject
from tests.support.hand_made import MANIFEST
from tests.support.suite_checks import CHECKS, Heard, run, verdict

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_runner(check: Callable[[], None]) -> None:
    check()


def test_a_listener_hears_of_every_selected_scenario() -> None:
    heard = Heard()
    run("reference", listener=heard)
    assert heard.announced == len(heard.results) == 1


def test_two_runs_of_one_seed_give_the_same_bytes() -> None:
    first, second = (run("reference").model_dump_json() for _ in range(2))
    assert first == second


def test_a_failure_reads_like_a_bug_report() -> None:
    heard = Heard()
    run("mutant:tool-run-twice", listener=heard)
    message = heard.results[0].message
    for part in (
        "LOOP-001 (MUST, S4 R2.1): On a step with",
        "features/core/loop.feature:",
        'at: Then the tool "add" ran once with {"a": 2, "b": 3}',
        "expected: 'add' runs exactly once\nactual:   it ran 2 times",
        ">>  4 tool add(",
        "reproduce: react-tck run --profile core -k 'ReAct selects and executes a tool' mutant:tool-run-twice",
    ):
        assert part in message


def test_a_failure_keeps_its_episode_as_it_is_drawn() -> None:
    heard = Heard()
    run("mutant:tool-run-twice", listener=heard)
    course = heard.results[0].course
    assert course is not None
    # The oracle knows what was due where the scenario's own sentence only counts.
    assert course.departure == 3
    assert [beat.does for beat in course.beats[2:4]] == ['runs add({"a": 2, "b": 3})'] * 2
    assert [(beat.lane, beat.does) for beat in course.due] == [("LM", "asks for a step")]


def test_an_exact_episode_fails_its_own_requirement_only() -> None:
    title = "The agent doesn't run a tool again that returned nothing"
    twice, unshown = (run(f"mutant:{name}", title) for name in ("call-repeated", "extraction-without-inputs"))
    assert verdict(twice, "SAN-003") is Verdict.FAILED
    assert (verdict(unshown, "SAN-003"), verdict(unshown, "EXT-001")) == (Verdict.PASSED, Verdict.FAILED)


class HalfAPair:
    """Says half a surrogate pair, whatever it is asked."""

    def call(self, _: Invocation) -> Outcome:
        """Fail."""
        return make_error_outcome(ValueError("\ud83d"))


def half_a_pair() -> Subject:
    """Its subject."""
    return BuiltSubject(MANIFEST.model_copy(update={"capabilities": ("arrow-signature",)}), lambda *_: HalfAPair())


def test_a_report_can_be_written_whatever_a_subject_says() -> None:
    report = run("python:tests.engine.test_run:half_a_pair")
    assert "ValueError: \\ud83d" in next(cause.message for cause in report.causes)
    assert report.model_dump_json()
