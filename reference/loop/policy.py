"""The choice points of the catalogue, as far as the reference leaves them to its user."""

from typing import Literal

from react_tck.model.base import Value

#: How a run ends: the LM calls `finish` and is asked for the outputs, or it submits them itself.
Ending = Literal["finish", "submit"]
#: What is done when a prompt doesn't fit: its oldest steps are left out, or older entries are summarised.
Fitting = Literal["leave out", "summarise"]


class Policy(Value):
    """What the loop does where the sources allow several behaviours (REQUIREMENTS.md, *Choice points*)."""

    unknown_tool: Literal["observe", "extract", "error"] = "observe"
    malformed_args: Literal["observe", "extract", "error"] = "observe"
    schema_mismatch: Literal["observe", "extract", "error"] = "observe"
    malformed_reply: Literal["observe", "extract", "error"] = "observe"
    tool_error: Literal["observe", "error"] = "observe"
    extraction: Literal["chain-of-thought", "predict"] = "chain-of-thought"
    finish_recorded: bool = True
    #: Whether a run may finish before any step was taken: not in S0, but in the released 0.1.2.
    finish_from_first_state: Literal["legal", "illegal"] = "legal"
    #: What the step that chose `finish` has for its observation: dspy's word, or that of S3.
    finished: str = "Completed."
