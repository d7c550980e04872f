"""A Python subject that goes wild by a seed, run after run.

Every row gets the verdict that it deserves, every ledger balances, and the process that supervises stays as large as
it was.
"""

import json
import mmap
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import accumulate
from typing import Any

from benchmarks.wild.tally import Tally, held
from react_tck.catalogue.selection import Selection
from react_tck.judges.isolation import LATE
from react_tck.model.case import Invocation, Options
from react_tck.model.lm import Completion, LMRequest
from react_tck.model.outcome import Outcome
from react_tck.model.report import Report, ScenarioResult, Verdict
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.processes.supervised import SupervisedRun
from react_tck.processes.supervisor import WorkerLimits
from react_tck.results.books import Unheard
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.subjects.catalogue import resolve
from tests.zoo import in_process as zoo
from tests.zoo.kinds import MEMORY, PATIENCE
from tests.zoo.lost_processes import spin

_LOOKS = 10
#: What it does where it isn't wild; a run of it is short.
_TAME = "python:examples.own_agent:Mine"
#: In so many of a thousand rows it goes wild, by the way it does.
WILD = {"crash": 10, "hang": 2, "garbage": 20, "late request": 10}
#: What the error of a row tells of it.
_TELLS = {"crash": "exited with status 3", "hang": "did not come to an end"}
#: Seconds after which a request is certainly late, and still heard.
_LATE = 0.02

#: The nonces of the rows in which it goes wild, and how; the workers are copies of the process that fills it.
FATES: dict[str, str] = {}
#: Calls so far, in memory that all workers share. Two of them may count at once: it tells too few rather than too many.
_CALLS = mmap.mmap(-1, 8)


def calls() -> int:
    """How many there were."""
    return int.from_bytes(_CALLS[:8], "little")


class Wild:
    """A small agent, but for the rows in which it goes wild."""

    def __init__(self, inner: Subject) -> None:
        self._inner = inner
        self.initialize = inner.initialize

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        """An instance that looks at its inputs, and remembers what it asked the LM."""
        asked: list[LMRequest] = []

        def lm(request: LMRequest) -> Completion:
            asked[:] = [request]
            return endpoints.lm(request)

        inner = self._inner.construct(signature, tools, options, replace(endpoints, lm=lm))
        return WildInstance(inner, lambda: endpoints.lm(asked[0]))


class WildInstance:
    """One of its instances."""

    def __init__(self, inner: Any, ask_again: Callable[[], Completion]) -> None:
        self._inner = inner
        self._ask_again = ask_again

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def call(self, invocation: Invocation) -> Outcome:
        """Call it, then go wild if it is to."""
        _CALLS[:8] = (calls() + 1).to_bytes(8, "little")
        outcome: Outcome = self._inner.call(invocation)
        said = json.dumps(invocation.inputs)
        for fate in {fate for nonce, fate in FATES.items() if nonce in said}:
            self._go_wild(fate)
        return outcome

    def _go_wild(self, fate: str) -> None:
        match fate:
            case "crash":
                os._exit(3)
            case "hang":
                spin()
            case "garbage":
                for descriptor in range(3, 64):
                    _babble(descriptor)
            case "late request":
                threading.Timer(_LATE, self._ask_again).start()


def _babble(descriptor: int) -> None:
    try:
        os.write(descriptor, b'{"garbage": [')
    except OSError:
        return


def subject() -> Subject:
    """The one that a run names."""
    return Wild(resolve(_TAME))


def played(episodes: int, looks: int = _LOOKS, rows: Selection = zoo.ROWS) -> Tally:
    """Run those rows until there were so many episodes."""
    tally, before, seed = Tally(), calls(), 0
    FATES.clear()
    tame = {row: result.verdict for row, result in _told(_report(rows, seed)).items()}
    while tally.episodes < episodes:
        seed += 1
        marks = zoo.marks(rows, seed)
        fates = {row: _fate(f"{seed}/{row}") if tame[row] is Verdict.PASSED else "well" for row in marks}
        FATES.clear()
        FATES.update({marks[row]: fate for row, fate in fates.items() if fate != "well"})
        _enter(tally, _report(rows, seed), fates, tame)
        tally.episodes = calls() - before
        if len(tally.held) * episodes <= tally.episodes * looks:
            tally.held.append(held())
    return tally


def _report(rows: Selection, seed: int) -> Report:
    limits = WorkerLimits(row=PATIENCE, memory=MEMORY)
    run = SupervisedRun("python:benchmarks.wild.in_process:subject", rows, seed, processes=2, limits=limits)
    return run.report(Unheard())


def _fate(row: str) -> str:
    drawn = int(sha256(row.encode()).hexdigest(), 16) % 1000
    bounds = zip(WILD, accumulate(WILD.values()), strict=True)
    return next((fate for fate, below in bounds if drawn < below), "well")


def _enter(tally: Tally, report: Report, fates: Mapping[str, str], tame: Mapping[str, Verdict]) -> None:
    late = {result.title for found in report.requirements if found.id == LATE for result in found.scenarios}
    told = _told(report)
    if not report.ledger.balances or report.kit_errors or told.keys() != fates.keys():
        tally.wrong.append(f"{report.ledger}, {len(told)} of {len(fates)} rows, {report.kit_errors}")
    for row, result in told.items():
        seen = _seen(result, fates[row], tame[row], is_late=row in late)
        tally.enter(f"{row}: {result.message[-200:]}", fates[row], seen)


def _seen(result: ScenarioResult, meant: str, tame: Verdict, *, is_late: bool) -> str:
    if result.verdict is Verdict.ERROR:
        return next((fate for fate, text in _TELLS.items() if text in result.message), "error")
    if is_late:
        return "late request"
    if result.verdict is not tame:
        return str(result.verdict)
    # What somebody writes into descriptors that aren't its own costs nobody anything, and shows nowhere.
    return "garbage" if meant == "garbage" else "well"


def _told(report: Report) -> dict[str, ScenarioResult]:
    """By row, how those ended that were played."""
    ended = (result for found in report.requirements if not found.id.startswith("SAN-") for result in found.scenarios)
    return {result.title: result for result in ended if result.verdict is not Verdict.NOT_SELECTED}
