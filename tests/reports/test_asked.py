"""What a release is asked less often than the last one is computed from the reports, with the reason of each row."""

from react_tck.model.report import Report, ScenarioResult, SubjectInfo, Verdict
from react_tck.reports.asked import find_asked_less, group_by_reason
from react_tck.reports.history import History
from react_tck.reports.page.releases import releases_page
from tests.support.reports import make_report, result


def release(version: str, **rows: tuple[Verdict, str]) -> Report:
    """A report of one requirement with these rows."""
    made = tuple(ScenarioResult(title=title, verdict=verdict, message=why) for title, (verdict, why) in rows.items())
    return make_report(
        result("ASY-001", Verdict.PASSED, scenarios=made), subject=SubjectInfo(name="lib.ReAct", version=version)
    )


PLAYED = (Verdict.PASSED, "")
RED = (Verdict.FAILED, "wrong")
NOT_DECLARED = (Verdict.UNSUPPORTED, "lib.ReAct does not declare 'async'")


def test_rows_that_the_last_release_is_asked_and_this_one_is_not() -> None:
    reports = {"1.0": release("1.0", one=NOT_DECLARED, two=RED), "1.1": release("1.1", one=PLAYED, two=PLAYED)}
    (found,) = find_asked_less(reports)
    assert (found.version, found.requirement, found.asked, found.of) == ("1.0", "ASY-001", 1, 2)
    assert found.why == ("does not declare 'async'",)


def test_a_row_that_failed_was_asked_and_one_that_the_last_is_not_asked_counts_for_nothing() -> None:
    reports = {"1.0": release("1.0", one=PLAYED, two=RED), "1.1": release("1.1", one=NOT_DECLARED, two=RED)}
    assert find_asked_less(reports) == ()


def test_no_release_is_asked_nothing_less() -> None:
    assert find_asked_less({}) == ()


def test_one_reason_of_a_release_is_one_line() -> None:
    reports = {"1.0": release("1.0", one=NOT_DECLARED), "1.1": release("1.1", one=PLAYED)}
    assert group_by_reason(find_asked_less(reports)) == [("1.0", "does not declare 'async'", "ASY-001 0 of 1")]


def test_page_and_json_have_the_table() -> None:
    history = History("lib", {"1.0": release("1.0", one=NOT_DECLARED), "1.1": release("1.1", one=PLAYED)})
    assert "<td>ASY-001 0 of 1</td>" in releases_page(history)
    assert '"asked": 0' in history.render_json()


def test_where_all_are_asked_alike_the_page_says_so() -> None:
    assert "asked all that the last one was" in releases_page(History("lib", {"1.0": release("1.0", one=PLAYED)}))
