"""The zoo of Python subjects: each row gets what its kind deserves, the next one is unaffected, and nothing is left."""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.model.report import Report, ScenarioResult, Verdict
from react_tck.processes.supervised import SupervisedRun
from react_tck.processes.supervisor import WorkerLimits
from react_tck.results.exit_status import Exit, exit_status
from tests.support.suite_checks import Heard
from tests.zoo import in_process as zoo
from tests.zoo.by_kind import name_supervision, split_by_kind
from tests.zoo.in_process import KINDS
from tests.zoo.kinds import MEMORY, PATIENCE, STARTED, Kind

pytest.importorskip("dspy", reason="the subjects are the reference, but for what they do wrong")

SUBJECT = "python:tests.zoo.in_process:subject"
#: Seconds for all kinds together.
BOUND = 240.0
#: Why the reference isn't asked what a row of native calls asks.
NO_NATIVE_CALLS = "reference does not claim the dialect 'native'"


@dataclass(frozen=True)
class Visit:
    """A run in which every second row met a kind."""

    report: Report
    #: By the kind's name: the row that met it.
    met: Mapping[str, ScenarioResult]
    #: All others.
    unaffected: Sequence[ScenarioResult]
    seconds: float
    #: Processes that the subjects have started.
    started: tuple[int, ...]


def visit(kinds: Sequence[Kind], selection: Selection, started: Path, processes: int = 1) -> Visit:
    zoo.subject()  # imported once, for all the workers that are copies of this process
    marks = zoo.marks(selection)
    homes = _choose_rows(kinds, list(marks))
    zoo.ACTS.clear()
    zoo.ACTS.update({marks[homes[kind.name]]: kind.act for kind in kinds})
    os.environ[STARTED] = str(started)
    begun, limits = time.monotonic(), WorkerLimits(row=PATIENCE, memory=MEMORY)
    report = SupervisedRun(SUBJECT, selection, processes=processes, limits=limits).report(Heard())
    seconds = time.monotonic() - begun
    found = {result.title: result for result in _ends(report)}
    violated = {
        (each.id, result.title): result
        for each in report.requirements
        if each.profile == "sanitizer"
        for result in each.scenarios
    }
    return Visit(
        report,
        {
            kind.name: violated[kind.violates, row] if kind.violates else found[row]
            for kind in kinds
            for row in [homes[kind.name]]
        },
        [found[row] for row in marks if row not in homes.values()],
        seconds,
        tuple(map(int, started.read_text().split())) if started.exists() else (),
    )


def _choose_rows(kinds: Sequence[Kind], rows: Sequence[str]) -> dict[str, str]:
    """Every second row, by the name of the kind that meets it; a kind that fails meets one about the outputs."""
    about_outputs = [row for row in rows[::2] if row in zoo.marks(zoo.OUTPUT_ROWS)]
    others = [row for row in rows[::2] if row not in about_outputs]
    chosen = {
        kind.name: (about_outputs if kind.verdict is Verdict.FAILED and not kind.violates else others) for kind in kinds
    }
    assert all(list(chosen.values()).count(pool) <= len(pool) for pool in (about_outputs, others)), (
        "more rows are needed"
    )
    return {name: pool.pop(0) for name, pool in chosen.items()}


def _ends(report: Report) -> Iterable[ScenarioResult]:
    for requirement in report.requirements:
        if not requirement.id.startswith("SAN-"):
            yield from requirement.scenarios


def kind_of(kind: Kind) -> str:
    """How its row ends, and what the kit has to watch for."""
    place = kind.act.__module__.rpartition(".")[2]
    starts = ", starting processes" if kind.does.startswith("leaves a process") else ""
    return f"{kind.verdict} {kind.violates} by a {name_supervision(kind.evidence)} in {place}{starts}"


_NAMED = {kind.name: kind for kind in KINDS}
_ONE_OF_EACH = [name for each in split_by_kind(_NAMED, kind_of) if not each.marks for name in each.values[0]]  # type: ignore[union-attr]
PLAYED = (
    pytest.param((_ONE_OF_EACH, zoo.SOME_ROWS), id="one of each kind"),
    pytest.param((list(_NAMED), zoo.ROWS), id="all of them", marks=pytest.mark.all),
)


@pytest.mark.parametrize("selected", PLAYED)
def test_a_row_ends_as_its_kind_deserves_and_all_others_are_unaffected(
    selected: tuple[list[str], Selection], tmp_path: Path
) -> None:
    names, rows = selected
    kinds = [kind for kind in KINDS if kind.name in names]
    harmful = visit([kind for kind in kinds if kind.verdict is not Verdict.PASSED], rows, tmp_path / "one", 4)
    harmless = visit([kind for kind in kinds if kind.verdict is Verdict.PASSED], zoo.FEWER_ROWS, tmp_path / "other")
    for kind in kinds:
        met = (harmless if kind.verdict is Verdict.PASSED else harmful).met[kind.name]
        assert (met.verdict, kind.evidence in met.message) == (kind.verdict, True), (kind.name, _core(met))
    for visited in (harmful, harmless):
        _assert_complete(visited)
    assert harmful.report.ledger.errors == sum(kind.verdict is Verdict.ERROR for kind in kinds)
    assert exit_status(harmful.report) is Exit.HARNESS_BROKEN
    assert exit_status(harmless.report) is Exit.CONFORMANT
    assert harmless.started
    assert [process for process in harmless.started if _runs(process)] == []
    assert harmful.seconds + harmless.seconds < BOUND


def _assert_complete(visited: Visit) -> None:
    played = [each for each in visited.unaffected if each.message != NO_NATIVE_CALLS]
    affected = [result for result in played if result.verdict is not Verdict.PASSED]
    assert not affected, "\n".join(map(_core, affected))
    assert visited.report.ledger.balances
    assert visited.report.ledger.not_run == 0
    assert not visited.report.kit_errors


def _core(result: ScenarioResult) -> str:
    """What went wrong, without the requirement and the transcript."""
    return f"{result.verdict}: {result.message.partition('HarnessBroken: ')[2][:600] or result.message[:900]}"


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
