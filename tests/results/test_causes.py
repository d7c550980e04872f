"""One fault is told as one cause: what made a row fail is looked for in that row, and the rest is blocked by it."""

from react_tck.results.causes import Explanation
from tests.support.symptoms import LATE, explain, explained, symptom


def test_a_departure_explains_the_sentences_that_fail_after_it_and_blocks_their_requirements() -> None:
    found = explain(
        *(symptom("LOOP-003", row, LATE, 5) for row in "abcd"),
        symptom("TRJ-001", "b", is_own=True),
        symptom("EXT-001", "c", moment=5, is_own=True),
        symptom("EXT-001", "d", moment=9, is_own=True),
        symptom("SIG-001", "e", moment=0, is_own=True),
    )
    first, second = found.causes
    assert (first.requirement, first.kind, first.explains, first.failed_rows) == ("LOOP-003", LATE, 3, ("b", "c", "d"))
    assert first.rows == ("b", "c", "d", "a")
    assert (second.requirement, second.rows) == ("SIG-001", ("e",))
    assert found.blockers == {"TRJ-001": ("LOOP-003",), "EXT-001": ("LOOP-003",)}


def test_what_failed_before_the_departure_is_a_cause_of_its_own() -> None:
    sure = symptom("LOOP-003", "b", LATE, 5)
    found = explain(sure, symptom("SIG-001", "a", moment=1, is_own=True), symptom("LOOP-003", "a", LATE, 5))
    assert {cause.requirement: cause.failed_rows for cause in found.causes} == {"SIG-001": ("a",), "LOOP-003": ()}
    assert found.blockers == {}


def test_a_finding_that_no_other_row_confirms_explains_no_sentence_and_is_no_second_blame() -> None:
    found = explain(symptom("TRN-003", "a", "runs another call", 3), symptom("TRN-015", "a", moment=3, is_own=True))
    assert [cause.requirement for cause in found.causes] == ["TRN-015"]
    assert found.blockers == {"TRN-003": ("TRN-015",)}


def test_where_a_judge_says_the_same_as_the_sentence_only_an_earlier_departure_explains_it() -> None:
    row = (symptom("ERR-007", "a", LATE, 3), symptom("ERR-007", "a", moment=3, is_own=True))
    wrong = (symptom("SAN-004", "a", moment=3), symptom("SAN-004", "b", moment=3))
    assert explained(*row, *wrong)["ERR-007"] == (1, ("a",))
    earlier = (symptom("LOOP-004", "a", LATE, 2), symptom("LOOP-004", "b", LATE, 2))
    assert explain(*row, *earlier).blockers == {"ERR-007": ("LOOP-004",)}


def test_a_sentence_of_its_own_confirms_a_finding() -> None:
    found = explain(
        symptom("TRN-003", "b", is_own=True),
        symptom("TRN-003", "a", "runs another call", 3),
        symptom("TRN-015", "a", moment=3, is_own=True),
    )
    assert found.blockers == {"TRN-015": ("TRN-003",)}


def test_what_is_known_to_make_the_sentence_fail_explains_it() -> None:
    sure, seen = (symptom("LOOP-003", row, moment=2) for row in "ac")
    assert explain(sure, seen, symptom("ERR-008", "c", is_own=True)).blockers == {"ERR-008": ("LOOP-003",)}
    assert explain(sure, seen, symptom("ERR-007", "c", is_own=True)).blockers == {}


def test_what_fails_once_by_itself_is_not_blocked() -> None:
    row = (*(symptom("LOOP-003", row, LATE, 5) for row in "ac"), symptom("EXT-001", "a", moment=7, is_own=True))
    assert explain(*row).blockers == {"EXT-001": ("LOOP-003",)}
    found = explain(*row, symptom("EXT-001", "b", moment=2, is_own=True))
    assert found.blockers == {}
    assert {cause.requirement: cause.explains for cause in found.causes} == {"LOOP-003": 1, "EXT-001": 1}


def test_nobody_is_accused_together_who_is_not_accused_by_a_row_alone_and_what_is_red_alone_stays_red() -> None:
    rows = [
        (symptom("LOOP-003", "a", LATE, 5), symptom("EXT-001", "a", moment=7, is_own=True)),
        (symptom("LOOP-003", "b", LATE, 5), symptom("SAN-004", "b", moment=6)),
        (symptom("SAN-004", "c", moment=3), symptom("LOOP-002", "c", moment=3, is_own=True)),
        (symptom("ERR-007", "d", moment=3), symptom("CNF-006", "d", moment=8), symptom("SIG-001", "d", is_own=True)),
        (symptom("CNF-006", "e", moment=8), symptom("EXT-001", "e", LATE, 9)),
    ]
    together = explain(*(each for row in rows for each in row))
    alone = {cause.requirement for row in rows for cause in explain(*row).causes}
    accused = {cause.requirement for cause in together.causes}
    assert accused <= alone
    assert alone - accused == {"EXT-001"} & set(together.blockers)


def test_each_failed_row_is_counted_once_and_the_counts_fall() -> None:
    found = explain(
        *(symptom("SIG-001", row, moment=0, is_own=True) for row in "ab"),
        *(symptom("LOOP-003", row, LATE, 5) for row in "bcdef"),
        *(symptom("EXT-001", row, is_own=True) for row in "cde"),
    )
    assert [(cause.requirement, cause.explains) for cause in found.causes] == [("LOOP-003", 3), ("SIG-001", 2)]
    assert sorted(row for cause in found.causes for row in cause.failed_rows) == list("abcde")


def test_of_causes_of_as_many_rows_the_heaviest_comes_first() -> None:
    light = (symptom("CTX-001", row, is_own=True, weight="major") for row in "ab")
    found = explain(*light, *(symptom("LOOP-002", row, is_own=True) for row in "cd"))
    assert [cause.requirement for cause in found.causes] == ["LOOP-002", "CTX-001"]


def test_of_causes_of_as_many_failed_rows_that_comes_first_which_is_seen_in_most() -> None:
    """Who takes tools off the caller's list changed it in 28 rows, of which one failed by that, and one by calls."""
    wide = [symptom("ISO-003", row, moment=8, weight="major") for row in "abc"]
    own = symptom("ISO-003", "d", moment=8, is_own=True, weight="major")
    found = explain(*wide, own, symptom("ISO-002", "e", is_own=True, weight="critical"))
    assert [cause.requirement for cause in found.causes] == ["ISO-003", "ISO-002"]


def test_a_must_comes_before_a_practice_that_is_seen_in_more_rows() -> None:
    wide = [symptom("ERR-028", row, moment=8, weight="minor") for row in "abc"]
    found = explain(*wide, symptom("CNF-002", "d", moment=3))
    assert [cause.requirement for cause in found.causes] == ["CNF-002", "ERR-028"]


def test_its_own_sentence_is_shown_where_one_failed() -> None:
    (cause,) = explain(symptom("LOOP-003", "a"), symptom("LOOP-003", "b", is_own=True)).causes
    assert cause.reproduce == "run b"


def test_without_findings_there_is_no_cause() -> None:
    assert explain() == Explanation()
