"""What mutants of the conversation share."""

from typing import Any

import dspy

from react_tck.reference import loop
from react_tck.reference import loop_conversation as machine
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.drive import Episode

Inputs = dict[str, Any]
Exchange = machine.Exchange


class Forgetful(ConversationReAct):
    """Gives back another history than there is; `_kept` makes it."""

    def _extraction(self, state: loop.State, inputs: Inputs) -> Episode[dspy.Prediction]:
        prediction = yield from super()._extraction(state, inputs)
        kept = self._kept(list(prediction["history"].messages), self._state(state))
        prediction["history"] = dspy.History(messages=kept)
        return prediction

    def _kept(self, exchanges: list[Exchange], _state: machine.MachineState) -> list[Exchange]:
        return exchanges


class Told(ConversationReAct):
    """Asks with other inputs than there are; `_told` makes them."""

    def _asking(self, state: loop.State, inputs: Inputs) -> Exchange:
        return self._told(super()._asking(state, inputs), state, inputs)

    def _told(self, asked: Exchange, _state: loop.State, _inputs: Inputs) -> Exchange:
        return asked


class Async(ConversationReAct):
    """Knows in which mode it is called."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.is_async = False

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        """Called through the async entry point."""
        self.is_async = True
        return await super().aforward(**inputs)
