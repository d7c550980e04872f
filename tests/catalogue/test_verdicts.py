"""Two verdicts: conformance counts MUSTs by specification, robustness counts practices by severity."""

import pytest

from react_tck.model.report import Ledger, RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import Threshold
from react_tck.reports.verdicts import conclude_run, conclude_run_in_a_line, verdict_lines
from react_tck.results.exit_status import Exit, broken_practices, declared_otherwise, exit_status, verdicts_of
from tests.support.reports import make_report, practice, result

PASSED, FAILED, UNSUPPORTED = Verdict.PASSED, Verdict.FAILED, Verdict.UNSUPPORTED
MODULE = result("SIG-001", PASSED, specification="react-module")
CLAIMS = {"revision": 3, "claims": ("react-module", "udspy")}
OTHERWISE = ScenarioResult(title="A row", verdict=FAILED, fault="'tool-error' is not as declared")


def otherwise() -> RequirementResult:
    """What the manifest declares was seen to be otherwise."""
    return result("SAN-010", FAILED, level=None, profile="sanitizer", scenarios=(OTHERWISE, OTHERWISE))


def test_a_specification_has_a_line_if_the_subject_claims_it_and_the_run_asked_for_it() -> None:
    udspy = result("UDS-001", FAILED, specification="udspy", profile="udspy")
    left_out = result("UDS-002", UNSUPPORTED, specification="udspy", profile="udspy")
    unclaimed = result("CNV-001", FAILED, level=None)
    found = verdicts_of(make_report(MODULE, udspy, left_out, unclaimed, **CLAIMS))
    assert found is not None
    module, other = found.conformance
    assert (module.specification, module.is_conformant, module.judged, module.unmet) == ("react-module", True, 1, ())
    assert (other.specification, other.is_conformant, other.judged) == ("udspy", False, 1)
    assert (other.unmet, other.unsupported) == (("UDS-001",), ("UDS-002",))
    alone = verdicts_of(make_report(MODULE, **CLAIMS))
    assert alone is not None
    assert [each.specification for each in alone.conformance] == ["react-module"]


def test_practices_are_counted_by_severity_and_never_as_musts() -> None:
    practices = (
        practice("SAN-006", FAILED, "critical"),
        practice("ERR-010", FAILED, "major"),
        practice("ERR-015", PASSED, "major"),
        practice("OBS-001", UNSUPPORTED, "minor"),
    )
    report = make_report(MODULE, *practices, **CLAIMS)
    assert conclude_run(report).plain.splitlines() == [
        "a subject 1",
        "  react-module  conformant: 1 of 1 MUST met",
        "  robustness    broken: 1 critical, 1 major, 0 minor of 3",
    ]
    told = "a subject 1: react-module conformant: 1 of 1 MUST met; robustness broken: 1 critical, 1 major, 0 minor of 3"
    assert conclude_run_in_a_line(report) == told
    assert [each.id for each in broken_practices(report)] == ["SAN-006", "ERR-010"]


def test_a_practice_is_held_against_the_subject_from_a_severity_on(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Threshold, Exit]] = [
        ("critical", "critical", Exit.NOT_CONFORMANT),
        ("major", "critical", Exit.CONFORMANT),
        ("major", "major", Exit.NOT_CONFORMANT),
        ("minor", "major", Exit.CONFORMANT),
        ("minor", "minor", Exit.NOT_CONFORMANT),
        ("critical", "off", Exit.CONFORMANT),
    ]
    for severity, threshold, status in cases:
        with subtests.test(severity=severity, threshold=threshold, status=status):
            report = make_report(MODULE, practice("ERR-004", FAILED, severity), **CLAIMS)
            assert exit_status(report, threshold) is status


def test_what_is_declared_otherwise_is_a_third_line_and_fails_the_run() -> None:
    report = make_report(MODULE, otherwise(), **CLAIMS)
    assert declared_otherwise(report) == ["'tool-error' is not as declared"]
    assert conclude_run(report).plain.splitlines()[-1] == "  declared otherwise  'tool-error' is not as declared"
    assert exit_status(report, "off") is Exit.NOT_CONFORMANT


