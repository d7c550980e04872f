"""What is to be proven: each mutant fails by its own requirement, each scenario and sanitizer makes a mutant fail."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.kill_matrix import CERTIFICATE_FILE, FILE, KillMatrix, build_kill_matrix, choose_cover
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import find_way, strip_variation
from react_tck.catalogue.selection import Selection
from react_tck.fuzz.campaign import Campaign, SilentSearchListener
from react_tck.fuzz.parser_search import ParserCampaign
from react_tck.fuzz.shards import Budget, GivenSubject, SearchScope
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.in_play import RULES
from react_tck.processes.workers.workers import Beat, Workers
from react_tck.prove.kills import Claim, Kills, MutantPlay, play_mutants
from react_tck.prove.mutants import load_mutants
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import resolve

#: The command that computes anew what is proven.
WRITE = "python -m react_tck.prove --write"
#: So many rows are named of a mutant that depends on the clock; some of them take seconds.
_OF_TIMED = 3


@dataclass(frozen=True)
class Statement:
    """The mutants (name to requirement id), scenarios and sanitizers that something is to be proven of."""

    mutants: Mapping[str, str]
    scenarios: tuple[ScenarioInfo, ...]
    sanitizers: tuple[str, ...] = ()
    #: The mutants that fail now these rows, now those.
    timed: frozenset[str] = frozenset()

    @cached_property
    def scenario_of(self) -> Mapping[str, ScenarioInfo]:
        """The scenario of each row."""
        return {row: scenario for scenario in self.scenarios for row in scenario.row_titles}

    def list_claims(self) -> Iterator[Claim]:
        """Yield everything that has to be shown."""
        yield from (Claim("mutant", name, id_) for name, id_ in self.mutants.items())
        yield from (Claim("scenario", each.title, each.requirement_id or "") for each in self.scenarios)
        yield from (Claim("sanitizer", id_, id_) for id_ in self.sanitizers)

    def list_claims_of(self, mutant: str, requirement_id: str, row: str) -> Iterator[Claim]:
        """Yield what an entry of a matrix is to show."""
        scenario = self.scenario_of.get(row)
        if self.mutants.get(mutant) == requirement_id:
            yield Claim("mutant", mutant, requirement_id)
        if scenario and scenario.requirement_id == requirement_id:
            yield Claim("scenario", scenario.title, requirement_id)
        if requirement_id in self.sanitizers:
            yield Claim("sanitizer", requirement_id, requirement_id)


@dataclass(frozen=True)
class Proof:
    """What was found in the mutants that were played."""

    statement: Statement
    kills: tuple[Kills, ...]
    #: What was to be found, and the file that says so.
    named: KillMatrix
    file: str

    @property
    def computed_matrix(self) -> KillMatrix:
        """The matrix of what was found."""
        return build_kill_matrix(entry for kills in self.kills for entry in kills.list_entries())

    @cached_property
    def _shown(self) -> frozenset[Claim]:
        return frozenset(claim for kills in self.kills for _, claim in kills.list_shown(self.statement.scenario_of))

    @cached_property
    def _witnesses(self) -> Mapping[Claim, tuple[str, str]]:
        """A mutant and a row that are to show a claim."""
        found: dict[Claim, tuple[str, str]] = {}
        for mutant, requirement_id, row in self.named.list_entries():
            for claim in self.statement.list_claims_of(mutant, requirement_id, row):
                found.setdefault(claim, (mutant, row))
        return found

    def list_unshown(self) -> Iterator[Claim]:
        """Return the claims that nothing was found for."""
        return (claim for claim in self.statement.list_claims() if claim not in self._shown)

    def list_surprising(self) -> frozenset[str]:
        """Return the mutants in which something else was found than was to be, or that couldn't be played."""
        broken = frozenset(kills.mutant for kills in self.kills if kills.kit_errors)
        return broken | {self._witnesses[claim][0] for claim in self.list_unshown() if claim in self._witnesses}

    def list_problems(self) -> Iterator[str]:
        """Yield everything that isn't proven: a sentence each, and the command that shows it again."""
        for kills in self.kills:
            yield from (f"the mutant {kills.mutant!r} couldn't be played: {error}" for error in kills.kit_errors)
        yield from (self._describe_unshown(claim) for claim in self.list_unshown())
        yield from self._find_stale_names()

    def list_differences(self) -> Iterator[str]:
        """Yield where the file says what isn't so, or doesn't say what is."""
        said, found = set(self.named.list_entries()), set(self.computed_matrix.list_entries())
        for mutant, requirement_id, row in sorted(said ^ found):
            if mutant not in self.statement.mutants or mutant in self.statement.timed:
                continue
            if (mutant, requirement_id, row) in said:
                told = f"keeps {requirement_id} in {row!r}, which {self.file} says it violates"
            else:
                told = f"violates {requirement_id} in {row!r}, which {self.file} doesn't say"
            yield f"the mutant {mutant!r} {told}\n  {reproduce_play(mutant, row)}"

    def _describe_unshown(self, claim: Claim) -> str:
        mutant, row = self._witnesses.get(claim, ("", ""))
        told, missing = {
            "mutant": (f"the mutant {claim.name!r} survives {claim.requirement_id}", "it was to fail"),
            "scenario": (
                f"the scenario {claim.name!r} ({claim.requirement_id}) kills no mutant",
                f"{mutant!r} was to fail",
            ),
            "sanitizer": (f"the sanitizer {claim.name} kills no mutant", f"{mutant!r} was to violate it"),
        }[claim.kind]
        if not mutant:
            return f"{told}: {self.file} names no row for it\n  {WRITE}"
        return f"{told}: {missing} in {row!r}\n  {reproduce_play(mutant, row)}"

    def _find_stale_names(self) -> Iterator[str]:
        for mutant in sorted(self.named.failing.keys() - self.statement.mutants.keys()):
            yield f"{self.file} names the mutant {mutant!r}, which doesn't exist: delete its line, or\n  {WRITE}"
        rows = {row for mutant in self.named.failing for row in self.named.rows_of(mutant)}
        for row in sorted(row for row in rows if strip_variation(row) not in self.statement.scenario_of):
            yield f"{self.file} names the row {row!r}, which doesn't exist\n  {WRITE}"


