"""One fault is told as one cause: what most failing rows share, and the mutant that is most like it."""

from react_tck.catalogue.kill_matrix import KillMatrix
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.results.causes import Known, Symptom, find_causes

KNOWN = Known(
    sentences={
        "goes-on": ("LOOP-003", "Goes on after `finish`."),
        "goes-on-once": ("LOOP-003", "Goes on once."),
        "deaf": ("LOOP-002", "Shows no observation."),
    },
    matrix=KillMatrix(
        {
            "goes-on": {"LOOP-003": ["a", "b", "c"], "ERR-008": ["c"]},
            "goes-on-once": {"LOOP-003": ["a"]},
            "deaf": {"LOOP-002": ["a", "b", "c"]},
        }
    ),
)
PLAYED = frozenset("abcdefg")


def symptom(requirement_id: str, row: str, kind: str = "", *, is_own: bool = False) -> Symptom:
    result = ScenarioResult(
        title=row, verdict=Verdict.FAILED, message=f"{requirement_id} in {row}", kind=kind, reproduce=f"run {row}"
    )
    return Symptom(requirement_id, result, is_own)


def test_what_most_rows_share_explains_them() -> None:
    found = [
        *(symptom("LOOP-003", row, "goes on too long") for row in "abcd"),
        *(symptom(id_, row, is_own=True) for id_, row in (("TRJ-001", "b"), ("EXT-001", "c"), ("SIG-001", "e"))),
    ]
    first, second = find_causes(found, KNOWN, PLAYED)
    assert (first.requirement, first.kind, first.explains, first.rows) == (
        "LOOP-003",
        "goes on too long",
        4,
        ("a", "b", "c", "d"),
    )
    assert (second.requirement, second.rows) == ("SIG-001", ("e",))
    assert (first.message, first.reproduce) == ("LOOP-003 in a", "run a")


def test_of_equals_an_invariant_tells_less() -> None:
    found = [symptom("SAN-004", "a"), symptom("LOOP-002", "a", is_own=True)]
    (cause,) = find_causes(found, KNOWN, PLAYED)
    assert cause.requirement == "LOOP-002"


def test_a_row_that_is_about_it_counts_twice() -> None:
    found = [*(symptom("SAN-004", row) for row in "abc"), *(symptom("LOOP-002", row, is_own=True) for row in "ab")]
    first, second = find_causes(found, KNOWN, PLAYED)
    assert (first.requirement, first.explains) == ("LOOP-002", 2)
    assert (second.requirement, second.explains) == ("SAN-004", 1)


def test_its_own_sentence_is_shown_where_one_failed() -> None:
    found = [symptom("LOOP-003", "a"), symptom("LOOP-003", "b", is_own=True)]
    (cause,) = find_causes(found, KNOWN, PLAYED)
    assert cause.reproduce == "run b"


def test_a_cause_is_of_the_kind_of_the_rows_that_it_explains() -> None:
    found = [
        *(symptom("SAN-007", row, "answers otherwise") for row in "abde"),
        symptom("EXT-001", "a", "ends too early"),
        symptom("EXT-001", "c", is_own=True),
    ]
    assert [(cause.requirement, cause.kind) for cause in find_causes(found, KNOWN, PLAYED)] == [
        ("SAN-007", "answers otherwise"),
        ("EXT-001", ""),
    ]


def test_the_nearest_mutant_fails_the_same_rows() -> None:
    everywhere, once = (
        find_causes([symptom("LOOP-003", row) for row in rows], KNOWN, PLAYED)[0].nearest_mutant
        for rows in ("abc", "a")
    )
    assert everywhere
    assert (everywhere.name, everywhere.shared, everywhere.failing) == ("goes-on", 3, 3)
    assert everywhere.sentence == "Goes on after `finish`."
    assert once
    assert once.name == "goes-on-once"


def test_rows_that_were_not_played_tell_no_mutant_apart() -> None:
    (cause,) = find_causes([symptom("LOOP-003", "a")], KNOWN, frozenset("a"))
    assert cause.nearest_mutant
    assert cause.nearest_mutant.failing == 1


def test_a_fault_that_no_mutant_has_is_like_none() -> None:
    (cause,) = find_causes([symptom("LOOP-003", "g")], KNOWN, PLAYED)
    assert cause.nearest_mutant is None


def test_without_findings_there_is_no_cause() -> None:
    assert find_causes([], KNOWN, PLAYED) == ()
