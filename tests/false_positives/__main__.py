"""`python -m tests.false_positives`: holds every row of a sample against subjects that are right; none may fail.

With a NAME it plays that subject alone, in all rows or in those that have the text of `-k` in their title.
"""

import os
import sys
from collections.abc import Sequence

import click

from react_tck.catalogue.sampling import Replay, find_way
from react_tck.catalogue.selection import Selection
from tests.false_positives.check import Checked, check_subjects
from tests.false_positives.sample import Sample, draw_sample, draw_whole, read_commit
from tests.false_positives.subjects import list_names


@click.command()
@click.argument("name", required=False)
@click.option("-k", "text", help="with NAME: the rows that have this in their title")
@click.option("--whole", is_flag=True, help="play every row with every subject")
@click.option("--seed", help="what the sample is drawn with (default the hash of the commit, 0 without git)")
@click.option("-n", "processes", type=click.IntRange(1), default=os.cpu_count(), help="so many processes at once")
def command(name: str | None, text: str | None, whole: bool, seed: str | None, processes: int) -> None:
    """Play rows with subjects that are right, and tell what they fail: that is the kit's fault."""
    seed = seed or read_commit()
    if name:
        sample = _select_rows(name, text or "")
    elif text:
        raise click.UsageError("-k goes with a NAME.")
    else:
        sample = draw_whole(seed) if whole else draw_sample(seed)
        print(f"seed {seed}")
    replay: Replay | None = "all" if name else "sample" if whole else None
    checked = check_subjects(sample, processes, replay)
    sys.exit(1 if report_problems(checked) else 0)


def report_problems(checked: Sequence[Checked]) -> int:
    """Print every problem and how much was played; gives how many problems there are."""
    problems = [problem for each in checked for problem in each.list_problems()]
    for problem in problems:
        print(f"false positive: {problem}")
    passed = sum(each.passed for each in checked)
    print(f"{len(checked)} subjects that are right, {passed} rows passed: {len(problems)} false positives")
    return len(problems)


def _select_rows(name: str, text: str) -> Sample:
    if name not in list_names():
        raise click.UsageError(f"There is no {name!r}. There are: {', '.join(list_names())}.")
    titles = {row.title for row in Selection("all", title=text, vary=find_way(text)).rows}
    if not titles:
        raise click.UsageError(f"No row has {text!r} in its title.")
    return {name: titles}


if __name__ == "__main__":
    command()
