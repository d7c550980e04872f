"""Faults planted by somebody who hadn't read the mutants: the reference's classes, each wrong in one subtle place.

`python -m tests.prove.planted` says what the suite makes of them; one is `python:tests.prove.planted:NAME` to
`react-tck run`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct
from react_tck.subjects.api import Subject
from react_tck.subjects.libraries.reference.react import make_changed_subject

_SYSTEMS = (ReAct, ConversationReAct, TranscriptReAct, UdspyReAct)
_NO_FAULTS = ("__main__", "means", "values", "measure")


def faults() -> Mapping[str, type[Any]]:
    """All of them by name."""
    modules = [module.name for module in iter_modules(__path__, f"{__name__}.")]
    holding = [import_module(name) for name in modules if name.rpartition(".")[2] not in _NO_FAULTS]
    return {
        name: made
        for module in holding
        for name, made in vars(module).items()
        if isinstance(made, type) and made.__module__ == module.__name__
    }


def system_of(fault: type[Any]) -> type[Any]:
    """Which of the four classes it is."""
    return next(ancestor for ancestor in fault.__mro__ if ancestor in _SYSTEMS)


def planted(name: str) -> Subject:
    """The reference with this fault, claiming all that the reference can do."""
    fault = faults()[name]
    genuine = system_of(fault)
    return make_changed_subject(f"planted:{name}", lambda react: fault if react is genuine else react)


def __getattr__(name: str) -> Callable[[], Subject]:
    """A factory of each fault, for `python:tests.prove.planted:NAME`."""
    if name not in faults():
        raise AttributeError(name)
    return partial(planted, name)
