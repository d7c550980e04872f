"""What instances are asked besides to be called, and what is wrong where they can't be."""

import json
from typing import Any

from pydantic import JsonValue

from react_tck.model.case import Case
from react_tck.subjects.api import HarnessBroken, Instance, Portable, run_operation


def load_state(instance: Instance, case: Case) -> Instance:
    """The instance with the state that the case says to load, if it says one.

    Raises:
        HarnessBroken: if it has no such operation.
        OperationRefused: if the subject refuses the state.
    """
    if case.state is not None:
        portable = require_portable(instance)
        run_operation(lambda: portable.load(case.state))
    return instance


def require_portable(instance: Instance) -> Portable:
    """The instance as one that saves and loads.

    Raises:
        HarnessBroken: if it has no such operations.
    """
    if not isinstance(instance, Portable):
        raise make_missing_error("save-load")
    return instance


def copy_as_json(value: JsonValue) -> Any:
    """The value as whoever has no more of it than its JSON text reads it."""
    return json.loads(json.dumps(value))


def make_missing_error(capability: str) -> HarnessBroken:
    """What is wrong where a capability is declared and its operations aren't there."""
    return HarnessBroken(f"the manifest declares {capability!r}, but the instance doesn't have its operations")
