"""Operators in the seam `signature` that several tables share: forms in which one is given, and what is made of it."""

from collections.abc import Callable
from typing import Any

import dspy

from react_tck.prove.mutants.operators.runs import before
from react_tck.reference.seams import Around
from react_tck.reference.signatures.react import SignatureType, checked_signature

Given = str | SignatureType


def is_arrow(given: Given) -> bool:
    """Tell whether the signature is given as an arrow string."""
    return isinstance(given, str)


def is_class(given: Given) -> bool:
    """Tell whether the signature is given as a class."""
    return is_dspys(given) and not is_arrow(given) and not is_value(given)


def is_value(given: Given) -> bool:
    """Tell whether the signature is given as a value: what dspy makes of a mapping, all under one class name."""
    return is_dspys(given) and not isinstance(given, str) and given.__name__ == "StringSignature"


def is_dspys(given: Given) -> bool:
    """Tell whether the signature is given in a form that dspy reads, not as a class of udspy's."""
    return isinstance(given, str) or issubclass(given, dspy.Signature)


def given_as(form: Callable[[Given], bool], operator: Around[Any, Any]) -> Around[Any, Any]:
    """Return the operator, where the signature is given in this form."""
    return lambda site, proceed, given: operator(site, proceed, given) if form(given) else proceed(given)


def read_as(form: Callable[[Given], bool], change: Callable[[Any], Any]) -> Around[Any, Any]:
    """Another signature than the one that is given in this form; the change may refuse it."""
    return given_as(form, before(lambda _, given: change(given)))


def made_of(form: Callable[[Given], bool], change: Callable[[SignatureType], SignatureType]) -> Around[Any, Any]:
    """Another signature than is made of one that is given in this form."""
    return read_as(form, lambda given: change(checked_signature(given)))
