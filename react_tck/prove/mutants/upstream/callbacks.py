"""Violations of what the framework's callbacks are told (OBS-001)."""

import copy
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import used
from react_tck.reference.effects import UseTool
from react_tck.reference.seams import Site


def _read_unheard(_site: Site, adapter: Any) -> Any:
    made, read = copy.copy(adapter), adapter.parse

    def parse(*args: Any, **named: Any) -> Any:
        with dspy.context(callbacks=[]):
            return read(*args, **named)

    made.parse = parse
    return made


class _Unheard(UseTool):
    """A run of a tool of which nobody is told."""

    def run(self) -> Any:
        """Run the tool in this thread, past the callbacks."""
        return self.tool.bound.invoke(self.args)

    async def arun(self) -> Any:
        """Run the tool without blocking the event loop, past the callbacks."""
        return await self.tool.bound.ainvoke(self.args)


MUTANTS = {
    "replies-unheard": mutant("OBS-001", "Reads replies without telling callbacks.", adapter=_read_unheard),
    "tool-calls-unheard": mutant(
        "OBS-001", "Runs tools without telling callbacks.", perform=used(lambda use: _Unheard(use.tool, use.args))
    ),
}
