"""The first screen of a run, as drawn: thirty lines of eighty columns, verdict first, then by weight and rows."""

from typing import Any

import pytest

from react_tck.catalogue.features import load_features
from react_tck.model.report import Ledger, Report, ScenarioResult, Verdict
from react_tck.reports.first_screen import LINES, WIDTH, render_first_screen
from tests.support.reports import make_report, practice, result

FAILED, PASSED, ERROR = Verdict.FAILED, Verdict.PASSED, Verdict.ERROR
OWN = {each.requirement_id: each.row_titles[0] for each in reversed(load_features())}


def rows(verdict: Verdict, *titles: str, actual: str = "something else was seen there") -> tuple[ScenarioResult, ...]:
    seen: dict[str, Any] = {"verdict": verdict, "actual": actual}
    return tuple(
        ScenarioResult(title=each, fault=f"broke: {each}", reproduce=f"react-tck {each}", **seen) for each in titles
    )


def judged(*results: Any, **more: Any) -> Report:
    module = {"claims": ("react-module",), "revision": 3, "ledger": Ledger(registered=9, passed=8, failed=1)}
    return make_report(*results, **{**module, **more})


def must(id_: str, verdict: Verdict, *found: ScenarioResult, **more: Any) -> Any:
    fields = {"specification": "react-module", "scenarios": found, "title": f"what {id_} demands", **more}
    return result(id_, verdict, **fields)


def told(report: Report, seconds: float | None = 58.4) -> str:
    lines = [line.plain.rstrip() for line in render_first_screen(report, "mine", seconds)]
    assert len(lines) <= LINES
    assert all(len(line) <= WIDTH for line in lines if "react-tck" not in line), lines
    return "\n".join(lines)


def test_a_conformant_subject() -> None:
    seen = rows(FAILED, OWN["LOOP-001"])
    broken = practice("ERR-014", FAILED, "minor", scenarios=seen, title="Text reaches the LM unescaped")
    assert told(judged(must("LOOP-001", PASSED, *rows(PASSED, "b")), broken)) == (
        "a subject 1   9 rows in 58 s                         react-tck 0.1.0, revision 3\n"
        "\n"
        "CONFORMANT to react-module  1 of 1 MUST met\n"
        "robustness                  broken: 0 critical, 0 major, 1 minor of 1\n"
        "\n"
        "minor\n"
        "  ERR-014   Text reaches the LM unescaped                                  1 row\n"
        "            something else was seen there\n"
        "\n"
        f"one of them   {seen[0].reproduce}\n"
        "why           react-tck explain ERR-014\n"
        'not gated: 1 minor broken; [gate] robustness = "minor" would fail'
    )


def test_musts_come_first_then_what_breaks_most_rows() -> None:
    own = OWN["TRJ-005"]
    report = judged(
        practice("ERR-002", FAILED, "critical", scenarios=rows(FAILED, "a", "b", "c", "d")),
        must("TOOL-003", FAILED, *rows(FAILED, "e")),
        must("TRJ-005", FAILED, *rows(FAILED, own, "g", actual="its keys are numbered 2, 3")),
        must("SAN-007", Verdict.BLOCKED, *rows(FAILED, "a"), blocked_by=("ERR-023", "ERR-002")),
        practice("ERR-023", FAILED, "major", scenarios=rows(FAILED, "a")),
    )
    assert told(report).splitlines()[2:] == [
        "NOT CONFORMANT to react-module  0 of 3 MUST met",
        "robustness                      broken: 1 critical, 1 major, 0 minor of 2",
        "",
        "MUST not met",
        "  TRJ-005   what TRJ-005 demands                                          2 rows",
        "            its keys are numbered 2, 3",
        "  TOOL-003  what TOOL-003 demands                                          1 row",
        "            something else was seen there",
        "  SAN-007   what SAN-007 demands (ERR-023)                                 1 row",
        "            something else was seen there",
        "critical",
        "  ERR-002                                                                 4 rows",
        "            something else was seen there",
        "",
        "one of them   react-tck run mine -k TRJ-005",
        "why           react-tck explain TRJ-005",
    ]


def test_what_doesnt_fit_is_counted() -> None:
    many = (practice(f"ERR-{n:03}", FAILED, "major", scenarios=rows(FAILED, str(n))) for n in range(1, 25))
    text = told(judged(must("LOOP-001", PASSED), *many))
    shown = text.count("something else")
    assert 5 < shown < 24
    assert f"\n{24 - shown} more are broken: {24 - shown} major (-v, or --report html=FILE)\n" in text


