"""Violations of the tool loop (LOOP-…)."""

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct


@mutant("tool-run-twice", "LOOP-001")
class ToolRunTwice(ReAct):
    """Runs every tool twice and reports the second result."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        yield from super()._use(call)
        return (yield from super()._use(call))


@mutant("args-dropped", "LOOP-001")
class ArgsDropped(ReAct):
    """Runs tools without the args the LM gave."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        return super()._use(call.model_copy(update={"args": {}}))
