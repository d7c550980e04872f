"""Flakes: what failed unexpectedly is played again, alone; where that ends otherwise, it is told where both plays part.

What fails again in the same way of ending is no flake, whatever its fault.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from pydantic import ValidationError

from react_tck.model.record import Record
from react_tck.model.report import Flake, Parting, ScenarioResult, Verdict
from react_tck.record.difference import find_difference
from react_tck.results.ledger import Results, find_worst_verdict

#: Rows that are played again at the most: where more fail at once, something is broken, and every minute counts.
MOST = 20
#: How a row ends in which judges could see everything.
_SEEN = (Verdict.PASSED, Verdict.FAILED)


def find_flakes(surprises: Iterable[tuple[str, ScenarioResult]], first: Results, second: Results) -> Iterator[Flake]:
    """Those of the unexpected failures, each with its requirement, that came to another end the second time."""
    failed: dict[tuple[str, str], list[ScenarioResult]] = {}
    for id_, result in surprises:
        failed.setdefault((id_, result.title), []).append(result)
    for (id_, row), results in failed.items():
        was, now = _find_worst_result(results), _find_second_result(id_, row, second)
        if now is not None and now.verdict is not was.verdict:
            yield Flake(
                requirement=id_,
                row=row,
                first=was.verdict,
                second=now.verdict,
                parting=_find_parting(first.records.get(row, ()), second.records.get(row, ()), second.varies),
                message=was.message,
                second_message=now.message,
                reproduce=was.reproduce,
            )


def _find_worst_result(results: list[ScenarioResult]) -> ScenarioResult:
    verdict = find_worst_verdict(tuple(results))
    return next(result for result in results if result.verdict is verdict)


def _find_second_result(id_: str, row: str, found: Results) -> ScenarioResult | None:
    """Return how the row ended for the requirement, whoever saw it; None if it couldn't be played again."""
    entries = (found.scenarios, found.violations, found.departures)
    if mine := [result for entered in entries for result in entered.get(id_, ()) if result.title == row]:
        return _find_worst_result(mine)
    own = next((result for ended in found.scenarios.values() for result in ended if result.title == row), None)
    if own is None or own.verdict not in _SEEN:
        return own
    return ScenarioResult(title=row, verdict=Verdict.PASSED)


def _find_parting(first: Iterable[str], second: Iterable[str], varies: tuple[str, ...]) -> Parting:
    """Return the first event in which the records of two plays differ, but for what the subject declares to vary."""
    plays = list(first), list(second)
    if not all(plays):
        return Parting(place="one of the plays has left no record")
    for number, pair in enumerate(zip_longest(*plays), 1):
        if None in pair:
            return Parting(place=f"{len(plays[0])} episodes were played, then {len(plays[1])}")
        try:
            one_play, other_play = (Record.model_validate(json.loads(text)) for text in pair)
            found = find_difference(one_play, other_play, varies)
        except ValidationError:
            return Parting(place="one of the records holds what can't be read again")
        if found:
            was, _, now = found.actual.partition("\n  became ")
            place, _, _ = found.expected.partition(" is the same")
            return Parting(place=f"episode {number}, {place}", first=was, second=now)
    return Parting(place="the records of both plays are the same: what differs is nothing that the kit records")
