"""The kill matrix: which mutants fail which rows, as `python -m react_tck.prove --write` has computed it.

`features/kill_matrix.json` is `{mutant: {requirement id: [row]}}`. A row is the title of one run of a scenario, an
outline's with its values; it stands under the requirement that the mutant violates in it: the scenario's own, that of
a sanitizer, or that which the oracle blames. Each mutant has one line: it can be added, changed and merged by itself.

`features/certificate.json` has the same shape: few of these pairs, which show that each mutant, scenario and sanitizer
can fail, and none that the oracle alone shows. The line of a mutant that is gone can be deleted by hand.

`features/mutants.json` is `{mutant: [requirement id, what is wrong]}`, for those who haven't the mutants themselves.
"""

import heapq
import json
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from react_tck.catalogue.feature_files import DEFAULT_ROOT
from react_tck.catalogue.features import ScenarioInfo
from react_tck.files import write

FILE = "kill_matrix.json"
CERTIFICATE_FILE = "certificate.json"
MUTANTS_FILE = "mutants.json"
_Shape = dict[str, dict[str, list[str]]]
#: Mutants by name: the requirement that each violates, and what is wrong with it.
Sentences = Mapping[str, tuple[str, str]]


class KillMatrixError(Exception):
    """The file of the kill matrix can't be read; the message says why."""


@dataclass(frozen=True)
class KillMatrix:
    """The failing rows of each mutant, by the requirement they show to be violated."""

    failing: Mapping[str, Mapping[str, Collection[str]]] = field(default_factory=dict)

    def list_entries(self) -> Iterator[tuple[str, str, str]]:
        """Mutant, requirement id and row of everything that fails, in the order of the file."""
        for mutant, by_requirement in sorted(self.failing.items()):
            for requirement_id, rows in sorted(by_requirement.items()):
                yield from ((mutant, requirement_id, row) for row in sorted(set(rows)))

    def rows_of(self, mutant: str) -> frozenset[str]:
        """Return all rows in which something fails because of the mutant."""
        return frozenset(chain.from_iterable(self.failing.get(mutant, {}).values()))

    def killed_by(self, scenario: ScenarioInfo) -> tuple[str, ...]:
        """Return the mutants that violate the scenario's requirement in one of its rows."""
        rows, id_ = set(scenario.row_titles), scenario.requirement_id or ""
        return tuple(sorted(mutant for mutant, by_id in self.failing.items() if rows.intersection(by_id.get(id_, ()))))

    def format_text(self) -> str:
        """Return the bytes of the file: one line a mutant, always in the same order."""
        shape: _Shape = {}
        for mutant, requirement_id, row in self.list_entries():
            shape.setdefault(mutant, {}).setdefault(requirement_id, []).append(row)
        return _write_lines(shape)


def build_kill_matrix(entries: Iterable[tuple[str, str, str]]) -> KillMatrix:
    """Return the matrix in which each mutant violates the requirement in the row.

    >>> from react_tck.catalogue.kill_matrix import build_kill_matrix
    >>> matrix = build_kill_matrix([("no-tool-runs", "LOOP-001", "ReAct selects and executes a tool")])
    >>> matrix.rows_of("no-tool-runs")
    frozenset({'ReAct selects and executes a tool'})
    """
    failing: dict[str, dict[str, set[str]]] = {}
    for mutant, requirement_id, row in entries:
        failing.setdefault(mutant, {}).setdefault(requirement_id, set()).add(row)
    return KillMatrix(failing)


def load_kill_matrix(root: Path | None = None, file: str = FILE) -> KillMatrix:
    """Return the matrix of the features in a folder, by default the shipped ones, or that of another file; empty
    without one.

    Raises:
        KillMatrixError: if the file holds something else.
    """
    path = (root or DEFAULT_ROOT) / file
    try:
        return KillMatrix(TypeAdapter(_Shape).validate_json(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return KillMatrix()
    except (ValidationError, UnicodeDecodeError) as error:
        said = " ".join(str(error).split("\n    For further")[0].split())
        raise KillMatrixError(f"{path} is not {{mutant: {{requirement id: [row]}}}}: {said}") from error


def write_kill_matrix(matrix: KillMatrix, root: Path | None = None, file: str = FILE) -> Path:
    """Write the file of the features in a folder, the matrix's or that of a part of it; gives its path.

    Raises:
        CannotWrite: if it can't be written.
    """
    path = (root or DEFAULT_ROOT) / file
    write(path, matrix.format_text())
    return path


def load_sentences(root: Path | None = None) -> Sentences:
    """Return the mutants that the matrix of a folder is about.

    Raises:
        KillMatrixError: if the file can't be read.
    """
    path = (root or DEFAULT_ROOT) / MUTANTS_FILE
    try:
        return TypeAdapter(dict[str, tuple[str, str]]).validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValidationError, UnicodeDecodeError) as error:
        said = " ".join(str(error).split("\n    For further")[0].split())
        raise KillMatrixError(f"{path} is not {{mutant: [requirement id, what is wrong]}}: {said}") from error


def sentences_text(sentences: Sentences) -> str:
    """Return the bytes of that file: one line a mutant, by name."""
    return _write_lines(sentences)


def write_sentences(sentences: Sentences, root: Path | None = None) -> Path:
    """Write the file of the features in a folder; gives its path.

    Raises:
        CannotWrite: if it can't be written.
    """
    path = (root or DEFAULT_ROOT) / MUTANTS_FILE
    write(path, sentences_text(sentences))
    return path


def _write_lines(values: Mapping[str, object]) -> str:
    """Return a JSON object with a line for each key, so that a change of one value is a change of one line."""
    lines = (
        f" {json.dumps(name, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in sorted(values.items())
    )
    return "{{\n{}\n}}\n".format(",\n".join(lines))


Key = TypeVar("Key")
Item = TypeVar("Item", bound=Hashable)


def choose_cover(offers: Mapping[Key, Collection[Item]]) -> list[Key]:
    """Choose offers that have every item among them: each time that which adds most, of equals the first.

    >>> from react_tck.catalogue.kill_matrix import choose_cover
    >>> choose_cover({"a": [1, 2], "b": [2, 3, 4], "c": [4], "d": [1]})
    ['b', 'a']
    """
    keys = list(offers)
    missing = {item for items in offers.values() for item in items}
    # What an offer adds never grows: one that still adds what it once did is the best there is.
    ranked = [(-len(set(offers[key])), number) for number, key in enumerate(keys)]
    heapq.heapify(ranked)
    chosen: list[Key] = []
    while missing:
        once, number = heapq.heappop(ranked)
        adds = missing.intersection(offers[keys[number]])
        if len(adds) < -once:
            heapq.heappush(ranked, (-len(adds), number))
            continue
        chosen.append(keys[number])
        missing -= adds
    return chosen
