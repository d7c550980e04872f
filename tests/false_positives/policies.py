"""The policies that the reference's classes are built with: a pairwise sample, in which any two variants meet."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any, get_args

from react_tck.reference.loop import Policy

#: The variants of each choice, by the field of a policy.
Variants = Mapping[str, Sequence[Any]]
#: One of them for each choice.
Chosen = Mapping[str, Any]

#: The choices that only one class has.
_ONLY_IN = {"finish_from_first_state": "reference-conversation", "fallback": "reference-transcript"}
#: The choices that only some classes have a place for: a transcript's runs end by a submit, and a conversation, which
#: keeps every step, is given its predictor by another parameter.
_ONLY_AFTER_FINISH = ("finish_recorded", "extraction")
_AFTER_FINISH = ("reference", "reference-udspy")
_EXTRACTS = "SHALL call the extraction module"
#: What a class can be built with, though a MUST of its system rules it out: which one, and by what words.
AGAINST_SOURCES: Mapping[tuple[str, str, Any], tuple[str, str]] = {
    ("reference", "steps_exhausted", "error"): ("EXT-001", _EXTRACTS),
    ("reference-udspy", "steps_exhausted", "error"): ("EXT-001", _EXTRACTS),
    ("reference-conversation", "steps_exhausted", "error"): ("CNV-006", "synthesizes a final answer"),
    ("reference-transcript", "steps_exhausted", "error"): ("TRN-006", "remains as the fallback path"),
    ("reference-conversation", "finish_from_first_state", "illegal"): ("EXT-001", _EXTRACTS),
    ("reference-conversation", "malformed_reply", "error"): ("CNV-010", "recovers from LLM output issues"),
    ("reference-udspy", "tool_error", "error"): ("ERR-007", "the error is captured as an observation"),
    ("reference-udspy", "finish_recorded", False): ("UDS-001", "'tool_name_1': 'finish'"),
    ("reference-udspy", "trajectory_format", "list"): ("UDS-001", "a dictionary with the following keys"),
    ("reference-udspy", "trajectory_format", "text"): ("UDS-001", "a dictionary with the following keys"),
}
#: What every policy has, because a practice (SIG-007) or a source (TRN-007) asks for it; who comes from dspy has it
#: otherwise.
DECIDED: Chosen = {"unknown_inputs": "refused", "derived_trajectory": "given"}


def list_variants(name: str) -> Variants:
    """The variants of each choice that the class of this name has."""
    kinds = {field: about.annotation for field, about in Policy.model_fields.items() if field not in DECIDED}
    variants = {field: (True, False) if kind is bool else get_args(kind) for field, kind in kinds.items()}
    return {
        field: tuple(variant for variant in those if (name, field, variant) not in AGAINST_SOURCES)
        for field, those in variants.items()
        if those and _ONLY_IN.get(field, name) == name and (field not in _ONLY_AFTER_FINISH or name in _AFTER_FINISH)
    }


def sample_pairs(variants: Variants) -> list[Chosen]:
    """Make a few policies in which any two variants of two choices stand together.

    Each begins with a pair that hasn't met, and takes the variants that meet most of what they haven't met; where that
    leaves it open, those that were taken least.
    """
    missing = dict.fromkeys(
        ((one, first), (other, second))
        for one, other in combinations(variants, 2)
        for first, second in product(variants[one], variants[other])
    )
    sample: list[Chosen] = []
    while missing:
        chosen = dict(next(iter(missing)))
        for choice in [choice for choice in variants if choice not in chosen]:
            chosen[choice] = max(variants[choice], key=partial(_rate_variant, choice, chosen, missing, sample))
        sample.append({choice: chosen[choice] for choice in variants})
        for pair in combinations(sample[-1].items(), 2):
            missing.pop(pair, None)
    return sample


def _rate_variant(
    choice: str, chosen: Chosen, missing: Mapping[Any, None], sample: Sequence[Chosen], variant: Any
) -> Any:
    """How much it is needed: the pairs that it would make first, then how seldom it was taken."""
    mine = (choice, variant)
    pairs = [pair for other in chosen.items() for pair in ((other, mine), (mine, other))]
    return sum(pair in missing for pair in pairs), -sum(each[choice] == variant for each in sample)
