"""One fault is told as one cause: what made a row fail is looked for in that row, and the rest is blocked by it."""

from collections.abc import Mapping

import pytest

from react_tck.catalogue.kill_matrix import KillMatrix
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.results.causes import Explanation, explain_symptoms
from react_tck.results.known_faults import Known
from react_tck.results.symptoms import Symptom

LATE = "goes on too long"
DECLARED = "tool-error is not as declared"
KNOWN = Known(
    sentences={
        "goes-on": ("LOOP-003", "Goes on after `finish`."),
        "goes-on-once": ("LOOP-003", "Goes on once."),
        "deaf": ("LOOP-002", "Shows no observation."),
    },
    matrix=KillMatrix(
        {
            "goes-on": {"LOOP-003": ["a", "b", "c"], "ERR-008": ["c"]},
            "goes-on-once": {"LOOP-003": ["a", "f", "g"]},
            "deaf": {"LOOP-002": ["a", "b", "c"]},
        }
    ),
)
PLAYED = frozenset("abcdefg")


def symptom(
    requirement_id: str,
    row: str,
    kind: str = "",
    moment: int | None = None,
    *,
    is_own: bool = False,
    weight: str = "MUST",
) -> Symptom:
    result = ScenarioResult(
        title=row,
        verdict=Verdict.FAILED,
        message=f"{requirement_id} in {row}",
        kind=kind,
        reproduce=f"run {row}",
        moment=moment,
    )
    return Symptom(requirement_id, result, is_own, weight)


def explain(*found: Symptom, played: frozenset[str] = PLAYED) -> Explanation:
    return explain_symptoms(found, KNOWN, played)


def explained(*found: Symptom) -> Mapping[str, tuple[int, tuple[str, ...]]]:
    return {cause.requirement: (cause.explains, cause.rows) for cause in explain(*found).causes}


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


def test_what_is_wrong_elsewhere_in_the_episode_explains_no_sentence() -> None:
    wording = [symptom("CNF-002", row, moment=2) for row in "abcdefg"]
    assert explained(*wording, symptom("CNF-006", "a", moment=4, is_own=True)) == {
        "CNF-006": (1, ("a",)),
        "CNF-002": (0, tuple("bcdefg")),
    }


def test_what_is_wrong_in_the_very_event_explains_the_sentence() -> None:
    sure = symptom("SAN-004", "b", moment=3)
    found = explain(sure, symptom("SAN-004", "a", moment=3), symptom("TOOL-004", "a", moment=3, is_own=True))
    assert [(cause.requirement, cause.explains) for cause in found.causes] == [("SAN-004", 1)]
    assert found.blockers == {"TOOL-004": ("SAN-004",)}


def test_what_is_known_to_make_the_sentence_fail_explains_it() -> None:
    sure, seen = (symptom("LOOP-003", row, moment=2) for row in "ac")
    assert explain(sure, seen, symptom("ERR-008", "c", is_own=True)).blockers == {"ERR-008": ("LOOP-003",)}
    assert explain(sure, seen, symptom("ERR-007", "c", is_own=True)).blockers == {}


def test_a_contradicted_declaration_explains_the_sentence_that_says_the_same() -> None:
    said = symptom("SAN-010", "a", "tool-error is not as declared", weight="–")
    same = symptom("OWN-001", "a", "tool-error is not as declared", is_own=True)
    assert explain(said, same).blockers == {"OWN-001": ("SAN-010",)}
    other = symptom("OWN-001", "a", "max-steps-zero is not as declared", is_own=True)
    assert explain(said, other).blockers == {}


def test_a_contradicted_declaration_heads_the_cause_and_not_the_sentence_behind_it() -> None:
    said = symptom("SAN-010", "a", "tool-error is not as declared", moment=4, weight="–")
    departed = symptom("ERR-007", "a", "ends too early", moment=4)
    found = explain(said, departed, symptom("ERR-007", "a", is_own=True), symptom("LOOP-002", "a", moment=6))
    assert [(cause.requirement, cause.kind, cause.explains) for cause in found.causes] == [
        ("SAN-010", "tool-error is not as declared", 1)
    ]
    assert found.blockers == {"ERR-007": ("SAN-010",), "LOOP-002": ("SAN-010",)}