def test_why_it_does_not_conform(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Verdict, str]] = [
        (FAILED, "not conformant: 1 of 2 MUST met; not met: LOOP-001"),
        (Verdict.EXPECTED_FAILURE, "not conformant: 1 of 2 MUST met; not met: LOOP-001, 1 of them expected"),
        (Verdict.FLAKY, "not shown to conform: 1 of 2 MUST met; flaky: LOOP-001"),
        (
            UNSUPPORTED,
            "not conformant: 1 of 1 MUST met, 1 unsupported; the core of the loop is unsupported (LOOP-001); "
            "1 of 2 areas were judged",
        ),
    ]
    for ended, sentence in cases:
        with subtests.test(ended=ended, sentence=sentence):
            report = make_report(MODULE, result("LOOP-001", ended, specification="react-module"), **CLAIMS)
            assert conclude_run(report).plain.splitlines()[1] == f"  react-module  {sentence}"
            assert ("; of the core of the loop: LOOP-001" in verdict_lines(report)[0].counts) is (ended is UNSUPPORTED)


def test_who_supports_nothing_of_a_specification_does_not_conform_to_it() -> None:
    nothing = result("UDS-001", UNSUPPORTED, specification="udspy", profile="udspy")
    told = conclude_run(make_report(MODULE, nothing, **CLAIMS)).plain
    assert (
        "  udspy         not conformant: 0 of 0 MUST met, 1 unsupported; it supports nothing that was asked of it"
        in told
    )


def test_who_is_asked_only_for_what_does_not_bind_it_has_shown_nothing() -> None:
    report = make_report(
        result("UDS-001", UNSUPPORTED, level=None), ledger=Ledger(registered=1, unsupported=1), **CLAIMS
    )
    assert conclude_run(report).plain == "a subject 1: not conformant, it supports nothing that was asked of it"
    assert exit_status(report) is Exit.NOT_CONFORMANT


def test_own_features_have_a_line_and_what_holds_everywhere_is_told_where_it_does_not() -> None:
    own, twice = result("ACME-001", PASSED), result("SAN-003", PASSED, specification="react-module")
    told = conclude_run(make_report(own, twice, features="mine", **CLAIMS)).plain
    assert told.splitlines() == ["a subject 1", "  mine  1 of 1 MUST met"]
    broken = own.model_copy(update={"verdict": FAILED}), twice.model_copy(update={"verdict": FAILED})
    report = make_report(*broken, features="mine", **CLAIMS)
    assert conclude_run(report).plain.splitlines()[1:] == [
        "  react-module  not conformant: 0 of 1 MUST met; not met: SAN-003",
        "  mine          not conformant: 0 of 1 MUST met; not met: ACME-001",
    ]
    assert exit_status(report) is Exit.NOT_CONFORMANT


def test_an_earlier_revision_has_one_verdict() -> None:
    report = make_report(result("SIG-001", PASSED), otherwise().model_copy(update={"level": "MUST"}))
    assert verdicts_of(report) is None
    assert conclude_run(report).plain == "a subject 1: not conformant, 1 MUST not met"
    assert exit_status(report) is Exit.NOT_CONFORMANT


def test_a_part_of_a_profile_in_which_a_practice_is_broken_says_so() -> None:
    broken = make_report(MODULE, practice("OBS-001", FAILED, "minor"), is_whole_profile=False, **CLAIMS)
    assert conclude_run(broken).plain.splitlines()[1:] == [
        "  react-module  1 of 1 MUST met in the part that was selected",
        "  robustness    broken: 0 critical, 0 major, 1 minor of 1",
    ]
    well = make_report(MODULE, practice("OBS-001", PASSED, "minor"), is_whole_profile=False, **CLAIMS)
    assert "conformance is shown by a whole profile" in conclude_run(well).plain
