"""Proves that everything that can be green can be red: runs the suite against every mutant and every cheater."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from react_tck.fakes import mutants as mutant_modules
from react_tck.model.report import Report, ScenarioResult, Verdict
from react_tck.subjects.catalogue import resolve
from react_tck.suite.conformance import Exit, exit_status
from react_tck.suite.features import ScenarioInfo
from react_tck.suite.plugin import Unheard
from react_tck.suite.processes import modules_of, pool
from react_tck.suite.run import Run
from react_tck.suite.selection import Selection

#: What every mutant imports.
PRELOADED = (
    "react_tck.subjects.libraries.dspy.instance",
    "react_tck.subjects.libraries.reference.mutants",
    *modules_of(mutant_modules),
)


_SANITIZER = "SAN-"
_LOOP = ("SAN-", "LOOP-")


@dataclass(frozen=True)
class Kills:
    """What the suite found in one mutant: titles of failed scenarios by requirement, sanitizers included."""

    mutant: str
    requirement_id: str
    failed: Mapping[str, frozenset[str]]

    @property
    def own(self) -> frozenset[str]:
        """The scenarios of the mutant's own requirement that failed."""
        return self.failed.get(self.requirement_id, frozenset())

    @property
    def titles(self) -> frozenset[str]:
        """All scenarios that failed by their own sentences, whatever their requirement."""
        return frozenset(title for titles in self.failed.values() for title in titles)


@dataclass(frozen=True)
class Proof:
    """The kill matrix, and how the cheaters fared."""

    kills: tuple[Kills, ...]
    cheaters: Mapping[str, Exit]
    scenarios: tuple[ScenarioInfo, ...]
    sanitizers: tuple[str, ...]

    def problems(self) -> Iterator[str]:
        """Everything that isn't proven, a sentence each."""
        yield from self._survivors()
        yield from self._idle()
        yield from self._false_claims()
        for cheater, status in self.cheaters.items():
            if status is Exit.CONFORMANT:
                yield f"the cheater {cheater!r} passes"

    def killers(self, scenario: ScenarioInfo) -> frozenset[str]:
        """The mutants that fail this scenario by its own sentences."""
        return frozenset(k.mutant for k in self.kills if _base_titles(k.titles, scenario))

    def _survivors(self) -> Iterator[str]:
        for kills in self.kills:
            if not kills.own:
                elsewhere = ", ".join(sorted(kills.failed)) or "nothing"
                yield f"the mutant {kills.mutant!r} survives {kills.requirement_id}; it fails {elsewhere}"

    def _idle(self) -> Iterator[str]:
        for scenario in self.scenarios:
            if not self.killers(scenario):
                yield f"the scenario {scenario.title!r} ({scenario.requirement_id}) kills no mutant"
        for sanitizer in self.sanitizers:
            if not any(kills.failed.get(sanitizer) for kills in self.kills):
                yield f"the sanitizer {sanitizer} kills no mutant"

    def _false_claims(self) -> Iterator[str]:
        for scenario in self.scenarios:
            for claimed in sorted(set(scenario.kills) - self.killers(scenario)):
                yield f"the scenario {scenario.title!r} claims to kill {claimed!r}, which passes it"


def prove(
    mutants: Mapping[str, str],
    cheaters: Iterable[str],
    scenarios: tuple[ScenarioInfo, ...],
    sanitizers: tuple[str, ...],
) -> Proof:
    """Run every mutant (name to requirement id) and cheater, each in a process of its own.

    A mutant meets the scenarios that have to kill it or claim to; a cheater meets them all.
    """
    names = list(cheaters)
    with pool(preloaded=PRELOADED) as workers:
        found = workers.map(
            _failures,
            [f"mutant:{name}" for name in mutants],
            [_to_meet(name, requirement_id, scenarios) for name, requirement_id in mutants.items()],
        )
        statuses = workers.map(_status, [f"cheater:{name}" for name in names])
        kills = tuple(Kills(n, r, failed) for (n, r), failed in zip(mutants.items(), found, strict=True))
        return Proof(kills, dict(zip(names, statuses, strict=True)), scenarios, sanitizers)


def _to_meet(mutant: str, requirement_id: str, scenarios: Iterable[ScenarioInfo]) -> frozenset[str]:
    """The titles of its own requirement's scenarios and of those that claim to kill it.

    A sanitizer watches every episode: its mutants meet the scenarios of the tool loop.
    """
    own = _LOOP if requirement_id.startswith(_SANITIZER) else (requirement_id,)
    return frozenset(s.title for s in scenarios if mutant in s.kills or (s.requirement_id or "").startswith(own))


def _failures(subject_name: str, titles: frozenset[str]) -> dict[str, frozenset[str]]:
    failed = {
        requirement.id: frozenset(s.title for s in requirement.scenarios if _is_red(s))
        for requirement in _report(subject_name, Selection(profile="all", titles=titles)).requirements
    }
    return {requirement_id: titles for requirement_id, titles in failed.items() if titles}


def _status(subject_name: str) -> Exit:
    return exit_status(_report(subject_name, Selection()))


def _report(subject_name: str, chosen: Selection) -> Report:
    return Run(resolve(subject_name), subject_name, chosen).report(Unheard())


def _is_red(scenario: ScenarioResult) -> bool:
    return scenario.verdict is Verdict.FAILED


def _base_titles(titles: frozenset[str], scenario: ScenarioInfo) -> list[str]:
    return [t for t in titles if t == scenario.title or t.startswith(f"{scenario.title} [")]
