"""An instance of one of the reference's classes: what it can do beyond being called."""

import asyncio

import dspy

from react_tck.model.base import JsonObject
from react_tck.model.case import Resumption
from react_tck.model.outcome import Outcome
from react_tck.reference.confirmation import ConfirmationRequired, get_confirmation_status
from react_tck.subjects import dspy_door as door
from react_tck.subjects.dspy_react import DspyInstance
from react_tck.subjects.protocol import OperationRefused


class ReferenceInstance(DspyInstance):
    """A constructed module of the reference."""

    def resume(self, suspension: JsonObject, resumption: Resumption) -> Outcome:
        """Resume from what the suspension says and nothing else, as a fresh process would."""
        return door.outcome(self._signature, lambda: self._resumed(suspension, resumption))

    def status(self, confirmation_id: str) -> str:
        """What became of a confirmation of this process.

        Raises:
            OperationRefused: if there is none of that id.
        """
        try:
            return get_confirmation_status(confirmation_id)
        except LookupError as error:
            raise OperationRefused(str(error)) from error

    def _resumed(self, suspension: JsonObject, resumption: Resumption) -> dspy.Prediction:
        saved = ConfirmationRequired.load(suspension)
        with door.configured(self._lm, self._options):
            if resumption.mode == "async":
                return asyncio.run(self._module.aresume(resumption.response, saved))
            return self._module.resume(resumption.response, saved)
