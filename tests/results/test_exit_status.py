"""Who conforms: every MUST met, the core of the loop there, and something shown."""

from typing import Any

import pytest

from react_tck.catalogue.registry import load_registry, requirements_of
from react_tck.model.report import Verdict
from react_tck.reports.verdicts import conclude_run
from react_tck.results.exit_status import CORE_OF_THE_LOOP, Exit, exit_status, unsupported_core
from tests.support.reports import make_report, result

PASSED, FAILED = (result("SIG-001", verdict) for verdict in (Verdict.PASSED, Verdict.FAILED))


def test_the_core_of_the_loop_are_requirements() -> None:
    assert {requirements_of(2).by_id[id_].level for id_ in CORE_OF_THE_LOOP} == {"MUST"}
    assert {load_registry().by_id[id_].weight for id_ in CORE_OF_THE_LOOP} == {"MUST", "critical"}


@pytest.mark.parametrize("id_", CORE_OF_THE_LOOP)
def test_who_leaves_out_a_part_of_it_does_not_conform(id_: str) -> None:
    report = make_report(PASSED, result(id_, Verdict.UNSUPPORTED))
    assert (unsupported_core(report), exit_status(report)) == ([id_], Exit.NOT_CONFORMANT)
    assert f"the core of the loop is unsupported ({id_}); 1 of 2 areas were judged" in conclude_run(report).plain


def test_another_requirement_may_be_left_out() -> None:
    report = make_report(PASSED, result("TRJ-003", Verdict.UNSUPPORTED))
    assert exit_status(report) is Exit.CONFORMANT
    assert "a subject 1: conformant" in conclude_run(report).plain


def test_a_part_of_a_profile_is_no_conformance() -> None:
    told = conclude_run(make_report(PASSED, is_whole_profile=False)).plain
    assert "conformance is shown by a whole profile" in told
    assert ": conformant" not in told
    assert "not conformant" in conclude_run(make_report(FAILED, is_whole_profile=False)).plain


@pytest.mark.parametrize("verdict", [Verdict.UNSUPPORTED, Verdict.UNTESTABLE])
@pytest.mark.parametrize("claims", [("react-module",), ("conversation",)])
def test_a_part_in_which_nothing_passed_shows_nothing(verdict: Verdict, claims: Any) -> None:
    """It ended with "nothing failed" and 0 where the subject didn't claim what the scenario is about."""
    asked = result("LOOP-001", verdict, specification="react-module")
    beside = result("SAN-001", Verdict.PASSED, profile="sanitizer")
    report = make_report(asked, beside, is_whole_profile=False, revision=3, claims=claims)
    assert exit_status(report) is Exit.NOT_CONFORMANT
    assert "nothing was shown, for no scenario was judged" in conclude_run(report).plain
    shown = make_report(asked, beside, PASSED, is_whole_profile=False, revision=3, claims=("conversation",))
    assert exit_status(shown) is Exit.CONFORMANT
    assert "nothing failed" in conclude_run(shown).plain
