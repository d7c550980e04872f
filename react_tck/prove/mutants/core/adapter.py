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


def _in_the_first_call(site: Site) -> Adapter:
    return None if "called" in site.memory else _own(site)


def _called(site: Site, prediction: Any) -> Any:
    site.memory["called"] = True
    return prediction


def _needed(site: Site) -> Adapter:
    adapter = _own(site) or _global()
    if adapter is None:
        raise RuntimeError("no adapter is configured")
    return adapter


# ADP-004


def _everybodys(site: Site) -> Adapter:
    return shared(site).get("adapter")


def _given_to_everybody(site: Site, given: Any) -> Any:
    shared(site)["adapter"] = _own(site) or _everybodys(site)
    return given


def _of_the_last(site: Site, program: Any) -> Any:
    shared(site)["adapter"] = _own(site)
    return program


# ADP-005


def _as_in_the_call_before(site: Site) -> Adapter:
    return _own(site) or site.memory.get("configured", _global())


def _remembered(site: Site, prediction: Any) -> Any:
    site.memory["configured"] = _global()
    return prediction


def _half(asks: Adapter, reads: Adapter) -> Adapter:
    """An adapter that asks as one does and reads replies as another, if there are two."""
    if asks is None or reads is None:
        return asks
    mixed = copy.copy(asks)
    kind: Any = type(asks)
    mixed.__class__ = _reading_otherwise(kind)
    mixed.reader = reads
    return mixed


@cache
def _reading_otherwise(kind: Any) -> Any:
    """A subclass: the reference reads by the letter for dspy's own adapters alone."""

    def parse(self: Any, signature: Any, completion: str) -> Any:
        return self.reader.parse(signature, completion)

    return type(f"Half{kind.__name__}", (kind,), {"parse": parse})


MUTANTS = (
    mutant(
        "global-adapter-ignored-in-extraction",
        "ADP-001",
        "Uses the default adapter for the extraction whatever is configured globally.",
        adapter=on_request("extraction", _LEFT_TO_THE_DEFAULT),
    ),
    mutant(
        "global-wins-over-module",
        "ADP-002",
        "Uses the module's own adapter only where none is configured globally.",
        adapter=using(lambda site: _global() or _own(site)),
    ),
    mutant(
        "module-adapter-in-the-first-call-only",
        "ADP-002",
        "Forgets the module's own adapter after the first call.",
        adapter=using(_in_the_first_call),
        prediction=_called,
    ),
    mutant(
        "no-default-adapter",
        "ADP-003",
        "Refuses to work where no adapter is configured.",
        adapter=using(_needed),
    ),
    mutant(
        "module-adapter-needs-a-global-one",
        "ADP-003",
        "Uses the module's own adapter only to replace a global one.",
        adapter=using(lambda site: _global() and _own(site)),
    ),
    mutant(
        "override-leaks",
        "ADP-004",
        "Makes the module's own adapter everybody's when it is called, and leaves it so.",
        begin=before(_given_to_everybody),
        adapter=using(_everybodys),
    ),
    mutant(
        "override-becomes-the-default",
        "ADP-004",
        "Makes the module's own adapter the default of all modules that have neither their own nor a global one.",
        begin=before(_given_to_everybody),
        adapter=using(lambda site: _own(site) or _global() or _everybodys(site)),
    ),
    mutant(
        "adapter-of-the-last-instance",
        "ADP-004",
        "Keeps one adapter for all instances: that of the one constructed last, if any.",
        program=_of_the_last,
        adapter=using(_everybodys),
    ),
    mutant(
        "adapter-a-call-late",
        "ADP-005",
        "Takes notice of a newly configured global adapter one call late.",
        adapter=using(_as_in_the_call_before),
        prediction=_remembered,
    ),
    mutant(
        "global-chat-adapter-asks-in-json",
        "ADP-001",
        "Asks in JSON where the chat format is configured globally.",
        adapter=using(lambda site: _own(site) or (dspy.JSONAdapter() if _in_chat(_global()) else _global())),
    ),
    mutant(
        "parses-by-the-default-adapter",
        "ADP-001",
        "Asks as the global adapter does and reads the replies as the default one does.",
        adapter=using(lambda site: _own(site) or _half(_global(), dspy.ChatAdapter())),
    ),
    mutant(
        "parses-by-the-global-adapter",
        "ADP-002",
        "Asks as the module's own adapter does and reads the replies as the global one does.",
        adapter=using(lambda site: _half(_own(site), _global())),
    ),
)
