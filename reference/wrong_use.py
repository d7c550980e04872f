"""What users get wrong when they make an agent or call it: said before the LM is asked, in words of what they wrote."""

from collections.abc import Iterable, Mapping
from operator import index
from typing import Any, SupportsIndex

import dspy

from react_tck.reference import loop


def check_options(agent: str, signature: Any, tools: Any, adapter: Any, policy: Any) -> list[Any]:
    """Return what an agent of this class is made of; gives back the tools as a list.

    Raises:
        TypeError: if something is of another kind than the class takes.
    """
    is_class = any(hasattr(signature, fields) for fields in ("output_fields", "get_output_fields"))
    if not (isinstance(signature, str) or is_class):
        takes = 'an arrow string such as "question -> answer", or a signature class'
        raise TypeError(f"{agent} takes {takes}, not {signature!r}")
    check_adapter(agent, adapter)
    if not (policy is None or isinstance(policy, loop.Policy)):
        raise TypeError(f"{agent} takes a policy as a value, as in policy=Policy() or policy=STRICT, not {policy!r}")
    return _check_tools(agent, tools)


def check_adapter(agent: str, adapter: Any) -> None:
    """Check that it is an adapter, if it is given. Raises TypeError."""
    if not (adapter is None or isinstance(adapter, dspy.Adapter)):
        raise TypeError(f"{agent} takes an adapter of dspy's, as in adapter=dspy.JSONAdapter(), not {adapter!r}")


def _check_tools(agent: str, tools: Any) -> list[Any]:
    if tools is None:
        raise TypeError(f"{agent} takes a list of tools, not None; without any it is []")
    if isinstance(tools, str | Mapping) or not isinstance(tools, Iterable):
        name = getattr(tools, "__name__", None) or getattr(tools, "name", None)
        instead = f": [{name}]" if callable(tools) and name else f", not {tools!r}"
        raise TypeError(f"{agent} takes a list of tools{instead}")
    listed = tools if isinstance(tools, list) else [*tools]
    if wrong := [tool for tool in listed if not callable(tool)]:
        raise TypeError(
            f"{agent}: {wrong[0]!r} is no tool: one is a function, a method, a callable object or a dspy.Tool"
        )
    return listed


def check_steps(agent: str, steps: Any, least: int) -> int:
    """Return how many steps may be taken.

    Raises:
        TypeError: if it is no whole number.
        ValueError: if it is less than the class needs.
    """
    told = f"{agent} takes a whole number of steps, at least {least}, not {steps!r}"
    if not isinstance(steps, SupportsIndex):
        raise TypeError(told)
    if index(steps) < least:
        raise ValueError(told)
    return index(steps)


def check_predictor_class(agent: str, made_by: Any) -> None:
    """Check what makes predictors of signatures. Raises TypeError if it isn't one, or can't be called."""
    if not callable(made_by) or (isinstance(made_by, type) and not issubclass(made_by, dspy.Module)):
        _refuse_predictor_class(agent, made_by)


def check_predictor(agent: str, made_by: Any, made: Any) -> None:
    """Check what it has made. Raises TypeError if that can't be asked."""
    if not isinstance(made, dspy.Module):
        _refuse_predictor_class(agent, made_by)


def refuse_positions(agent: str, signature: Any, given: tuple[Any, ...]) -> None:
    """Refuse inputs without names. Raises TypeError."""
    if given:
        named = ", ".join(f"{name}=..." for name in signature.input_fields)
        raise TypeError(f"{agent} takes its inputs by name: {named}")


def _refuse_predictor_class(agent: str, made_by: Any) -> None:
    takes = "what makes a predictor of a signature, as in predictor_class=dspy.Predict"
    raise TypeError(f"{agent} takes {takes}, not {made_by!r}")
