"""The policy that users get, which reads more than the kit's own does: it breaks no MUST of `robustness` either.

The kit's own, strict one is what `make conformance` plays; here are the scenarios in which the two may differ.
"""

from collections.abc import Callable

import pytest

pytest.importorskip("dspy")

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.reference.loop import STRICT, Policy
from react_tck.results.exit_status import declared_otherwise, list_unmet
from react_tck.subjects.api import Subject
from react_tck.subjects.libraries.reference import react
from tests.support.suite_checks import Heard

#: The scenarios whose outcome is the policy's are called so.
_DECLARED = "as it declares"
_READ = {
    "args-notation": "repaired when certain",
    "empty-args": "empty object",
    "tool-name-matching": "quotes and space ignored",
    "repeated-field": "first",
}
each = pytest.mark.parametrize(
    "subject", [react.subject, react.transcript, react.conversation, react.udspy], ids=lambda make: make.__name__
)


@each
def test_it_does_what_it_declares(subject: Callable[[Policy], Subject]) -> None:
    report = Run(subject(Policy()), "default", Selection("robustness", title=_DECLARED)).report(Heard())
    assert not declared_otherwise(report)
    assert report.ledger.passed > 5
    declared = {choice: report.declared[choice] for choice in _READ}
    # In a field of several calls it is open where args end, and a provider's client reads native ones.
    assert {choice: variant.partition(", or ")[0] for choice, variant in declared.items()} == _READ
    observed = {choice: report.choices[choice].partition(" in ")[0] for choice in _READ if choice in report.choices}
    assert observed == {choice: _READ[choice] for choice in observed}
    assert len(observed) > 1


def test_it_runs_no_tool_on_a_guess() -> None:
    report = Run(react.subject(Policy()), "default", Selection("robustness", tags="@ERR-002")).report(Heard())
    assert not list_unmet(report)
    assert report.ledger.passed > 30


def test_an_error_for_empty_args_is_declared_and_observed() -> None:
    policy = STRICT.model_copy(update={"empty_args": "error"})
    report = Run(react.subject(policy), "error", Selection("robustness", tags="@ERR-003")).report(Heard())
    assert not list_unmet(report)
    assert report.declared["empty-args"] == report.choices["empty-args"] == "error"
