"""An instance of one of the reference's classes: what it can do beyond being called."""

import asyncio
from typing import Any

import dspy

from react_tck.model.base import JsonObject
from react_tck.model.case import Resumption
from react_tck.model.manifest import Description, Fields
from react_tck.model.outcome import Outcome
from react_tck.reference.confirmation import ConfirmationRequired, get_confirmation_status
from react_tck.subjects.api import OperationRefused
from react_tck.subjects.libraries.dspy import bridge
from react_tck.subjects.libraries.dspy.instance import DspyInstance

#: The attributes by which S3 lets them be inspected (UDS-003).
_SIGNATURES = ("signature", "react_signature", "extract_signature")


class ReferenceInstance(DspyInstance):
    """A constructed module of the reference."""

    def resume(self, suspension: JsonObject, resumption: Resumption) -> Outcome:
        """Resume from what the suspension says and nothing else, as a fresh process would."""
        return bridge.outcome(self._signature, lambda: self._resumed(suspension, resumption), self._own)

    def status(self, confirmation_id: str) -> str:
        """What became of a confirmation of this process.

        Raises:
            OperationRefused: if there is none of that id.
        """
        try:
            return get_confirmation_status(confirmation_id)
        except LookupError as error:
            raise OperationRefused(str(error)) from error

    def describe(self) -> Description:
        """The tools and signatures that the module exposes."""
        tools = {name: tool.description for name, tool in self._module.tools.items()}
        exposed = {name: getattr(self._module, name) for name in _SIGNATURES if hasattr(self._module, name)}
        return Description(tools=tools, signatures={name: _fields(made) for name, made in exposed.items()})

    def _resumed(self, suspension: JsonObject, resumption: Resumption) -> dspy.Prediction:
        saved = ConfirmationRequired.load(suspension)
        with bridge.configured(self._lm, self._options.adapter):
            if resumption.mode == "async":
                prediction = asyncio.run(self._module.aresume(resumption.response, saved))
            else:
                prediction = self._module.resume(resumption.response, saved)
        # In the place of the suspended call's, of which this is the rest; here there may have been none.
        self._histories[-1:] = [prediction.get("history")]
        return prediction


def _fields(signature: Any) -> Fields:
    return Fields(
        inputs=tuple(signature.input_fields),
        outputs=tuple(signature.output_fields),
        instructions=signature.instructions,
    )
