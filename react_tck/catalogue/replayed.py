"""Which rows a run plays a second time to compare the records (SAN-009)."""

from collections.abc import Iterable
from typing import Literal

from react_tck.catalogue.features import RowInfo, ScenarioInfo
from react_tck.judges.determinism import DETERMINISM

#: How much is played again: one row a requirement, or every row.
Replay = Literal["sample", "all"]


def choose_replayed_rows(scenarios: Iterable[ScenarioInfo]) -> frozenset[str]:
    """Choose one row a requirement, and all of SAN-009's; gives their titles.

    Of a requirement's rows it is the one with the most steps that no chosen row has yet: so the rows are spread over
    adapters, kinds of tools and ways of calling, and what is chosen follows from the features alone.

    >>> from react_tck.catalogue.features import load_features
    >>> from react_tck.catalogue.replayed import choose_replayed_rows
    >>> len(choose_replayed_rows(load_features())) < 200
    True
    """
    by_requirement: dict[str, list[RowInfo]] = {}
    for scenario in scenarios:
        by_requirement.setdefault(scenario.requirement_id or "", []).extend(scenario.rows)
    chosen = {row.title for row in by_requirement.pop(DETERMINISM, ())}
    seen: set[str] = set()
    for rows in by_requirement.values():
        row = max(rows, key=lambda row: len(_texts_of(row) - seen))
        seen |= _texts_of(row)
        chosen.add(row.title)
    return frozenset(chosen)


def _texts_of(row: RowInfo) -> frozenset[str]:
    return frozenset(step.text for step in row.steps)
