"""Subjects that are right: the reference's classes under every policy that is dealt, and the unusual agents."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from react_tck.collector import import_without_gc
from react_tck.prove.policies import DECIDED, deal_pairs, list_variants
from react_tck.reference.loop import STRICT, Policy
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import REFERENCES, UnknownSubject, require_library
from react_tck.subjects.libraries.reference import react

if TYPE_CHECKING:
    from react_tck.prove.unusual import UnusualAgent

_MAKE = dict(zip(REFERENCES, (react.subject, react.transcript, react.conversation, react.udspy), strict=True))


class BuiltPolicy(NamedTuple):
    """A policy, and the class that is built with it."""

    react: str
    policy: Policy

    @property
    def description(self) -> str:
        """What it does otherwise than the kit's own policy."""
        ours = STRICT.model_dump()
        return ", ".join(f"{name}={said!r}" for name, said in self.policy.model_dump().items() if said != ours[name])


@cache
def list_policies() -> Mapping[str, BuiltPolicy]:
    """By name: of each class its own default policy, but for what is decided, then those that are dealt."""
    return {
        f"{name}-{number}": BuiltPolicy(name, Policy(**DECIDED, **hand))
        for name in REFERENCES
        for number, hand in enumerate([{}, *deal_pairs(list_variants(name))])
    }


def load_agents() -> "Mapping[str, UnusualAgent]":
    """The unusual agents by name.

    Raises:
        LibraryMissing: if the reference's extra isn't installed.
    """
    require_library("innocent", "dspy", "reference")
    made: Mapping[str, UnusualAgent] = import_without_gc("react_tck.prove.unusual").AGENTS
    return made


def list_innocents() -> Sequence[str]:
    """The names of all of them, policies first."""
    return [*list_policies(), *load_agents()]


def describe_innocent(name: str) -> str:
    """What is special about it."""
    built = list_policies().get(name)
    return built.description if built else load_agents()[name].description


def list_given_up(name: str) -> Collection[str]:
    """The practices that it declares not to keep: who ends with a tool's error lets the LM observe none.

    S3, by which ERR-007 is a MUST, binds udspy alone; elsewhere its harm is what the choice `tool-error` costs.
    """
    built = list_policies().get(name)
    return ("ERR-007",) if built and built.policy.tool_error == "error" else ()


def find_innocent_subject(name: str) -> Subject:
    """The subject of that name.

    Raises:
        UnknownSubject: if there is none.
    """
    if built := list_policies().get(name):
        return _MAKE[built.react](built.policy)
    if name not in load_agents():
        raise UnknownSubject(f"There is no innocent {name!r}. There are: {', '.join(list_innocents())}.")
    return load_agents()[name].make_subject()
