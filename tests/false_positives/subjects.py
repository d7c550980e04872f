"""Subjects that are right, by name: the reference's classes under the policies of the sample, and the unusual agents.

Where a subject's name is asked for, one of them is `python:tests.false_positives.subjects:NAME`.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

from react_tck.reference.loop import Policy
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import REFERENCES
from react_tck.subjects.libraries.reference import react
from react_tck.subjects.libraries.reference.manifests import POLICY
from tests.false_positives.agents import AGENTS
from tests.false_positives.policies import DECIDED, list_variants, sample_pairs

_MAKE = dict(zip(REFERENCES, (react.subject, react.transcript, react.conversation, react.udspy), strict=True))


class BuiltPolicy(NamedTuple):
    """A policy, and the class that is built with it."""

    react: str
    policy: Policy

    @property
    def description(self) -> str:
        """What it does otherwise than the kit's own policy."""
        ours = POLICY.model_dump()
        return ", ".join(f"{name}={said!r}" for name, said in self.policy.model_dump().items() if said != ours[name])


@cache
def list_policies() -> Mapping[str, BuiltPolicy]:
    """By name: of each class its own default policy, but for what is decided, then those of the sample."""
    return {
        f"{name}-{number}": BuiltPolicy(name, Policy(**DECIDED, **chosen))
        for name in REFERENCES
        for number, chosen in enumerate([{}, *sample_pairs(list_variants(name))])
    }


def list_names() -> list[str]:
    """The names of all of them, policies first."""
    return [*list_policies(), *AGENTS]


def describe_subject(name: str) -> str:
    """What is special about it."""
    built = list_policies().get(name)
    return built.description if built else AGENTS[name].description


def make_subject(name: str) -> Subject:
    """The subject of that name."""
    built = list_policies().get(name)
    return _MAKE[built.react](built.policy) if built else AGENTS[name].make_subject()


def __getattr__(name: str) -> Callable[[], Subject]:
    """What makes the subject of that name: a fresh process finds it so, as `python:` names it."""
    if name not in list_names():
        raise AttributeError(name)
    return partial(make_subject, name)
