"""Earlier turns of the conversation, for the step prompt and for the extraction (S4+)."""

from typing import Any

import dspy

#: Shown for an output that a past turn doesn't have, such as the extraction's reasoning.
_UNKNOWN = "(not kept)"


def as_text(history: dspy.History) -> str:
    """The turns as text, a line a field."""
    turns = (
        "\n".join([f"Turn {number}", *(f"{name}: {value}" for name, value in turn.items())])
        for number, turn in enumerate(history.messages, 1)
    )
    return "\n\n".join(turns) or "(none)"


def for_extraction(history: dspy.History, outputs: tuple[str, ...]) -> dspy.History:
    """The turns with every output of the extraction's signature, so that none is shown as `None`."""
    return dspy.History(messages=[_complete(turn, outputs) for turn in history.messages])


def _complete(turn: dict[str, Any], outputs: tuple[str, ...]) -> dict[str, Any]:
    return {**dict.fromkeys(outputs, _UNKNOWN), **turn}
