"""A tool's name as the LM wrote it: a tool's own, nearly so, or no tool's (ERR-001)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from react_tck.dialects.fields import FINISH
from react_tck.dialects.notations import bare_name
from react_tck.model.case import Case

#: Near misses: with quotes or blank space around it, or in other letters too, where exactly one tool fits.
Match = Literal["exact", "near miss", "other letters", "unknown"]


@dataclass(frozen=True)
class ToolName:
    """A name, and the tool that it may be taken for.

    What an LM puts around a name leaves no doubt which is meant, nor do other letters where only one tool fits: a near
    miss is that tool, or none, by the choice `tool-name-matching`.
    """

    written: str
    tool: str | None

    @property
    def match(self) -> Match:
        if self.tool is None:
            return "unknown"
        if self.tool == self.written:
            return "exact"
        return "near miss" if self.tool == self.bare else "other letters"

    @property
    def bare(self) -> str:
        """The name without the blank space, quotes or backticks around it."""
        return bare_name(self.written)


def read_name(written: str, known: Iterable[str]) -> ToolName:
    """Return the name, read against those that there are."""
    names, bare = tuple(dict.fromkeys(known)), bare_name(written)
    alike = [name for name in names if name.lower() == bare.lower()]
    meant = (written, bare, *(alike if len(alike) == 1 else ()))
    return ToolName(written, next((name for name in meant if name in names), None))


def read_case_name(written: str, case: Case) -> ToolName:
    """Return the name, read against the tools of a case and `finish`."""
    return read_name(written, (FINISH, *(tool.name for tool in case.tools)))
