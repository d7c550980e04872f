"""What dspy tells its callbacks, kept in order (OBS-001)."""

from typing import Any

from dspy.utils.callback import BaseCallback

import react_tck


class Noticing(BaseCallback):
    """Keeps which tools' runs and which readings of replies are over, as dspy tells its callbacks."""

    def __init__(self) -> None:
        self.heard: list[react_tck.Notice] = []
        #: By the id of the call, of which alone the end is told.
        self._begun: dict[str, react_tck.Notice] = {}

    def on_tool_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:  # noqa: ARG002 - dspy's
        """Remember which tool the call runs, until its end is reported."""
        self._begun[call_id] = react_tck.Notice("tool", str(instance.name))

    def on_adapter_parse_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:  # noqa: ARG002
        """Remember which adapter reads a reply in this call, until its end is reported."""
        self._begun[call_id] = react_tck.Notice("reading", type(instance).__name__)

    def on_tool_end(self, call_id: str, outputs: Any, exception: BaseException | None = None) -> None:  # noqa: ARG002
        """Note that a tool has come back, or raised."""
        self.heard.append(self._begun.pop(call_id))

    on_adapter_parse_end = on_tool_end