def reproduce_play(mutant: str, row: str) -> str:
    """Return the command that plays a row with a mutant."""
    words = ["react-tck", "run", f"mutant:{mutant}", "--profile", "all", "-k", row]
    return shlex.join(words if find_way(row) == "none" else [*words, "--vary", find_way(row)])


def choose_certificate(statement: Statement, kills: Iterable[Kills]) -> KillMatrix:
    """Choose a few pairs of mutant and row that show all that the kills do.

    Of pairs that show as much, rows as they are come before varied ones, and what few others show before the rest. A
    mutant that depends on the clock shows only itself, and a few of its own rows are named: one of them will fail.
    """
    claims = frozenset(statement.list_claims())
    offers: dict[tuple[str, str], set[Claim]] = {}
    for each in kills:
        for row, claim in each.list_shown(statement.scenario_of):
            if claim in claims and (claim.kind == "mutant" or each.mutant not in statement.timed):
                offers.setdefault((each.mutant, row), set()).add(claim)
    shown = Counter(chain.from_iterable(offers.values()))
    ranked = sorted(
        offers, key=lambda pair: (strip_variation(pair[1]) != pair[1], min(shown[each] for each in offers[pair]), pair)
    )
    timed = [pair for name in statement.timed for pair in [each for each in ranked if each[0] == name][:_OF_TIMED]]
    chosen = [*choose_cover({pair: offers[pair] for pair in ranked}), *timed]
    return build_kill_matrix(
        (mutant, claim.requirement_id, row) for mutant, row in chosen for claim in offers[mutant, row]
    )


#: Scenarios, each with the titles of its rows.
RowsByScenario = Sequence[tuple[ScenarioInfo, Sequence[str]]]

_SANITIZER = "SAN-"
#: Where episodes have all that sanitizers look at: small results are TOOL-003's, errors of tools ERR-007's.
_LOOP = ("SAN-", "LOOP-", "TOOL-003", "ERR-007")


def prove_certificate(statement: Statement, certificate: KillMatrix, processes: int) -> Proof:
    """Play the pairs of the certificate, and once more, each mutant alone, those that came to another end."""
    plays = [
        MutantPlay(mutant, id_, certificate.rows_of(mutant), _shows_again(mutant, id_, certificate))
        for mutant, id_ in statement.mutants.items()
        if mutant in certificate.failing
    ]
    kills = tuple(play_mutants(plays, processes))
    proof = Proof(statement, kills, certificate, CERTIFICATE_FILE)
    surprising = proof.list_surprising()
    again = {each.mutant: each for each in play_mutants((play for play in plays if play.mutant in surprising), 1)}
    return replace(proof, kills=tuple(again.get(each.mutant, each) for each in kills))


