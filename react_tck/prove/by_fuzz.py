"""Proves the fuzzer: on its own it has to find every mutant, and nothing in the reference."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from react_tck.fuzz.loop import Budget, Campaign
from react_tck.fuzz.parser.campaign import ParserCampaign
from react_tck.prove.by_scenarios import PRELOADED
from react_tck.subjects.api import Parser, Subject
from react_tck.subjects.catalogue import resolve
from react_tck.suite.workers import pool

#: The profiles whose mutants the fuzzer is there for.
PROFILES = ("robustness",)
#: Requirements and mutants of these that no example of the fuzzer's shows, and why.
LEFT_OUT: Mapping[str, str] = {
    "ISO-002": "calls at once: no script says which of them is asked first",
    "history-extended": "episodes have no history",
    "parser-takes-quadratic-time": "shown by measuring, not by an example",
}
_REFERENCE = "reference"
#: Requirements whose mutants are parsers.
_PARSER = "PRS-"


@dataclass(frozen=True)
class Hunt:
    """What the fuzzer made of one mutant; `examples` is None if it found nothing."""

    mutant: str
    requirement_id: str
    examples: int | None
    violated: tuple[str, ...]


@dataclass(frozen=True)
class FuzzProof:
    """All hunts, and what was found where nothing should be."""

    hunts: tuple[Hunt, ...]
    reference: Hunt
    #: Why mutants weren't hunted, by name.
    left_out: Mapping[str, str] = field(default_factory=dict)

    def problems(self) -> Iterator[str]:
        """Everything that isn't proven, a sentence each."""
        if self.reference.examples is not None:
            yield f"the reference violates {', '.join(self.reference.violated)}"
        for hunt in self.hunts:
            if hunt.examples is None:
                yield f"the mutant {hunt.mutant!r} ({hunt.requirement_id}) survives the fuzzer"


def prove_by_fuzz(mutants: Mapping[str, str]) -> FuzzProof:
    """Fuzz every mutant (name to requirement id) up to the first finding, each in a process of its own."""
    left_out = {name: why for name, id_ in mutants.items() if (why := LEFT_OUT.get(name) or LEFT_OUT.get(id_))}
    hunted = {name: id_ for name, id_ in mutants.items() if name not in left_out}
    with pool(preloaded=PRELOADED) as workers:
        found = workers.map(_hunt, [_REFERENCE, *(f"mutant:{name}" for name in hunted)], ["", *hunted.values()])
        reference, *hunts = found
    return FuzzProof(tuple(hunts), reference, left_out)


def _hunt(subject_name: str, requirement_id: str) -> Hunt:
    name = subject_name.removeprefix("mutant:")
    if requirement_id.startswith(_PARSER):
        return _hunt_parser(name, requirement_id, resolve(subject_name))
    violation = Campaign(resolve(subject_name), Budget(), UnheardSearch()).first()
    if violation is None:
        return Hunt(name, requirement_id, None, ())
    return Hunt(name, requirement_id, violation.example, tuple(violation.violations))


def _hunt_parser(name: str, requirement_id: str, subject: Subject) -> Hunt:
    assert isinstance(subject, Parser)
    found = ParserCampaign(subject, subject.initialize(), Budget().examples).first()
    if found is None:
        return Hunt(name, requirement_id, None, ())
    example, violated = found
    return Hunt(name, requirement_id, example, (violated,))


class UnheardSearch:
    """For searches that nobody watches."""

    def searched(self, examples: int, findings: int) -> None:
        """Nothing."""

    def shrinking(self, requirement_id: str, attempts: int) -> None:
        """Nothing."""
