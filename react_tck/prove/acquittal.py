"""Proves that the kit accuses nobody who is right: plays the innocents, of whom none may fail.

To play every row with each of them takes half an hour of a processor. A policy makes a difference where something goes
wrong: a row that arranges trouble is played, in each class, under a few policies that have every variant among them.
Any other row is played under one policy of each class, and each row by one or two of the unusual agents. Which those
are follows from the row's title, so that a new row moves no other one. One innocent of each class, and one of the
unusual agents, plays a row in full: a second time, to compare the records, and under the variations that are dealt to
it. The others play it once.
"""

import logging
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from zlib import crc32

from react_tck.catalogue.features import RowInfo, load_features
from react_tck.catalogue.sampling import Vary
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import KitBroken, Run
from react_tck.model.report import Report, RequirementResult, Verdict
from react_tck.model.requirement import DECLARED_OTHERWISE
from react_tck.processes.workers.workers import Beat, Workers
from react_tck.prove.innocents import (
    describe_innocent,
    find_innocent_subject,
    list_given_up,
    list_innocents,
    list_policies,
    load_agents,
)
from react_tck.prove.policies import cover_variants
from react_tck.results.books import Unheard
from react_tck.results.exit_status import broken_practices, list_musts
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import REFERENCES

#: What a row arranges in which nothing goes wrong, whatever the policy.
_SMOOTH = re.compile(
    r"(a|an|the|another) (ReAct|conversation|transcript|udspy)|the tools?\b(?!.*(raises|interrupted))|replies are asked"
    r"|(the LM|as its next \w+ the LM) (calls|finishes|answers|submits|makes|takes|asks)|the steps ask|the agent"
    r"|the (global adapter|module's own adapter|parser|caller)|its (instructions|predictor|step|extraction)"
)
#: Each row is played by every so many-th of the unusual agents.
_SHARES = 8
_RED = (Verdict.FAILED, Verdict.ERROR)


@dataclass(frozen=True)
class Share:
    """The titles of the rows that one innocent is played in."""

    #: Played once.
    once: frozenset[str]
    #: Played a second time, and under variations; all there are, if None.
    full: frozenset[str] | None


_EVERY_ROW = Share(once=frozenset(), full=None)


@dataclass(frozen=True)
class Accusation:
    """A row in which an innocent was found to be wrong."""

    requirement: str
    row: str
    fault: str
    #: The command that shows it again.
    reproduce: str


@dataclass(frozen=True)
class Hearing:
    """What came of one innocent."""

    name: str
    #: So many rows passed.
    passed: int
    accusations: tuple[Accusation, ...]


@dataclass(frozen=True)
class Acquittal:
    """What came of all of them."""

    hearings: tuple[Hearing, ...]
    #: Whether there was to be more: what is missing then shows nothing.
    is_interrupted: bool = False

    def list_problems(self) -> Iterator[str]:
        """Every accusation, in a sentence and the command that shows it; and who was shown nothing."""
        for hearing in self.hearings:
            if not hearing.passed:
                yield f"{hearing.name} passed no row ({describe_innocent(hearing.name)})"
            for each in hearing.accusations:
                yield (
                    f"{hearing.name} fails {each.requirement} in {each.row!r}: {each.fault}\n"
                    f"  {each.reproduce}\n  {describe_innocent(hearing.name)}"
                )


def acquit_innocents(
    names: Iterable[str], workers: Workers, *, is_whole: bool = False, vary: Vary = "sample"
) -> Acquittal:
    """Play each of them in the rows that are dealt to it, or, for a `whole` acquittal, in all there are."""
    dealt = {} if is_whole else deal_rows()
    hearings: list[Hearing] = []
    try:
        hearings.extend(workers.map(_try_innocent, ((name, dealt.get(name, _EVERY_ROW), vary) for name in names)))
    except KeyboardInterrupt:
        return Acquittal(tuple(hearings), is_interrupted=True)
    return Acquittal(tuple(hearings))


@cache
def deal_rows() -> Mapping[str, Share]:
    """The rows that each innocent is played in; of each class, and of the unusual agents, one plays a row in full."""
    dealt: dict[str, dict[str, bool]] = {name: {} for name in list_innocents()}
    hands = {
        react: {name: built.policy.model_dump() for name, built in list_policies().items() if built.react == react}
        for react in REFERENCES
    }
    for row in (row for scenario in load_features() for row in scenario.rows):
        lot = crc32(row.title.encode())
        for of_class in hands.values():
            names, first = [*of_class], lot % len(of_class)
            chosen = cover_variants([*of_class.values()], first) if _is_troubled(row) else [first]
            for number in chosen:
                dealt[names[number]][row.title] = number == first
        agents = [*load_agents()][lot % _SHARES :: _SHARES]
        for agent in agents:
            dealt[agent][row.title] = agent == agents[lot // _SHARES % len(agents)]
    return {name: _share_rows(titles) for name, titles in dealt.items()}


def _share_rows(titles: Mapping[str, bool]) -> Share:
    return Share(
        once=frozenset(title for title, is_full in titles.items() if not is_full),
        full=frozenset(title for title, is_full in titles.items() if is_full),
    )


def try_subject(
    subject: Subject,
    name: str,
    rows: frozenset[str] | None,
    given_up: Collection[str] = (),
    vary: Vary = "none",
    *,
    replays: bool = True,
) -> Hearing:
    """What comes of a subject that is right but for what it has given up, in the rows of these titles, or in all."""
    # What a library says of a failure in its log is nobody's business.
    logging.disable(logging.WARNING)
    selection = Selection(profile="all", titles=rows, vary=vary)
    report = Run(subject, f"innocent:{name}", selection, replays=replays).report(Unheard())
    if report.kit_errors:
        raise KitBroken("\n".join(report.kit_errors))
    return Hearing(name, report.ledger.passed, tuple(_find_accusations(report, given_up)))


def _try_innocent(task: tuple[str, Share, Vary], _: Beat) -> Hearing:
    name, share, vary = task
    subject, given_up = find_innocent_subject(name), list_given_up(name)
    full = try_subject(subject, name, share.full, given_up, vary)
    if not share.once:
        return full
    once = try_subject(subject, name, share.once, given_up, replays=False)
    return Hearing(name, once.passed + full.passed, (*once.accusations, *full.accusations))


def _is_troubled(row: RowInfo) -> bool:
    """Whether something goes wrong in a row, or the steps run out: for all that its sentences say."""
    return any(step.type == "given" and not _SMOOTH.match(step.text) for step in row.steps)


def _find_accusations(report: Report, given_up: Collection[str]) -> Iterator[Accusation]:
    for result in (result for result in _list_binding(report) if result.id not in given_up):
        for row in (*result.scenarios, *result.departures):
            if row.verdict in _RED:
                yield Accusation(result.title, row.title, row.fault, row.reproduce)


def _list_binding(report: Report) -> list[RequirementResult]:
    """MUSTs, practices of any severity, and what is declared."""
    declared = [each for each in report.requirements if each.id == DECLARED_OTHERWISE]
    return [*list_musts(report), *broken_practices(report), *declared]