def test_a_contradicted_declaration_explains_nothing_that_came_before() -> None:
    said = symptom("SAN-010", "a", "tool-error is not as declared", moment=4, weight="–")
    found = explain(symptom("SAN-001", "a", "runs another call", moment=2), said)
    assert [cause.requirement for cause in found.causes] == ["SAN-001", "SAN-010"]


def test_an_end_that_was_not_due_is_told_by_the_invariant_that_it_breaks() -> None:
    for moment in (4, None):
        found = explain(symptom("LOOP-004", "a", "answers instead of failing", 4), symptom("SAN-007", "a", "", moment))
        assert [cause.requirement for cause in found.causes] == ["SAN-007"]
        assert found.blockers == {"LOOP-004": ("SAN-007",)}


@pytest.mark.parametrize(
    ("cause", "other", "is_hidden"),
    [
        ("MUST", "MUST", True),
        ("MUST", "critical", True),
        ("critical", "MUST", False),
        ("SHOULD", "MUST", False),
        ("minor", "major", False),
        ("major", "SHOULD", True),
        ("–", "minor", False),
    ],
)
def test_the_lighter_never_hides_the_heavier(cause: str, other: str, is_hidden: bool) -> None:
    found = explain(
        *(symptom("ERR-002", row, "runs another call", 3, weight=cause) for row in "ab"),
        symptom("LOOP-001", "a", moment=4, is_own=True, weight=other),
    )
    assert ("LOOP-001" in found.blockers) is is_hidden
    assert ("LOOP-001" in {each.requirement for each in found.causes}) is not is_hidden


def test_an_invariant_that_outweighs_the_sentence_of_its_row_is_not_met_but_no_second_cause() -> None:
    rows = [
        (symptom("SAN-002", row, moment=2), symptom("TOOL-008", row, moment=2, is_own=True, weight="major"))
        for row in "ab"
    ]
    found = explain(*(each for row in rows for each in row))
    (cause,) = found.causes
    assert (cause.requirement, cause.explains, cause.rows) == ("TOOL-008", 2, ("a", "b"))
    assert [(each.requirement, each.rows, each.reproduce) for each in cause.beside] == [
        ("SAN-002", ("a", "b"), "run a")
    ]
    assert found.blockers == {}


def test_what_is_seen_without_the_lighter_is_a_cause_of_its_own() -> None:
    row = (symptom("SAN-002", "a", moment=2), symptom("TOOL-008", "a", moment=2, is_own=True, weight="major"))
    before = explain(*row, symptom("SAN-002", "a", moment=1))
    assert {cause.requirement: cause.beside for cause in before.causes} == {"TOOL-008": (), "SAN-002": ()}
    elsewhere = explain(*row, symptom("SAN-002", "b", moment=2))
    assert [cause.requirement for cause in elsewhere.causes] == ["SAN-002"]
    assert elsewhere.blockers == {"TOOL-008": ("SAN-002",)}


def test_what_two_lighter_causes_made_is_a_cause_of_its_own() -> None:
    rows = (
        (symptom("SAN-002", row, moment=2), symptom(id_, row, moment=1, is_own=True, weight="major"))
        for row, id_ in (("a", "TOOL-008"), ("b", "TOOL-009"))
    )
    found = explain(*(each for row in rows for each in row))
    assert {cause.requirement: len(cause.beside) for cause in found.causes} == {
        "SAN-002": 0,
        "TOOL-008": 0,
        "TOOL-009": 0,
    }
    assert next(cause.rows for cause in found.causes if cause.requirement == "SAN-002") == ("a", "b")


def test_what_a_heavier_cause_made_elsewhere_is_no_second_lighter_one() -> None:
    row = (symptom("SAN-004", "a", moment=6), symptom("CNF-013", "a", moment=4, is_own=True, weight="SHOULD"))
    heavier = (symptom("SAN-004", "b", moment=6), symptom("CNF-006", "b", moment=4, is_own=True))
    found = explain(*row, *heavier)
    assert {cause.requirement: [each.requirement for each in cause.beside] for cause in found.causes} == {
        "CNF-006": [],
        "CNF-013": ["SAN-004"],
    }


