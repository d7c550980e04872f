"""What the suite, and the fuzzer alone, find of the planted faults."""

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from react_tck.catalogue.features import load_features
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.fuzz.campaign import Campaign
from react_tck.fuzz.progress import SilentSearchListener
from react_tck.fuzz.shards import Budget, GivenSubject
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.processes.workers.processes import start_process_workers as started
from react_tck.processes.workers.workers import Beat
from react_tck.prove.playing import PRELOADED
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import resolve
from tests.prove.planted import faults


def _errors(*numbers: int) -> tuple[str, ...]:
    return tuple(f"ERR-{number:03}" for number in numbers)


#: The requirements, by the beginning of their ids, whose scenarios a fault of a module meets: to play all of them for
#: every fault would take hours.
_MET = {
    "trajectory": ("TRJ", "LOOP-005", "HIS", "TOOL-003", "ISO", "ASY", "CTX", *_errors(1, 7, 13, 17, 22)),
    "prompts": ("LOOP-002", "EXT", "TRJ-005", "TOOL-003", "ISO", "CTX", *_errors(5, 6, 7, 13, 22, 24)),
    "tool_runs": ("LOOP", "TOOL", "ASY", "ISO", *_errors(1, 2, 3, 4, 7, 10, 12, 13, 22, 25)),
    "calls": ("ADP", "HIS", "ISO", "ASY", "SAV", "EXT", "LOOP-009", "SIG-005", *_errors(6, 11, 12, 23, 24, 25, 26, 27)),
    "transcript": ("TRN",),
    "histories": ("TRN",),
    "conversation": ("CNV",),
    "confirmation": ("CNF", "ERR-024"),
    "udspy": ("UDS", "ISO-001", "ASY", *_errors(1, 7)),
}


@dataclass(frozen=True)
class Found:
    """The requirement that is violated first, and in which row or example; nothing where the fault is missed."""

    fault: str
    requirement: str = ""
    where: str = ""
    #: What judges, or the fuzzer, saw violated there.
    violated: tuple[str, ...] = ()


def by_suite(names: Iterable[str], processes: int = 2) -> Iterator[Found]:
    """What the suite finds of these faults, in their order."""
    with started(processes, PRELOADED) as workers:
        yield from workers.map(_suite, names)


def by_fuzz(names: Iterable[str], examples: int, processes: int = 2) -> Iterator[Found]:
    """What the fuzzer finds of them within so many examples."""
    with started(processes, PRELOADED) as workers:
        yield from workers.map(_fuzz, ((name, examples) for name in names))


def subject_name(fault: str) -> str:
    """How the command line names it."""
    return f"python:tests.prove.planted:{fault}"


#: Of each fault a requirement that finds it, and the row of a scenario in which it does: `--write` writes it.
FOUND = Path(__file__).with_name("found.json")


def known() -> tuple[Found, ...]:
    """What the suite was seen to find."""
    told: dict[str, dict[str, str]] = json.loads(FOUND.read_text(encoding="utf-8"))
    return tuple(Found(fault, where["requirement"], where["row"]) for fault, where in told.items())


def write(found: Iterable[Found]) -> None:
    """Keep it, together with what is known of other faults."""
    told = {each.fault: each for each in (*known(), *found) if each.requirement and each.fault in faults()}
    rows = {fault: {"requirement": told[fault].requirement, "row": told[fault].where} for fault in sorted(told)}
    FOUND.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def missed(known_ones: Sequence[Found], processes: int = 2) -> list[str]:
    """Of these faults those that aren't found any more where they were: only those rows are played."""
    with started(processes, PRELOADED) as workers:
        parts = workers.map(_missed, [known_ones[number::processes] for number in range(processes)])
        return sorted(fault for part in parts for fault in part)


def is_found(name: str, found: Found) -> bool:
    """Whether a subject violates the requirement in this row, by its sentences or before the judges."""
    results = Run(resolve(name), name, Selection.select_row("all", found.where), replays=False).collect_results(
        Unheard()
    )
    assert not results.kit_errors, results.kit_errors
    entered = (results.scenarios, results.violations, results.departures)
    seen = (result for table in entered for result in table.get(found.requirement, ()))
    return any(result.title == found.where and _is_red(result) for result in seen)


def _missed(known_ones: Sequence[Found], _: Beat) -> list[str]:
    return [each.fault for each in known_ones if not is_found(subject_name(each.fault), each)]


def _suite(fault: str, _: Beat) -> Found:
    name = subject_name(fault)
    # Played once: what only a second play would show (SAN-009) has to be found by a sentence or a judge.
    selection = Selection(profile="all", titles=frozenset(_titles(fault)))
    results = Run(resolve(name), name, selection, replays=False).collect_results(Unheard())
    # What judges saw, though every sentence of the scenarios held, comes last.
    tables = (results.scenarios, results.violations, results.departures)
    failed = [(id_, row) for table in tables for id_, rows in table.items() for row in rows if _is_red(row)]
    if not failed:
        return Found(fault)
    requirement, row = failed[0]
    return Found(fault, requirement, row.title, (*results.violations, *results.departures))


def _is_red(result: ScenarioResult) -> bool:
    return result.verdict is Verdict.FAILED


def _titles(fault: str) -> Iterator[str]:
    met = _MET[faults()[fault].__module__.rpartition(".")[2]]
    yield from (scenario.title for scenario in load_features() if (scenario.requirement_id or "").startswith(met))


def _fuzz(task: tuple[str, int], _: Beat) -> Found:
    fault, examples = task
    logging.disable(logging.CRITICAL)
    violation = Campaign(
        GivenSubject(resolve(subject_name(fault))), Budget(examples), SilentSearchListener()
    ).find_first()
    if violation is None:
        return Found(fault)
    return Found(
        fault, violation.requirement_id, f"example {violation.sighting.example}", tuple(violation.sighting.breaches)
    )
