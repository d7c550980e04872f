"""A declaration that isn't true heads what came of it, whatever sentence failed behind it."""

from react_tck.model.report import ScenarioResult, Verdict
from react_tck.results.causes import find_causes
from react_tck.results.ledger import Results
from tests.results.test_causes import KNOWN, PLAYED

OTHERWISE = "tool-error is not as declared"


def _failed(row: str, kind: str = "") -> ScenarioResult:
    return ScenarioResult(title=row, verdict=Verdict.FAILED, message=kind, kind=kind)


def _find_headed(results: Results) -> list[tuple[str, int]]:
    return [(each.requirement, each.explains) for each in find_causes(list(results.list_symptoms()), KNOWN, PLAYED)]


def test_the_sentence_that_compares_with_the_declaration_is_about_the_declaration() -> None:
    results = Results()
    results.add_result("ERR-007", _failed("a", OTHERWISE))
    results.add_result("ERR-007", _failed("b"))
    assert _find_headed(results) == [("ERR-007", 1), ("SAN-010", 1)]


def test_what_judges_saw_beside_it_comes_of_it() -> None:
    results = Results()
    for row in "abc":
        results.add_violation("sanitizers", "SAN-010", _failed(row, OTHERWISE))
        results.add_violation("departures", "LOOP-004", _failed(row, "goes on too long"))
    assert _find_headed(results) == [("SAN-010", 3)]


def test_a_fault_of_more_rows_is_none_of_its_making() -> None:
    results = Results()
    results.add_violation("sanitizers", "SAN-010", _failed("a", OTHERWISE))
    for row in "abc":
        results.add_violation("departures", "LOOP-004", _failed(row, "goes on too long"))
    assert _find_headed(results)[0] == ("LOOP-004", 3)