def test_an_invariant_is_broken_by_what_the_sentences_own_requirement_did_first() -> None:
    own = symptom("CNF-001", "a", moment=7, is_own=True)
    seen = (symptom("SAN-003", "a", moment=5), symptom("SAN-004", "a", moment=6))
    begun = symptom("CNF-001", "a", "doesn't wait", 2)
    assert explain(own, begun, *seen).blockers == {"SAN-003": ("CNF-001",), "SAN-004": ("CNF-001",)}
    assert explain(own, *seen).blockers == {}
    assert explain(own, symptom("CNF-001", "a", "doesn't wait", 6), *seen).blockers == {"SAN-004": ("CNF-001",)}


def test_an_invariant_is_broken_where_the_oracle_says_so() -> None:
    row = (symptom("CNV-005", "a", moment=2, is_own=True), symptom("SAN-003", "a", moment=1))
    assert explain(*row).blockers == {}
    assert explain(*row, symptom("SAN-003", "a", "leaves out a call", 2)).blockers == {"SAN-003": ("CNV-005",)}


def test_a_contradicted_declaration_is_no_second_cause_where_it_is_seen_beside_failures_alone() -> None:
    row = (symptom("SAN-010", "a", "tool-error is not as declared", weight="–"), symptom("ASY-001", "a", is_own=True))
    found = explain(*row)
    assert [(cause.requirement, [each.requirement for each in cause.beside]) for cause in found.causes] == [
        ("ASY-001", ["SAN-010"])
    ]
    assert found.blockers == {}
    found = explain(*row, symptom("SAN-010", "b", "tool-error is not as declared", weight="–"))
    assert [cause.requirement for cause in found.causes] == ["ASY-001", "SAN-010"]


def test_a_contradicted_declaration_that_is_seen_with_a_wider_cause_alone_stands_beside_it() -> None:
    """Who reads answers by the order of their fields reads a repeated field otherwise than declared, too."""
    wide = (symptom("ERR-011", "a", is_own=True),)
    row = (symptom("SAN-010", "d", DECLARED, 2, weight="–"), symptom("ERR-011", "d", "answers instead of failing", 2))
    found = explain(*wide, *row, symptom("LOOP-002", "d", moment=3))
    assert [(cause.requirement, [each.requirement for each in cause.beside]) for cause in found.causes] == [
        ("ERR-011", ["SAN-010"])
    ]
    assert found.blockers == {"LOOP-002": ("ERR-011",)}


@pytest.mark.parametrize(
    "other",
    [symptom("SAN-010", "e", DECLARED, weight="–"), symptom("LOOP-002", "d", moment=4, is_own=True)],
)
def test_a_contradicted_declaration_that_is_seen_without_it_or_made_what_weighs_more_is_a_cause(other: Symptom) -> None:
    wide = [symptom("ERR-021", row, LATE, 3, weight="major") for row in "abcd"]
    said = symptom("SAN-010", "d", DECLARED, 3, weight="–")
    assert {cause.requirement for cause in explain(*wide, said).causes} == {"ERR-021"}
    assert {cause.requirement for cause in explain(*wide, said, other).causes} == {"ERR-021", "SAN-010"}


def test_what_is_seen_only_where_a_wider_cause_is_seen_is_that_causes() -> None:
    """The extraction shows no more than the last request did: two rules, one event, one fault."""
    wide = [symptom("SAN-004", row, moment=3) for row in "abc"]
    found = explain(*wide, symptom("EXT-001", "a", moment=3), symptom("EXT-001", "b", moment=3))
    assert [cause.requirement for cause in found.causes] == ["SAN-004"]
    assert found.blockers == {"EXT-001": ("SAN-004",)}


