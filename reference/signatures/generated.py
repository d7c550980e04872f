"""Signatures that the classes generate from the user's: several for every agent."""

from collections.abc import Mapping
from typing import Any

import dspy
from pydantic import ConfigDict, create_model
from pydantic.fields import FieldInfo

from react_tck.reference.signatures.users import SignatureType


class _Unfilled(dspy.Signature):
    """Nobody makes a value of a generated signature, so pydantic makes what would validate one when it is asked to."""

    model_config = ConfigDict(defer_build=True)


def make_signature(fields: Mapping[str, FieldInfo | tuple[Any, Any]], instructions: str) -> SignatureType:
    """Return what `dspy.Signature(fields, instructions)` makes, in half the time."""
    typed: dict[str, Any] = {
        name: (field.annotation, field) if isinstance(field, FieldInfo) else field for name, field in fields.items()
    }
    made: SignatureType = create_model("StringSignature", __base__=_Unfilled, __doc__=instructions, **typed)
    return made
