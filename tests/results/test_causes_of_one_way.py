"""Who departs in one way behind whatever happens has one fault: it is told by what is due anyway."""

import pytest

from react_tck.model.report import Beat, Course
from react_tck.results.symptoms import Symptom
from tests.support.symptoms import explain, explained, symptom

EARLY = "asks for the answer too early"
#: A call in which nothing goes wrong asks for its answer too early, in several rows.
PLAIN = tuple(symptom("LOOP-004", row, EARLY, 3) for row in "abc")

#: Of an episode in which nothing was called.
NOTHING = Course(before=0, beats=(), after=0, departure=None, due=())


def ends_with(error: str, requirement_id: str, row: str, *, is_own: bool = False) -> Symptom:
    """The call ends with that error, where a step was to be asked for."""
    beats = (Beat(lane="agent", does=f"ends with {error}"),)
    course = Course(before=1, beats=beats, after=0, departure=0, due=(Beat(lane="LM", does="asks for a step"),))
    found = symptom(requirement_id, row, "" if is_own else "ends too early", None if is_own else 1, is_own=is_own)
    return Symptom(requirement_id, found.result.model_copy(update={"course": course}), is_own)


def test_who_departs_anyway_does_so_behind_a_fault_too() -> None:
    """Who keeps the smallest `max_steps` of all instances had ERR-007 broken, too, and seven causes."""
    raised = symptom("ERR-007", "d", EARLY, 5)
    found = explain(*PLAIN, raised, symptom("ERR-007", "e", is_own=True), symptom("ERR-007", "e", EARLY, 4))
    assert [cause.requirement for cause in found.causes] == ["LOOP-004"]
    assert found.blockers == {"ERR-007": ("LOOP-004",)}


def test_who_departs_behind_a_fault_alone_has_not_departed_anyway() -> None:
    wide = [symptom("ERR-007", row, EARLY, 3) for row in "abcde"]
    few = symptom("ERR-021", "f", EARLY, 4)
    assert explained(*wide, few).keys() == {"ERR-007", "ERR-021"}
    assert explained(*wide, symptom("LOOP-004", "f", EARLY, 4)).keys() == {"LOOP-004"}


@pytest.mark.parametrize(
    "other",
    [
        symptom("ERR-007", "e", "ends too early", 5),
        symptom("ERR-007", "e", moment=2, is_own=True),
        symptom("LOOP-003", "e", "answers otherwise", 5),
    ],
)
def test_what_departs_in_another_way_or_fails_before_is_a_cause_of_its_own(other: Symptom) -> None:
    found = explain(*PLAIN, symptom(other.requirement_id, "d", EARLY, 5), other)
    assert {cause.requirement for cause in found.causes} == {"LOOP-004", other.requirement_id}


def test_the_lighter_tells_of_nothing_heavier() -> None:
    light = (symptom("LOOP-004", row, EARLY, 3, weight="major") for row in "abc")
    assert explained(*light, symptom("ERR-007", "d", EARLY, 5)).keys() == {"LOOP-004", "ERR-007"}


def test_what_is_declared_otherwise_where_the_call_departs_anyway_stands_beside_that() -> None:
    said = symptom("SAN-010", "d", "malformed-args is not as declared", 1, weight="–")
    found = explain(*PLAIN, said, symptom("ERR-021", "d", EARLY, 2, weight="major"))
    assert [(cause.requirement, [each.requirement for each in cause.beside]) for cause in found.causes] == [
        ("LOOP-004", ["SAN-010"])
    ]
    assert found.blockers == {"ERR-021": ("LOOP-004",)}


