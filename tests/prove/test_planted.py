"""The planted faults: each is found by the requirement, and in the row, that `found.json` names."""

from tests.prove.planted import faults
from tests.prove.planted.measure import is_found, known, missed


def test_of_every_fault_it_is_known_what_finds_it() -> None:
    assert {found.fault for found in known()} == set(faults())
    assert len(faults()) >= 40


def test_every_fault_says_what_it_does_wrong() -> None:
    told = [fault.__doc__ for fault in faults().values()]
    assert all(told)
    assert len(set(told)) > len(told) * 0.9


def test_every_fault_is_found() -> None:
    assert missed(known()) == []


def test_what_is_no_fault_is_not_found() -> None:
    first, *_ = known()
    assert not is_found("reference", first)
