"""The user's signature, and what a call is held to by it (SIG-006, SIG-007)."""

import logging
from functools import lru_cache
from typing import Any

import dspy
from dspy.signatures.signature import ensure_signature

from react_tck.model.signature import split_fields

SignatureType = type[dspy.Signature]

_LOG = logging.getLogger(__name__)

DEFAULT_MAX_STEPS = 20
#: What `dspy.Predict` takes for options of its call, whatever the signature says.
_OPTIONS = frozenset({"signature", "new_signature", "demos", "config", "lm"})


def checked_signature(signature: str | SignatureType) -> SignatureType:
    """Return the signature, whatever names of ReAct's own its fields have.

    Raises:
        ValueError: if it has no outputs, two fields of one name (SIG-006), or an input named like an option (TOOL-016).
    """
    made = _parse_arrow(signature) if isinstance(signature, str) else signature
    if not made.output_fields:
        raise ValueError("the signature has no output fields")
    if taken := next((name for name in made.input_fields if name in _OPTIONS), None):
        raise ValueError(f"the signature has an input {taken!r}, which is an option of every dspy predictor's call")
    return made


def _parse_arrow(arrow: str) -> SignatureType:
    _refuse_duplicates(arrow)
    made: SignatureType = ensure_signature(arrow, _make_instructions(arrow))
    return made


@lru_cache(maxsize=64)
def _make_instructions(arrow: str) -> str:
    """dspy's own for an arrow: it makes a signature to find them, and then another that has them."""
    given: str = ensure_signature(arrow).instructions
    return given


def check_inputs(signature: SignatureType, inputs: dict[str, Any]) -> None:
    """Refuse what the signature doesn't take, before the LM is asked (SIG-007).

    Raises:
        ValueError: if an input is missing or unknown.
    """
    fields = signature.input_fields
    if missing := [name for name, field in fields.items() if name not in inputs and field.is_required()]:
        raise ValueError(f"missing input {missing[0]!r}; the inputs are: {', '.join(fields)}")
    if unknown := [name for name in inputs if name not in fields]:
        raise ValueError(f"unknown input {unknown[0]!r}; the inputs are: {', '.join(fields)}")


def drop_unknown_inputs(agent: str, signature: SignatureType, inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the inputs without those unknown to the signature, with a warning; options of predictors stay."""
    unknown = [name for name in inputs if name not in signature.input_fields and name not in _OPTIONS]
    for name in unknown:
        _LOG.warning("%s leaves out %r; its inputs are: %s", agent, name, ", ".join(signature.input_fields))
    return {name: value for name, value in inputs.items() if name not in unknown}


def own_max_steps(signature: SignatureType, inputs: dict[str, Any], default: int) -> tuple[int, dict[str, Any]]:
    """Return the call's own `max_steps` (LOOP-009), unless an input has that name, and the other inputs."""
    own = [name for name in ("max_steps", "max_iters") if name not in signature.input_fields]
    given = [inputs[name] for name in own if name in inputs]
    return (given or [default])[0], {name: value for name, value in inputs.items() if name not in own}


def history_field(signature: SignatureType) -> str | None:
    """Return the input that carries the conversation history, if the signature has one."""
    inputs = signature.input_fields.items()
    return next((name for name, field in inputs if field.annotation is dspy.History), None)


def outputs_of(signature: SignatureType) -> str:
    """Return the names of the outputs, as prompts list them."""
    return ", ".join(f"`{name}`" for name in signature.output_fields)


def _refuse_duplicates(arrow: str) -> None:
    inputs, _, outputs = arrow.partition("->")
    names = [field.partition(":")[0].strip() for side in (inputs, outputs) for field in split_fields(side)]
    if twice := next((name for name in names if name.isidentifier() and names.count(name) > 1), None):
        raise ValueError(f"the signature {arrow!r} has two fields named {twice!r}")
