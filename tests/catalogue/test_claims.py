"""A document binds its own system: what a subject is held to follows from the specifications that it claims."""

from dataclasses import dataclass
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

from react_tck.adapter.declare import Capability
from react_tck.catalogue.manifests import find_manifest_problems
from react_tck.catalogue.registry import load_registry, requirements_of
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.manifest import Manifest
from react_tck.model.report import Report, RequirementResult, Verdict
from react_tck.model.requirement import Specification
from react_tck.results.books import Unheard
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import resolve
from react_tck.subjects.stdio import StdioSubject

needs_dspy = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")
MINE = Manifest(name="mine", version="1", dialects=("json",), default_dialect="json", default_max_steps=5)


def test_what_is_not_claimed_by_name_follows_from_the_capabilities(subtests: pytest.Subtests) -> None:
    cases: list[tuple[tuple[Capability, ...], tuple[Specification, ...] | None, tuple[Specification, ...]]] = [
        ((), None, ("react-module",)),
        (("udspy-surface", "confirmation"), None, ("react-module", "confirmation", "udspy")),
        (("conversation",), None, ("react-module", "conversation")),
        (("transcript",), ("transcript",), ("transcript",)),
    ]
    for capabilities, claims, claimed in cases:
        with subtests.test(capabilities=capabilities, claims=claims, claimed=claimed):
            assert (
                MINE.model_copy(update={"capabilities": capabilities, "claims": claims}).claimed_specifications
                == claimed
            )


def test_claims_that_cannot_be_meant(subtests: pytest.Subtests) -> None:
    cases: list[tuple[tuple[Specification, ...], str]] = [
        ((), "it claims no specification, so nothing would bind it; there are react-module, conversation, transcript,"),
        (("udspy",), "it claims 'udspy' and doesn't declare the capability 'udspy-surface', which that takes"),
    ]
    for claims, problem in cases:
        with subtests.test(claims=claims, problem=problem):
            [found] = find_manifest_problems(MINE.model_copy(update={"claims": claims}))
            assert found.startswith(problem)


def test_a_row_binds_by_what_is_claimed_and_declared() -> None:
    module: tuple[Specification, ...] = ("react-module",)
    transcript: tuple[Specification, ...] = ("transcript",)
    by_id = load_registry().by_id
    error, step, loop = by_id["ERR-007"], by_id["STEP-004"], by_id["LOOP-001"]
    assert error.resolve_ground((*module, "udspy"), ()) is error
    assert error.resolve_ground(module, ()).label == "ERR-007 (practice, major)"
    assert step.resolve_ground(module, ("step-signature",)) is step
    assert step.resolve_ground(module, ()).label == "STEP-004 (practice, minor)"
    assert by_id["LOOP-009"].resolve_ground(module, ()).level == "MAY"
    assert loop.resolve_ground(transcript, ()) is loop
    assert [row.is_asked_of(transcript) for row in (loop, error, by_id["SAN-006"])] == [False, True, True]
    assert requirements_of(2).by_id["ERR-007"].resolve_ground((), ()).level == "SHOULD"


@dataclass
class Claiming:
    """Another subject, with claims of its own."""

    subject: Subject
    claims: tuple[Specification, ...]

    def initialize(self) -> Manifest:
        """Its manifest."""
        return self.subject.initialize().model_copy(update={"claims": self.claims})

    def __getattr__(self, name: str) -> Any:
        return getattr(self.subject, name)


def _report(subject: str, claims: tuple[Specification, ...], *titles: str, profile: str = "all") -> Report:
    made = Claiming(resolve(subject), claims)
    chosen = Selection(profile=profile, titles=frozenset(titles))
    return Run(made, subject, chosen, replays=False).report(Unheard())


def _row(report: Report, id_: str) -> RequirementResult:
    return next(each for each in report.requirements if each.id == id_)


@pytest.mark.parametrize(("claims", "claimed"), [(None, ("udspy",)), (("react-module",), ("react-module",))])
def test_what_a_configuration_file_claims_wins_over_the_manifest(
    claims: tuple[Specification, ...] | None, claimed: tuple[Specification, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    handshake = SimpleNamespace(manifest=MINE.model_copy(update={"claims": ("udspy",)}))
    monkeypatch.setattr(StdioSubject, "_running", lambda _: handshake)
    assert StdioSubject(lambda: pytest.fail("started"), claims=claims).initialize().claimed_specifications == claimed


@needs_dspy
def test_what_another_specification_says_is_not_asked() -> None:
    asked = "ReAct selects and executes a tool", "The agent suspends the call of a tool that requires confirmation"
    report = _report("mutant:tool-run-twice", ("confirmation",), *asked)
    assert report.claims == ("confirmation",)
    loop, twice = _row(report, "LOOP-001"), _row(report, "SAN-003")
    [row] = [each for each in loop.scenarios if each.verdict is not Verdict.NOT_SELECTED]
    assert row.verdict is Verdict.UNSUPPORTED
    assert row.message == "the subject isn't held to the specification 'react-module', but to confirmation"
    assert (loop.verdict, loop.departures) == (Verdict.UNSUPPORTED, ())
    # That nothing runs which wasn't asked for, everybody's users need.
    assert (twice.level, twice.severity) == (None, "critical")
    assert report.verdicts is not None
    assert [each.specification for each in report.verdicts.conformance] == ["confirmation"]
