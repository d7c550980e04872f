"""Which subject plays which rows: a pairwise sample, in which every requirement meets every variant, or all."""

import subprocess
from collections.abc import Collection, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from random import Random

from react_tck.catalogue.features import load_features
from react_tck.catalogue.kill_matrix import choose_cover
from react_tck.catalogue.selection import Selection
from react_tck.subjects.catalogue import REFERENCES
from tests.false_positives.agents import AGENTS
from tests.false_positives.subjects import list_names, list_policies

#: The titles of the rows that each subject plays, by its name.
Sample = Mapping[str, Collection[str]]


def draw_sample(seed: str) -> Sample:
    """Draw what each subject plays: the same for the same seed.

    Of each requirement the subjects are drawn that meet every variant, and for each of them one of its rows.
    """
    sample: dict[str, set[str]] = {name: set() for name in list_names()}
    for requirement_id, rows in list_rows().items():
        random = Random(f"{seed} {requirement_id}")
        names = random.sample([*sample], len(sample))
        chosen = choose_cover({name: list_variants_of(name) for name in names})
        for name, row in zip(chosen, cycle(random.sample(rows, len(rows))), strict=False):
            sample[name].add(row)
    return sample


def draw_whole(seed: str) -> Sample:
    """Every row for each subject; a row under its variations for one policy of each class, and one unusual agent."""
    rows = Selection("all", vary="sample").rows
    plain = [row.title for row in rows if not row.variation]
    sample = {name: set(plain) for name in list_names()}
    groups = [[n for n, built in list_policies().items() if built.react == react] for react in REFERENCES]
    for row in rows:
        random = Random(f"{seed} {row.title}")
        for group in (*groups, [*AGENTS]) if row.variation else ():
            sample[random.choice(group)].add(row.title)
    return sample


def list_variants_of(name: str) -> Collection[object]:
    """What a requirement meets that is played with the subject of that name: a variant of each choice in its class.

    An unusual agent is a variant of its own.
    """
    built = list_policies().get(name)
    if built is None:
        return [name]
    return [(built.react, *variant) for variant in built.policy.model_dump().items()]


def list_rows() -> Mapping[str, Sequence[str]]:
    """The titles of the rows of each requirement."""
    rows: dict[str, list[str]] = {}
    for scenario in load_features():
        rows.setdefault(scenario.requirement_id or "", []).extend(scenario.row_titles)
    return rows


def read_commit() -> str:
    """The hash of the commit that is checked out; 0 where there is no git."""
    words, here = ["git", "rev-parse", "HEAD"], Path(__file__).parent
    try:
        return subprocess.run(words, cwd=here, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "0"
