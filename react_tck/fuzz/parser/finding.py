"""What fuzzing finds out about a parser."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from react_tck.model.base import JsonObject

Sort = Literal["broken", "choice"]


class Difference(NamedTuple):
    """One difference between a parser and the requirements, or our parser: of which sort, its class, its details."""

    sort: Sort
    kind: str
    detail: str


@dataclass(frozen=True)
class ParserFinding:
    """A class of differences: how often it was met, and the shortest text that shows it."""

    sort: Sort
    #: None for what no requirement is about.
    requirement_id: str | None
    dialect: str
    kind: str
    text: str
    detail: str
    schemas: Mapping[str, JsonObject]
    count: int = 1
