"""The choice points of the catalogue, as far as the reference leaves them to its user."""

from typing import Literal

from react_tck.model.base import Value


class Policy(Value):
    """What the loop does where the sources allow several behaviours (REQUIREMENTS.md, *Choice points*)."""

    unknown_tool: Literal["observe", "extract", "error"] = "observe"
    malformed_args: Literal["observe", "extract", "error"] = "observe"
    schema_mismatch: Literal["observe", "extract", "error"] = "observe"
    malformed_reply: Literal["observe", "extract", "error"] = "observe"
    tool_error: Literal["observe", "error"] = "observe"
    extraction: Literal["chain-of-thought", "predict"] = "chain-of-thought"
    finish_recorded: bool = True
