"""Which subject plays which rows: a pairwise sample, in which every requirement meets every variant once."""

import subprocess
from collections.abc import Collection, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from random import Random

from react_tck.catalogue.covers import choose_cover
from react_tck.catalogue.features import load_features
from tests.false_positives.subjects import list_names, list_policies

#: What a subject has that a requirement is to meet: its name, if it is unusual, or a variant of a choice in its class.
Variant = tuple[object, ...]


def list_variants_of(name: str) -> Collection[Variant]:
    """What meets a requirement when it is played with the subject of that name."""
    built = list_policies().get(name)
    if built is None:
        return [(name,)]
    return [(built.react, choice, variant) for choice, variant in built.policy.model_dump().items()]


def draw_sample(seed: str) -> Mapping[str, Collection[str]]:
    """Draw the titles of the rows that each subject plays: the same for the same seed.

    Of each requirement the subjects are drawn that meet every variant, and for each of them one of its rows.
    """
    sample: dict[str, set[str]] = {name: set() for name in list_names()}
    for requirement_id, rows in list_rows().items():
        random = Random(f"{seed} {requirement_id}")
        names = random.sample([*sample], len(sample))
        chosen = choose_cover({name: list_variants_of(name) for name in names})
        for name, row in zip(chosen, cycle(random.sample(rows, len(rows)))):
            sample[name].add(row)
    return sample


def list_rows() -> Mapping[str, Sequence[str]]:
    """The titles of the rows of each requirement."""
    rows: dict[str, list[str]] = {}
    for scenario in load_features():
        rows.setdefault(scenario.requirement_id or "", []).extend(scenario.row_titles)
    return rows


def read_commit() -> str:
    """The hash of the commit that is checked out; 0 where there is no git."""
    command = ["git", "rev-parse", "HEAD"]
    try:
        return subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "0"
