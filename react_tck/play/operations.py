"""What instances are asked besides to be called, and what is wrong where they can't be."""

import copy
import json
from collections.abc import Callable
from typing import Any

from pydantic import JsonValue

from react_tck.fakes.journal import Journal
from react_tck.fakes.tools import INTERRUPTIONS
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation
from react_tck.model.outcome import Outcome, make_error_outcome
from react_tck.subjects.api import HarnessBroken, Instance, Portable, run_operation
from react_tck.texts import find_excess


def load_state(instance: Instance, state: JsonValue) -> Instance:
    """Return the instance with the state that it is to load, if there is one.

    Raises:
        HarnessBroken: if it has no such operation.
        OperationRefused: if the subject refuses the state.
    """
    if state is not None:
        portable = require_portable(instance)
        run_operation(lambda: portable.load(state))
    return instance


def run_call(operation: Callable[[], Outcome], journal: Journal) -> Outcome:
    """Return what a call or a resumption comes to.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    try:
        outcome = operation()
    except HarnessBroken:
        raise
    except (Exception, SystemExit) as error:
        raise HarnessBroken(f"calling raised {type(error).__name__}: {error}") from error
    except tuple(INTERRUPTIONS.values()) as interruption:
        # A tool's ends the call, and is the outcome; the user's own ends the run.
        if not journal.is_interrupted:
            raise
        return make_error_outcome(interruption)
    return check_outcome(outcome)


def require_portable(instance: Instance) -> Portable:
    """Return the instance as one that saves and loads.

    Raises:
        HarnessBroken: if it has no such operations.
    """
    if not isinstance(instance, Portable):
        raise make_missing_error("save-load")
    return instance


def copy_as_json(value: JsonValue) -> Any:
    """Return the value as whoever has no more of it than its JSON text reads it."""
    return json.loads(json.dumps(value))


def make_missing_error(capability: str) -> HarnessBroken:
    """Return what is wrong where a capability is declared and its operations aren't there."""
    return HarnessBroken(f"the manifest declares {capability!r}, but the instance doesn't have its operations")


def check_outcome(outcome: Any) -> Outcome:
    """Return what a call gave, if it is an outcome.

    Raises:
        HarnessBroken: if it isn't, or says that the harness had too little memory.
    """
    if not isinstance(outcome, Outcome):
        raise HarnessBroken(f"calling gave {outcome!r}, which is not an Outcome")
    if excess := find_excess(outcome, is_counted=True):
        raise HarnessBroken(f"calling gave an outcome that holds {excess}")
    if outcome.error and outcome.error.type in ("MemoryError", "OutOfMemoryError"):
        raise HarnessBroken(f"it had too little memory: calling ended with {outcome.error.type}")
    return outcome


def pass_history_on(call: Invocation, history: JsonValue, *, as_told: bool) -> Invocation:
    """Return the call with the history that the one before gave, if it gave any: as its outcome told it."""
    if call.follows is None:
        return call
    if not as_told:  # the instance has the object that it returned
        return call if history is not None else call.model_copy(update={"follows": None})
    return call.model_copy(update={"follows": None, "history": read_entries(history)})


def read_entries(history: JsonValue) -> tuple[JsonObject, ...] | None:
    """Return the entries of a history that an outcome told, copied; None if it told none."""
    if not isinstance(history, list):
        return None
    return tuple(copy.deepcopy(entry) for entry in history if isinstance(entry, dict))