def test_a_verdict_stands_beside_what_broke_the_harness() -> None:
    broken = must("ERR-025", ERROR, *rows(ERROR, "x", "the harness did not answer 'call' within 60 seconds"))
    ledger = Ledger(registered=506, passed=504, errors=2)
    assert told(judged(must("LOOP-001", PASSED, *rows(PASSED, "b")), broken, ledger=ledger), 410).splitlines() == [
        "a subject 1   504 of 506 rows judged in 410 s; in 2 the harness broke",
        "",
        "CONFORMANT in what was judged  1 of 1 MUST met, not judged: ERR-025",
        "",
        "harness broke (exit 3)",
        "  ERR-025   what ERR-025 demands                                           1 row",
        "            broke: x",
        "  ERR-025   what ERR-025 demands                                           1 row",
        "            broke: the harness did not answer 'call' within 60 seconds",
        "            does your library ask the LM again by itself, or wait for ever?",
    ]


def test_beside_errors_what_is_judged_has_its_verdict_and_its_list() -> None:
    errors = must("ERR-025", ERROR, *rows(ERROR, "x", "y")), must("ISO-001", ERROR, *rows(ERROR, "z"))
    failing = must("TRJ-005", FAILED, *rows(FAILED, OWN["TRJ-005"], "g", actual="its keys are numbered 2, 3"))
    ledger = Ledger(registered=506, passed=501, failed=2, errors=3)
    passing = must("LOOP-001", PASSED, *rows(PASSED, "b"))
    assert told(judged(passing, failing, *errors, ledger=ledger), 12) == (
        "a subject 1   503 of 506 rows judged in 12 s; in 3 the harness broke\n"
        "\n"
        "NOT CONFORMANT to react-module  1 of 2 MUST met, not judged: ERR-025, ISO-001\n"
        "\n"
        "harness broke (exit 3)\n"
        "  ERR-025   what ERR-025 demands                                           1 row\n"
        "            broke: x\n"
        "  ERR-025   what ERR-025 demands                                           1 row\n"
        "            broke: y\n"
        "  ISO-001   what ISO-001 demands                                           1 row\n"
        "            broke: z\n"
        "MUST not met\n"
        "  TRJ-005   what TRJ-005 demands                                          2 rows\n"
        "            its keys are numbered 2, 3\n"
        "\n"
        "one of them   react-tck run mine -k TRJ-005\n"
        "why           react-tck explain TRJ-005"
    )


def test_what_looks_like_the_adapters_stands_above_the_musts() -> None:
    several = [
        title
        for each in load_features()
        if any('-> answer, source"' in step.text for step in each.steps)
        for title in each.row_titles
    ]
    fails, passes = must("EXT-001", FAILED, *rows(FAILED, *several)), must("LOOP-001", PASSED, *rows(PASSED, "b"))
    lines = told(judged(passes, fails)).splitlines()
    assert lines[4:7] == [
        f"your adapter?  no row with several outputs passes ({len(several)}):",
        "               does it read a JSON text of several outputs?",
        "MUST not met",
    ]
    assert "adapter" not in told(judged(must("LOOP-001", PASSED, *rows(PASSED, several[0])), fails))


def test_rows_that_took_long_are_told() -> None:
    seconds = {"a quick row": 9.0, "a slow row": 61.2, "a row": 12.0, "another": 10.5}
    lines = render_first_screen(judged(must("LOOP-001", PASSED, *rows(PASSED, "b"))), "mine", 90, seconds)
    assert [line.plain for line in lines][-2:] == ["took 61 s: a slow row", "took 12 s: a row"]


def test_what_the_baseline_lists_comes_last() -> None:
    listed = must("LOOP-001", Verdict.EXPECTED_FAILURE, *rows(Verdict.EXPECTED_FAILURE, "a"))
    text = told(judged(listed, practice("ERR-014", FAILED, "minor", scenarios=rows(FAILED, "b"))))
    assert text.index("ERR-014") < text.index("as the baseline lists\n  LOOP-001")


def test_who_claims_nothing_of_a_profile_is_told_who_does() -> None:
    unsupported = must("TRN-001", Verdict.UNSUPPORTED, *rows(Verdict.UNSUPPORTED, "a"), specification="transcript")
    lines = told(judged(unsupported, profile="transcript")).splitlines()
    assert lines[2:4] == [
        "NOTHING WAS JUDGED  it claims none of what transcript is about",
        "of the kit's own classes reference-transcript does",
    ]


@pytest.mark.parametrize("stopped", [{"interrupted": "SIGINT"}, {"kit_errors": ("a row: KeyError",)}])
def test_without_a_verdict_it_says_so(stopped: dict[str, Any]) -> None:
    text = told(judged(must("LOOP-001", FAILED, *rows(FAILED, "a")), **stopped))
    assert "there is no verdict" in text
    assert "CONFORMANT" not in text
    assert "LOOP-001" in text