@pytest.mark.parametrize(
    "other",
    [symptom("EXT-001", "a", moment=4), symptom("EXT-001", "d", moment=3), symptom("EXT-001", "a", is_own=True)],
)
def test_what_is_seen_once_without_it_is_a_cause_of_its_own(other: Symptom) -> None:
    wide = [symptom("SAN-004", row, moment=3) for row in "abc"]
    found = explain(*wide, symptom("EXT-001", "b", moment=3), other)
    assert {cause.requirement for cause in found.causes} == {"SAN-004", "EXT-001"}


def test_what_weighs_more_is_no_part_of_a_wider_cause() -> None:
    wide = [symptom("ERR-021", row, moment=3, weight="major") for row in "abc"]
    found = explain(*wide, symptom("LOOP-001", "a", moment=3))
    assert {cause.requirement for cause in found.causes} == {"ERR-021", "LOOP-001"}


def test_of_an_end_that_the_requirement_forbids_the_invariant_is_no_second_cause() -> None:
    """ERR-011 and SAN-007 follow from one quote: a success with missing outputs was two causes."""
    own = (symptom("ERR-011", row, moment=5, is_own=True) for row in "abc")
    end = symptom("ERR-011", "d", "answers instead of failing", 4)
    found = explain(*own, end, symptom("SAN-007", "d", moment=3))
    assert [cause.requirement for cause in found.causes] == ["ERR-011"]
    assert found.blockers == {"SAN-007": ("ERR-011",)}


def test_a_scenario_of_declarations_that_fails_otherwise_is_blocked_as_any() -> None:
    said = (symptom("SAN-010", "a", moment=99, is_own=True, weight="–"), symptom("ERR-008", "a", LATE, 7))
    found = explain(*said, symptom("ERR-008", "b", LATE, 7))
    assert [cause.requirement for cause in found.causes] == ["ERR-008"]
    assert found.blockers == {"SAN-010": ("ERR-008",)}


@pytest.mark.parametrize(("moment", "is_held"), [(7, True), (9, True), (11, False)])
def test_a_practice_blocks_no_must_that_was_departed_from_no_later(moment: int, is_held: bool) -> None:
    """ERR-008 was lost behind ERR-025, a practice, whose sentence failed after a hundred requests."""
    practice = symptom("ERR-025", "a", moment=9, is_own=True, weight="critical")
    found = explain(practice, symptom("ERR-008", "a", LATE, moment))
    (cause,) = found.causes
    assert [cause.requirement, *(each.requirement for each in cause.beside)] == ["ERR-025", *["ERR-008"] * is_held]
    assert ("ERR-008" in found.blockers) is not is_held


def test_how_a_call_ended_is_no_second_accusation_beside_a_practice_about_it() -> None:
    """A port that refuses an empty answer breaks ERR-023, which asks for it, and no MUST."""
    practice = symptom("ERR-023", "a", moment=3, is_own=True, weight="major")
    (cause,) = explain(practice, symptom("EXT-002", "a", "fails instead of answering", 3)).causes
    assert (cause.requirement, cause.beside) == ("ERR-023", ())


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


def test_its_own_sentence_is_shown_where_one_failed() -> None:
    (cause,) = explain(symptom("LOOP-003", "a"), symptom("LOOP-003", "b", is_own=True)).causes
    assert cause.reproduce == "run b"


def nearest(*rows: str, played: frozenset[str] = PLAYED) -> tuple[str, int, int] | None:
    (cause,) = explain(*(symptom("LOOP-003", row) for row in rows), played=played).causes
    mutant = cause.nearest_mutant
    return (mutant.name, mutant.shared, mutant.failing) if mutant else None


def test_the_nearest_mutant_fails_the_same_rows() -> None:
    assert nearest("a", "b", "c") == ("goes-on", 3, 3)
    assert nearest("a", "f") == ("goes-on-once", 2, 3)


def test_a_subject_is_like_a_mutant_only_where_most_of_its_rows_fail() -> None:
    assert nearest("a") is None
    assert nearest("a", played=frozenset("a")) == ("goes-on", 1, 1)
    assert nearest("d") is None


def test_a_subject_is_like_a_mutant_only_where_the_shown_row_fails_by_the_same_requirements() -> None:
    assert nearest("c", "a", "b") is None


def test_without_findings_there_is_no_cause() -> None:
    assert explain() == Explanation()