def test_calls_that_end_with_the_same_error_have_one_cause() -> None:
    """Without a default adapter every call failed with one error, and 25 MUSTs weren't met."""
    calls = [
        ends_with(f"ValueError: unknown input '{name}'; there is {name}", id_, name)
        for name, id_ in (("a", "SIG-004"), ("b", "SIG-004"), ("c", "HIS-001"), ("d", "CNV-011"))
    ]
    result = ends_with("ValueError: unknown input 'z'", "TOOL-016", "g").result
    light = Symptom("TOOL-016", result, is_own=False, weight="major")
    assert [cause.requirement for cause in explain(calls[0], light).causes] == ["SIG-004"]
    found = explain(*calls, ends_with("", "HIS-001", "c", is_own=True))
    assert [cause.requirement for cause in found.causes] == ["SIG-004"]
    assert found.blockers == {"HIS-001": ("SIG-004",), "CNV-011": ("SIG-004",)}


def test_an_error_is_told_by_what_it_ends_most_often_and_not_by_what_is_due_anyway() -> None:
    """Who takes an arrow string's first input alone violated SAN-003: a case of its was refused, too."""
    refused = [ends_with(f"ValueError: unknown input '{row}'", "SIG-004", row) for row in "ab"]
    found = explain(*refused, ends_with("ValueError: unknown input 'c'", "SAN-003", "c"))
    assert [cause.requirement for cause in found.causes] == ["SIG-004"]
    assert found.blockers == {"SAN-003": ("SIG-004",)}


def test_calls_that_end_with_different_errors_have_several() -> None:
    one = [ends_with("ValueError: unknown input 'x'", "SIG-004", row) for row in "ab"]
    other = ends_with("ValueError: no tools", "HIS-001", "c")
    assert explained(*one, other).keys() == {"SIG-004", "HIS-001"}


def test_a_departure_that_is_seen_only_where_something_is_declared_otherwise_is_no_second_cause() -> None:
    """Who asks again after a fault of the LM, and declares otherwise, departed from ERR-012, too, in the same rows."""
    said = [symptom("SAN-010", row, "lm-fault is not as declared", weight="–") for row in "ab"]
    own = symptom("SAN-010", "a", "lm-fault is not as declared", is_own=True, weight="–")
    departed = symptom("ERR-012", "b", "asks again unasked", 4, weight="major")
    found = explain(own, *said, departed)
    assert [cause.requirement for cause in found.causes] == ["SAN-010"]
    assert found.blockers == {"ERR-012": ("SAN-010",)}
    elsewhere = symptom("ERR-012", "c", "asks again unasked", 4, weight="major")
    assert explained(own, *said, departed, elsewhere).keys() == {"SAN-010", "ERR-012"}


def test_a_sentence_about_a_call_that_ended_with_that_error_is_no_second_cause() -> None:
    """Nothing is predicted of an input named `max_steps`, but that call ended with the error of all others."""
    calls = [ends_with(f"ValueError: unknown input '{row}'", "SIG-004", row) for row in "ab"]
    silent = ends_with("ValueError: unknown input 'max_steps'", "TOOL-016", "c", is_own=True)
    unlike = ends_with("ValueError: too many inputs", "TOOL-016", "d", is_own=True)
    assert explain(*calls, silent).blockers == {"TOOL-016": ("SIG-004",)}
    refused = Symptom("SIG-001", symptom("SIG-001", "e").result.model_copy(update={"course": NOTHING}), is_own=True)
    assert explained(*calls, refused).keys() == {"SIG-004", "SIG-001"}
    assert explained(*calls, silent, unlike).keys() == {"SIG-004", "TOOL-016"}


def test_a_departure_in_a_scenario_of_declarations_contradicts_none() -> None:
    """Where no call got on, the rows of SAN-010 departed, too: that was told as something declared otherwise."""
    calls = [ends_with("ValueError: no adapter", "LOOP-003", row) for row in "ab"]
    departed = ends_with("ValueError: no adapter", "SAN-010", "c")
    light = Symptom("SAN-010", departed.result, is_own=False, weight="–")
    assert not light.is_contradiction
    assert explain(*calls, light).blockers == {"SAN-010": ("LOOP-003",)}
