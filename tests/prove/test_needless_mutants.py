"""No mutant is there that another one makes needless: whoever kills the other kills it, too."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.kill_matrix import (
    CERTIFICATE_FILE,
    KillMatrix,
    load_kill_matrix,
    load_sentences,
)

#: The mutants that stay for the sake of a file that names them.
NAMED = {
    "args-dropped": "docs/AUTHORING.md",
    "call-repeated": "docs/AUTHORING.md",
    "edit-not-recorded": "tests/judges/test_steps_told.py",
    "late-tool-run": "docs/ROBUSTNESS.md",
    "loaded-hides-tool-errors": "tests/fuzz/test_varying.py",
    "malformed-args-extract": "tests/engine/test_own_sentences.py",
    "malformed-reply-extracts": "tests/engine/test_own_sentences.py",
    "nearest-tool-run": "benchmarks/verdicts.py",
    "one-step-too-many": "tests/engine/test_blocked_run.py",
    "only-the-first-call-runs": "tests/fuzz/test_profiles.py",
    "results-shown-without-their-calls": "docs/REPORTS.md",
    "steps-lost-in-serialisation": "tests/judges/test_steps_told.py",
    "tool-error-not-as-declared": "tests/engine/test_own_sentences.py",
    "tool-run-twice": "CONTRIBUTING.md",
    "unknown-name-extracts": "tests/engine/test_own_sentences.py",
    "unknown-name-lost": "benchmarks/verdicts.py",
}
ROOT = Path(__file__).parents[2]


def find_needless(matrix: KillMatrix, needed: Iterable[str]) -> dict[str, str]:
    """Map each mutant that fails all the rows of another to that one; of two with the same rows, one is needless."""
    kept = {*needed}
    rows = {name: matrix.rows_of(name) for name in matrix.failing}
    order = sorted(rows, key=lambda name: (len(rows[name]), name not in kept, name))
    return {
        name: other
        for at, name in enumerate(order)
        for other in order[:at]
        if name not in kept and rows[other] <= rows[name]
    }


def list_needed(matrix: KillMatrix, scenarios: Iterable[ScenarioInfo], own: Mapping[str, str]) -> set[str]:
    """List those that alone kill a scenario or a sanitizer, or alone break their requirement."""
    by_id: dict[str, set[str]] = {}
    for name, id_ in (*own.items(), *((name, id_) for name, id_, _ in matrix.list_entries() if id_.startswith("SAN-"))):
        by_id.setdefault(id_, set()).add(name)
    alone = (killers for killers in (*map(matrix.killed_by, scenarios), *by_id.values()) if len(killers) == 1)
    return {name for killers in alone for name in killers}


def test_no_mutant_fails_all_the_rows_of_another() -> None:
    matrix = load_kill_matrix()
    own = {name: requirement for name, (requirement, _) in load_sentences().items()}
    needed = list_needed(matrix, load_features(), own)
    # The matrix doesn't tell a sentence that fails from what the oracle sees: the certificate does.
    by_sentence = list_needed(load_kill_matrix(file=CERTIFICATE_FILE), load_features(), {})
    assert find_needless(matrix, {*needed, *by_sentence, *NAMED}) == {}


def test_the_files_name_the_mutants_that_stay_for_their_sake() -> None:
    matrix = load_kill_matrix()
    assert NAMED.keys() <= matrix.failing.keys()
    for name, path in NAMED.items():
        assert name in (ROOT / path).read_text(encoding="utf-8"), f"{path} doesn't name {name}"
