"""Violations around the adapter (ADP-...)."""

import copy
from typing import Any, ClassVar

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference.react import ReAct


def _global() -> dspy.Adapter | None:
    adapter: dspy.Adapter | None = dspy.settings.adapter
    return adapter


def _half(asks: dspy.Adapter, reads: dspy.Adapter) -> dspy.Adapter:
    """An adapter that asks as one does and reads replies as another."""
    mixed = copy.copy(asks)
    mixed.parse = reads.parse
    return mixed


# ADP-001


@mutant("global-adapter-ignored", "ADP-001")
class GlobalAdapterIgnored(ReAct):
    """Uses the default adapter whatever is configured globally."""

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        return self.adapter or dspy.ChatAdapter()


@mutant("global-adapter-ignored-in-steps", "ADP-001")
class GlobalAdapterIgnoredInSteps(ReAct):
    """Uses the default adapter for steps whatever is configured globally."""

    def _internal_adapter(self, predictor: Any) -> dspy.Adapter | None:
        return self.adapter or (dspy.ChatAdapter() if predictor is self.react else None)


@mutant("global-adapter-ignored-in-extraction", "ADP-001")
class GlobalAdapterIgnoredInExtraction(ReAct):
    """Uses the default adapter for the extraction whatever is configured globally."""

    def _internal_adapter(self, predictor: Any) -> dspy.Adapter | None:
        return self.adapter or (dspy.ChatAdapter() if predictor is self.extract else None)


@mutant("parses-by-the-default-adapter", "ADP-001")
class ParsesByTheDefaultAdapter(ReAct):
    """Asks as the global adapter does and reads the replies as the default one does."""

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        configured = _global()
        return self.adapter or (_half(configured, dspy.ChatAdapter()) if configured else None)


# ADP-002


@mutant("global-wins-over-module", "ADP-002")
class GlobalWinsOverModule(ReAct):
    """Uses the module's own adapter only where none is configured globally."""

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        return _global() or self.adapter


@mutant("module-adapter-ignored-in-step", "ADP-002")
class ModuleAdapterIgnoredInStep(ReAct):
    """Uses the module's own adapter for the extraction only."""

    def _internal_adapter(self, predictor: Any) -> dspy.Adapter | None:
        return self.adapter if predictor is self.extract else None


@mutant("module-adapter-ignored-in-extraction", "ADP-002")
class ModuleAdapterIgnoredInExtraction(ReAct):
    """Uses the module's own adapter for steps only."""

    def _internal_adapter(self, predictor: Any) -> dspy.Adapter | None:
        return self.adapter if predictor is self.react else None


@mutant("parses-by-the-global-adapter", "ADP-002")
class ParsesByTheGlobalAdapter(ReAct):
    """Asks as the module's own adapter does and reads the replies as the global one does."""

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        configured = _global()
        return _half(self.adapter, configured) if self.adapter and configured else self.adapter


@mutant("module-adapter-in-the-first-call-only", "ADP-002")
class ModuleAdapterInTheFirstCallOnly(ReAct):
    """Forgets the module's own adapter after the first call."""

    def forward(self, **inputs: Any) -> dspy.Prediction:
        prediction = super().forward(**inputs)
        self.adapter = None
        return prediction


# ADP-003


@mutant("default-adapter-is-json", "ADP-003")
class DefaultAdapterIsJSON(ReAct):
    """Asks for JSON where no adapter is configured, which isn't the default it documents."""

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        return self.adapter or _global() or dspy.JSONAdapter()


@mutant("no-default-adapter", "ADP-003")
class NoDefaultAdapter(ReAct):
    """Refuses to work where no adapter is configured."""

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        adapter = self.adapter or _global()
        if adapter is None:
            raise RuntimeError("no adapter is configured")
        return adapter


@mutant("module-adapter-needs-a-global-one", "ADP-003")
class ModuleAdapterNeedsAGlobalOne(ReAct):
    """Uses the module's own adapter only to replace a global one."""

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        return self.adapter if _global() else None


# ADP-004. Class attributes stand for global settings: they don't outlive the mutant.


@mutant("override-leaks", "ADP-004")
class OverrideLeaks(ReAct):
    """Makes the module's own adapter everybody's when it is called, and leaves it so."""

    everybodys: ClassVar[dspy.Adapter | None] = None

    def forward(self, **inputs: Any) -> dspy.Prediction:
        OverrideLeaks.everybodys = self.adapter or OverrideLeaks.everybodys
        return super().forward(**inputs)

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        return self.everybodys


@mutant("override-becomes-the-default", "ADP-004")
class OverrideBecomesTheDefault(ReAct):
    """Makes the module's own adapter the default of all modules that have neither their own nor a global one."""

    default: ClassVar[dspy.Adapter | None] = None

    def forward(self, **inputs: Any) -> dspy.Prediction:
        OverrideBecomesTheDefault.default = self.adapter or self.default
        return super().forward(**inputs)

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        return self.adapter or _global() or self.default


@mutant("override-outlives-a-failed-call", "ADP-004")
class OverrideOutlivesAFailedCall(ReAct):
    """Makes the module's own adapter everybody's during its calls, and doesn't undo that when one fails."""

    everybodys: ClassVar[dspy.Adapter | None] = None

    def forward(self, **inputs: Any) -> dspy.Prediction:
        before = OverrideOutlivesAFailedCall.everybodys
        OverrideOutlivesAFailedCall.everybodys = self.adapter or before
        prediction = super().forward(**inputs)
        OverrideOutlivesAFailedCall.everybodys = before
        return prediction

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        return self.everybodys


@mutant("adapter-of-the-last-instance", "ADP-004")
class AdapterOfTheLastInstance(ReAct):
    """Keeps one adapter for all instances: that of the one constructed last, if any."""

    everybodys: ClassVar[dspy.Adapter | None] = None

    def __init__(self, *args: Any, adapter: dspy.Adapter | None = None, **options: Any) -> None:
        super().__init__(*args, adapter=adapter, **options)
        AdapterOfTheLastInstance.everybodys = adapter

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        return self.everybodys
