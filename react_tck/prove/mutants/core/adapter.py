"""Violations around the adapter (ADP-...)."""

import copy
from functools import cache
from typing import Any, TypeAlias

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import shared, using
from react_tck.prove.mutants.operators.runs import before, on_request
from react_tck.reference.seams import Site

Adapter: TypeAlias = dspy.Adapter | None


def _own(site: Site) -> Adapter:
    return site.agent.adapter


def _global() -> Adapter:
    return dspy.settings.adapter


def _in_chat(adapter: Adapter) -> Adapter:
    return adapter if type(adapter) is dspy.ChatAdapter else None


_LEFT_TO_THE_DEFAULT = using(lambda site: _own(site) or dspy.ChatAdapter())


def _called(site: Site, prediction: Any) -> Any:
    site.memory["called"] = True
    return prediction


def _needed(site: Site) -> Adapter:
    adapter = _own(site) or _global()
    if adapter is None:
        raise RuntimeError("no adapter is configured")
    return adapter


def _everybodys(site: Site) -> Adapter:
    return shared(site).get("adapter")


def _given_to_everybody(site: Site, given: Any) -> Any:
    shared(site)["adapter"] = _own(site) or _everybodys(site)
    return given


def _of_the_last(site: Site, program: Any) -> Any:
    shared(site)["adapter"] = _own(site)
    return program


def _remembered(site: Site, prediction: Any) -> Any:
    site.memory["configured"] = _global()
    return prediction


def _half(asks: Adapter, reads: Adapter) -> Adapter:
    """Return an adapter that asks as one does and reads replies as another, if there are two."""
    if asks is None or reads is None:
        return asks
    mixed = copy.copy(asks)
    kind: Any = type(asks)
    mixed.__class__ = _reading_otherwise(kind)
    mixed.reader = reads
    return mixed


@cache
def _reading_otherwise(kind: Any) -> Any:
    """Return a subclass: the reference reads by the letter for dspy's own adapters alone."""

    def parse(self: Any, signature: Any, completion: str) -> Any:
        return self.reader.parse(signature, completion)

    return type(f"Half{kind.__name__}", (kind,), {"parse": parse})


MUTANTS = {
    "global-adapter-ignored-in-extraction": mutant(
        "ADP-001",
        "Uses the default adapter for the extraction whatever is configured globally.",
        adapter=on_request("extraction", _LEFT_TO_THE_DEFAULT),
    ),
    "global-wins-over-module": mutant(
        "ADP-002",
        "Uses the module's own adapter only where none is configured globally.",
        adapter=using(lambda site: _global() or _own(site)),
    ),
    "module-adapter-in-the-first-call-only": mutant(
        "ADP-002",
        "Forgets the module's own adapter after the first call.",
        adapter=using(lambda site: None if "called" in site.memory else _own(site)),
        prediction=_called,
    ),
    "no-default-adapter": mutant("ADP-003", "Refuses to work where no adapter is configured.", adapter=using(_needed)),
    "module-adapter-needs-a-global-one": mutant(
        "ADP-003",
        "Uses the module's own adapter only to replace a global one.",
        adapter=using(lambda site: _global() and _own(site)),
    ),
    "override-leaks": mutant(
        "ADP-004",
        "Makes the module's own adapter everybody's when it is called, and leaves it so.",
        begin=before(_given_to_everybody),
        adapter=using(_everybodys),
    ),
    "override-becomes-the-default": mutant(
        "ADP-004",
        "Makes the module's own adapter the default of all modules that have neither their own nor a global one.",
        begin=before(_given_to_everybody),
        adapter=using(lambda site: _own(site) or _global() or _everybodys(site)),
    ),
    "adapter-of-the-last-instance": mutant(
        "ADP-004",
        "Keeps one adapter for all instances: that of the one constructed last, if any.",
        program=_of_the_last,
        adapter=using(_everybodys),
    ),
    "adapter-a-call-late": mutant(
        "ADP-005",
        "Takes notice of a newly configured global adapter one call late.",
        adapter=using(lambda site: _own(site) or site.memory.get("configured", _global())),
        prediction=_remembered,
    ),
    "global-chat-adapter-asks-in-json": mutant(
        "ADP-001",
        "Asks in JSON where the chat format is configured globally.",
        adapter=using(lambda site: _own(site) or (dspy.JSONAdapter() if _in_chat(_global()) else _global())),
    ),
    "parses-by-the-default-adapter": mutant(
        "ADP-001",
        "Asks as the global adapter does and reads the replies as the default one does.",
        adapter=using(lambda site: _own(site) or _half(_global(), dspy.ChatAdapter())),
    ),
    "parses-by-the-global-adapter": mutant(
        "ADP-002",
        "Asks as the module's own adapter does and reads the replies as the global one does.",
        adapter=using(lambda site: _half(_own(site), _global())),
    ),
}
