"""Mutants that the fuzzer didn't see as long as it knew one system: found in the episodes of their own profile."""

import pytest

from react_tck.fuzz.campaign import Campaign, SilentSearchListener
from react_tck.fuzz.shards import Budget, GivenSubject, SearchScope
from react_tck.subjects.catalogue import resolve

#: By mutant: its profile, and the example by which it has been found.
FOUND = {
    "history-left-out-of-extraction": ("core", 40),
    "adapter-a-call-late": ("core", 60),
    "interruption-observed": ("core", 300),
    "prompts-encoded-strictly": ("robustness", 100),
    "inputs-end-at-nul": ("robustness", 200),
    "observations-end-at-nul": ("robustness", 1000),
    "asks-again-what-nothing-mends": ("robustness", 200),
    "flat-args-lost": ("robustness", 400),
    "system-prompt-by-state": ("conversation", 5),
    "second-turn-forgets-the-first": ("conversation", 20),
    "history-input-by-its-usual-name-only": ("conversation", 40),
    "submit-followed-by-extraction": ("transcript", 5),
    "calls-run-behind-a-submit": ("transcript", 40),
    "callers-history-changed": ("transcript", 20),
    "only-the-first-call-runs": ("transcript", 40),
    "follow-up-forgets-the-first-turn": ("transcript", 20),
    "confirmation-ignored": ("confirmation", 60),
    "feedback-run-as-approval": ("confirmation", 100),
    "question-in-other-words": ("confirmation", 60),
    "resumed-conversation-begins-anew": ("confirmation", 1500),
    "summary-not-read-again": ("transcript", 1000),
    "context-without-left-out-steps": ("confirmation", 1000),
    "udspy-thought-keys": ("udspy", 5),
    "udspy-error-without-the-tool": ("udspy", 60),
    "nothing-dropped": ("upstream", 150),
    "awaited-tools-are-untold": ("upstream", 40),
}
#: What is drawn moves with the table of variations: by seed 0 this one needs more.
SEEDS = {"awaited-tools-are-untold": 1}


#: Those of `make test`: of each profile the one that is found soonest.
_BY_TIME = sorted(FOUND, key=lambda each: FOUND[each][1], reverse=True)
SOONEST = {FOUND[each][0]: each for each in _BY_TIME}.values()


@pytest.mark.parametrize(
    "mutant", [each if each in SOONEST else pytest.param(each, marks=pytest.mark.all) for each in FOUND]
)
def test_a_mutant_of_every_profile_is_found(mutant: str) -> None:
    profile, examples = FOUND[mutant]
    scope = SearchScope((profile,))
    found = Campaign(
        GivenSubject(resolve(f"mutant:{mutant}")),
        Budget(examples, seed=SEEDS.get(mutant, 0)),
        SilentSearchListener(),
        scope,
    ).find_first()
    assert found is not None


@pytest.mark.parametrize(
    ("subject", "profile"),
    [
        ("reference", "core"),
        ("reference-conversation", "conversation"),
        ("reference-transcript", "transcript"),
        ("reference-transcript", "confirmation"),
        ("reference-udspy", "udspy"),
        ("reference", "upstream"),
    ],
)
def test_the_reference_is_not(subject: str, profile: str) -> None:
    campaign = Campaign(GivenSubject(resolve(subject)), Budget(6), SilentSearchListener(), SearchScope((profile,)))
    assert campaign.find_first() is None
    assert campaign.in_play["SAN-008"] > 0