def prove_pairs(statement: Statement, shipped: KillMatrix, processes: int, *, is_new: bool = False) -> Proof:
    """Play each mutant in the rows that have to kill it and those that the matrix says it fails.

    Of those that only variations show it is these alone; for a new matrix, all rows of their requirement under all
    variations, and every episode is played again.
    """
    list_titles = list_own_titles if is_new else list_said_titles
    scenarios = {is_varied: list_rows_by_scenario(is_varied=is_varied) for is_varied in (False, True)}
    plays = [
        MutantPlay(
            mutant,
            id_,
            list_titles(mutant, id_, scenarios[load_mutants()[mutant].is_varied], shipped),
            is_new or _shows_again(mutant, id_, shipped),
        )
        for mutant, id_ in statement.mutants.items()
    ]
    kills = tuple(play_mutants(plays, processes))
    return Proof(statement, kills, shipped, FILE)


def _shows_again(mutant: str, requirement_id: str, matrix: KillMatrix) -> bool:
    """Tell whether it is seen when an episode is played again: of all others that would cost half the time."""
    return DETERMINISM in (requirement_id, *matrix.failing.get(mutant, {}))


def list_rows_by_scenario(*, is_varied: bool) -> RowsByScenario:
    """Return each scenario, and the titles of its rows; also as they are under each variation."""
    titles: dict[int, list[str]] = {}
    for row in Selection("all", vary="all" if is_varied else "none").rows:
        titles.setdefault(id(row.scenario), []).append(row.title)
    return [(scenario, titles[id(scenario)]) for scenario in load_features()]


def list_said_titles(
    mutant: str, requirement_id: str, scenarios: RowsByScenario, shipped: KillMatrix
) -> frozenset[str]:
    """Return the rows that it is said to fail, of a mutant that variations show; of any other what has to kill it.

    To play all variations of all rows takes three times as long as everything else.
    """
    said = shipped.rows_of(mutant)
    is_varied = any(strip_variation(row) != row for row in said)
    return said if is_varied else list_own_titles(mutant, requirement_id, scenarios, shipped)


def list_own_titles(mutant: str, requirement_id: str, scenarios: RowsByScenario, shipped: KillMatrix) -> frozenset[str]:
    """Return the rows of its own requirement's scenarios and of those that it is said to fail.

    A sanitizer watches every episode: its mutants meet the scenarios of the tool loop, and of what tools return.
    """
    own = _LOOP if requirement_id.startswith(_SANITIZER) else (requirement_id,)
    said = set(map(strip_variation, shipped.rows_of(mutant)))
    return frozenset(
        title
        for scenario, titles in scenarios
        if (scenario.requirement_id or "").startswith(own) or said.intersection(scenario.row_titles)
        for title in titles
    )


_SMALL = "in a prompt of unknown form nobody can tell whether a value as small as 0, false or no text is shown"
#: Requirements and mutants that no example of the fuzzer's shows, and why.
LEFT_OUT: Mapping[str, str] = {
    "ISO-002": "calls at once: no script says which of them is asked first",
    "empty-inputs-filled": _SMALL,
    "one-shortening-only": "how often a prompt is made shorter no judge counts",
    "truncation-unbounded": "how often a prompt is made shorter no judge counts",
    "dropped-steps-not-told": "in which words a trajectory tells of dropped steps is for its scenario to know",
    "class-history-is-a-text": "where in a prompt a history stands no judge reads",
    "missing-values-of-turns-shown-as-none": "what a prompt shows of values that aren't there no judge reads",
    "inputs-stripped": "blank space around inputs is looked for where an earlier request shows it: here none does",
    "trajectory-left-out": "no capability says that a transcript has a trajectory, which it MAY; its scenarios ask",
    "summary-beside-everything": "which older turns a prompt that was made to fit still shows no judge reads",
    "refusal-without-a-reason": "in which words the LM is told of something is for its scenario to know",
    "results-in-reverse-order": "results that have their ids may stand in any order; who has none has a scenario",
    "submit-untyped": "what the LM is told of the tool `submit` is for its scenarios to know",
    "iteration-counted-from-one": "what a suspension's context counts is for its scenario to know",
    "edited-is-approved": "the status of a confirmation is asked for by its scenarios, not in an episode",
    "hash-in-prompt": "a process has one seed for its hashes, and the fuzzer plays in one process",
    "parser-takes-quadratic-time": "shown by measuring, not by an example",
}
#: Why a requirement of another profile than `robustness` is left out: of these all are shown, by whatever judge.
_UNSEEN = "no judge of an episode knows it; its scenarios do"
#: The episodes in which the mutants of a requirement, or else of a profile, are searched; any other's in its own.
_SEARCHED: Mapping[str, tuple[str, ...]] = {
    # What was left out of prompts is seen where they don't fit.
    "TRJ-005": ("core", "robustness", "upstream"),
    # Calls in text, several calls in one reply and histories that are passed on are a transcript's.
    "ERR-018": ("robustness", "transcript"),
    "TOOL-007": ("transcript",),
    "ISO-003": ("core", "robustness", "transcript"),
    # A person responds in episodes of that profile alone.
    "ERR-024": ("core", "robustness", "confirmation"),
    "TRN-017": ("transcript", "confirmation"),
    "core": ("core", "robustness"),
    "sanitizer": ("core", "robustness"),
    "robustness": ("core", "robustness"),
}
#: Each of the classes that mutants are made of, by its own subject.
_REFERENCES = ("reference", "reference-transcript", "reference-conversation", "reference-udspy")
#: Nine in ten of those that are found have been by the 109th example; where two rare things have to meet, more.
_EXAMPLES = 3000
#: Requirements whose mutants are parsers.
_PARSER = "PRS-"


