"""Proves the fuzzer: on its own it has to find every mutant, and nothing in the classes of the reference."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from react_tck.catalogue.registry import load_registry
from react_tck.fuzz.campaign import Campaign, SilentSearchListener
from react_tck.fuzz.parser_search import ParserCampaign
from react_tck.fuzz.shards import Budget, GivenSubject, SearchScope
from react_tck.judges.in_play import RULES
from react_tck.processes.workers.workers import Beat, Workers
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import resolve

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
