"""Plays rows with subjects that are right, and finds what the kit holds against them: that is the kit's fault."""

import shlex
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain

from react_tck.catalogue.sampling import Replay, strip_variation
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.engine.session import CollectedRows
from react_tck.model.report import Verdict
from react_tck.model.requirement import DECLARED_OTHERWISE, Requirement
from react_tck.prove.kills import FindingsWatch, Lost, Play, play_apart
from react_tck.results.ledger import Results
from react_tck.subjects.api import Subject
from tests.false_positives.subjects import describe_subject, make_subject

_RED = (Verdict.FAILED, Verdict.ERROR)


@dataclass(frozen=True)
class FalsePositive:
    """A row in which something was held against a subject that is right."""

    requirement: str
    row: str
    fault: str


@dataclass(frozen=True)
class Checked:
    """What came of one subject."""

    name: str
    #: So many rows passed.
    passed: int
    found: tuple[FalsePositive, ...] = ()
    #: What went wrong in the kit, or with the process.
    kit_errors: tuple[str, ...] = ()

    def list_problems(self) -> Iterator[str]:
        """What was held against it, each with the command that shows it again; or that nothing was shown."""
        yield from (f"{self.name} couldn't be played: {error}" for error in self.kit_errors)
        if not self.passed:
            yield f"{self.name} passed no row ({describe_subject(self.name)})"
        for each in self.found:
            command = shlex.join(["python", "-m", "tests.false_positives", self.name, "-k", each.row])
            yield (
                f"{self.name} ({describe_subject(self.name)}) fails {each.requirement} in {each.row!r}: {each.fault}\n"
                f"  {command}"
            )


def check_subjects(
    sample: Mapping[str, Collection[str]], processes: int, replay: Replay | None = None
) -> list[Checked]:
    """Play each subject, by its name, in the rows of these titles; so many at once, and these of them again."""
    titles = frozenset(chain.from_iterable(sample.values()))
    titles |= frozenset(map(strip_variation, titles))
    rows = [row for row in Selection("all", vary="sample").rows if row.title in titles]
    plays: list[Play[Checked]] = [partial(_check_name, name, mine, replay) for name, mine in sample.items()]
    return [
        Checked(name, 0, kit_errors=(found.why,)) if isinstance(found, Lost) else found
        for name, found in zip(sample, play_apart(rows, plays, processes), strict=True)
    ]


def _check_name(name: str, titles: Collection[str], replay: Replay | None, collected: CollectedRows) -> Checked:
    return check_subject(make_subject(name), name, titles, collected, replay)


def check_subject(
    subject: Subject,
    name: str,
    titles: Collection[str],
    collected: CollectedRows,
    replay: Replay | None = None,
) -> Checked:
    """What comes of a subject that is right, in the rows of these titles."""
    watch, selection = FindingsWatch(), Selection("all", replay=replay or "sample")
    run = Run(subject, f"python:tests.false_positives.subjects:{name}", selection, replays=replay is not None)
    run.play_rows(collected, {*titles, *map(strip_variation, titles)}, watch)
    results, manifest = watch.results, subject.initialize()
    held = {each.id: each for each in selection.registry_for(manifest).requirements if _is_held(each)}
    ended = chain.from_iterable(results.scenarios.values())
    return Checked(
        name,
        sum(result.verdict is Verdict.PASSED for result in ended),
        tuple(_find_false_positives(results, held)),
        tuple(results.kit_errors),
    )


def _is_held(requirement: Requirement) -> bool:
    """Whether it is held against whom it binds: MUSTs, practices of any severity, and what is declared."""
    is_judged = not (requirement.pending or requirement.excluded)
    return is_judged and (
        requirement.level == "MUST" or bool(requirement.severity) or requirement.id == DECLARED_OTHERWISE
    )


def _find_false_positives(results: Results, held: Mapping[str, Requirement]) -> Iterator[FalsePositive]:
    for found in (results.scenarios, results.violations, results.departures):
        for id_, ended in found.items():
            for row in ended if id_ in held else ():
                if row.verdict in _RED:
                    yield FalsePositive(held[id_].label, row.title, row.fault)
