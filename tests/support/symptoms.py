"""Symptoms made by hand, for tests of what explains them."""

from collections.abc import Mapping

from react_tck.catalogue.kill_matrix import KillMatrix
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.results.causes import Explanation, explain_symptoms
from react_tck.results.known_faults import Known
from react_tck.results.symptoms import Symptom

LATE = "goes on too long"
DECLARED = "tool-error is not as declared"
KNOWN = Known(
    sentences={
        "goes-on": ("LOOP-003", "Goes on after `finish`."),
        "goes-on-once": ("LOOP-003", "Goes on once."),
        "deaf": ("LOOP-002", "Shows no observation."),
    },
    matrix=KillMatrix(
        {
            "goes-on": {"LOOP-003": ["a", "b", "c"], "ERR-008": ["c"]},
            "goes-on-once": {"LOOP-003": ["a", "f", "g"]},
            "deaf": {"LOOP-002": ["a", "b", "c"]},
        }
    ),
)
PLAYED = frozenset("abcdefg")


def symptom(
    requirement_id: str,
    row: str,
    kind: str = "",
    moment: int | None = None,
    *,
    is_own: bool = False,
    weight: str = "MUST",
    part_of: tuple[str, ...] = (),
) -> Symptom:
    """What is seen of a requirement in a row."""
    result = ScenarioResult(
        title=row,
        verdict=Verdict.FAILED,
        message=f"{requirement_id} in {row}",
        kind=kind,
        reproduce=f"run {row}",
        moment=moment,
        part_of=part_of,
    )
    return Symptom(requirement_id, result, is_own, weight)


def explain(*found: Symptom, played: frozenset[str] = PLAYED) -> Explanation:
    """What explains these symptoms."""
    return explain_symptoms(found, KNOWN, played)


def explained(*found: Symptom) -> Mapping[str, tuple[int, tuple[str, ...]]]:
    """How many failed rows each cause explains, and all its rows."""
    return {cause.requirement: (cause.explains, cause.rows) for cause in explain(*found).causes}