@dataclass(frozen=True)
class Search:
    """What the fuzzer made of one mutant; `examples` is None if it found nothing."""

    mutant: str
    requirement_id: str
    examples: int | None
    violated: tuple[str, ...]


@dataclass(frozen=True)
class FuzzProof:
    """All searches, and what was found where nothing should be."""

    searches: tuple[Search, ...]
    references: tuple[Search, ...]
    #: Why mutants weren't searched, by name.
    left_out: Mapping[str, str] = field(default_factory=dict)

    def list_problems(self) -> Iterator[str]:
        """Yield everything that isn't proven, a sentence each."""
        for reference in self.references:
            if reference.examples is not None:
                yield f"{reference.mutant} violates {', '.join(reference.violated)}"
        for search in self.searches:
            if search.examples is None:
                yield f"the mutant {search.mutant!r} ({search.requirement_id}) survives the fuzzer"


def prove_by_fuzz(mutants: Mapping[str, str], workers: Workers) -> FuzzProof:
    """Fuzz every mutant (name to requirement id) up to the first finding."""
    left_out = {name: why for name, id_ in mutants.items() if (why := explain_left_out(name, id_))}
    searched = {name: id_ for name, id_ in mutants.items() if name not in left_out}
    tasks = [*((name, "") for name in _REFERENCES), *((f"mutant:{name}", id_) for name, id_ in searched.items())]
    ended = tuple(workers.map(_search_mutant, tasks))
    of_references = len(_REFERENCES)
    return FuzzProof(ended[of_references:], ended[:of_references], left_out)


def explain_left_out(mutant: str, requirement_id: str) -> str | None:
    """Return why the fuzzer isn't asked to find a mutant, if it isn't."""
    is_seen = requirement_id in RULES or _find_profile(requirement_id) == "robustness"
    return LEFT_OUT.get(mutant) or LEFT_OUT.get(requirement_id) or (None if is_seen else _UNSEEN)


def _find_profile(requirement_id: str) -> str:
    return load_registry().by_id[requirement_id].profile


def _choose_scope(requirement_id: str) -> SearchScope:
    if not requirement_id:
        return SearchScope()
    profile = _find_profile(requirement_id)
    return SearchScope(_SEARCHED.get(requirement_id) or _SEARCHED.get(profile, (profile,)))


def _search_mutant(task: tuple[str, str], _: Beat) -> Search:
    subject_name, requirement_id = task
    name = subject_name.removeprefix("mutant:")
    if requirement_id.startswith(_PARSER):
        return _search_parser(name, requirement_id, resolve(subject_name))
    violation = Campaign(
        GivenSubject(resolve(subject_name)), Budget(_EXAMPLES), SilentSearchListener(), _choose_scope(requirement_id)
    ).find_first()
    if violation is None:
        return Search(name, requirement_id, None, ())
    return Search(name, requirement_id, violation.sighting.example, tuple(violation.sighting.breaches))


def _search_parser(name: str, requirement_id: str, subject: Subject) -> Search:
    found = ParserCampaign(GivenSubject(subject), Budget()).find_first()
    if found is None:
        return Search(name, requirement_id, None, ())
    example, violated = found
    return Search(name, requirement_id, example, (violated,))
