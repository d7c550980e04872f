"""A tool's name as the LM wrote it: a tool's own, nearly so, or no tool's (ERR-001)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from react_tck.dialects.fields import FINISH
from react_tck.model.case import Case

Match = Literal["exact", "near miss", "unknown"]


@dataclass(frozen=True)
class ToolName:
    """A name, and the tool that it may be taken for.

    What an LM puts around a name leaves no doubt which is meant: a near miss is that tool, or none. A name in other
    letters is another name, capitals included: it executes nothing. Nor does `Finish`, whoever finishes at it.
    """

    written: str
    tool: str | None

    @property
    def match(self) -> Match:
        if self.tool is None:
            return "unknown"
        return "exact" if self.tool == self.written else "near miss"

    @property
    def bare(self) -> str:
        """The name without the blank space, quotes or backticks around it."""
        return _bare(self.written)


def read_name(written: str, known: Iterable[str]) -> ToolName:
    """The name, read against those that there are."""
    names, bare = tuple(known), _bare(written)
    meant = (written, bare, FINISH) if bare.lower() == FINISH else (written, bare)
    return ToolName(written, next((name for name in meant if name in names), None))


def read_case_name(written: str, case: Case) -> ToolName:
    """The name, read against the tools of a case and `finish`."""
    return read_name(written, (FINISH, *(tool.name for tool in case.tools)))


def _bare(name: str) -> str:
    return name.strip().strip("\"'`*").strip()
