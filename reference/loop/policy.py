"""The choice points of the catalogue, as far as the reference leaves them to its user."""

from typing import Literal

from react_tck.model.base import Value

#: How a run ends: the LM calls `finish` and is asked for the outputs, or it submits them itself.
Ending = Literal["finish", "submit"]
#: What is done when a prompt doesn't fit: its oldest steps are left out, older entries are summarised, or nothing is.
Fitting = Literal["leave out", "summarise", "nothing"]


class Policy(Value):
    """What an agent does where the sources allow several behaviours (the choices of `features/requirements.toml`).

    What isn't given is as who comes from `dspy.ReAct` would have it.
    What is cut off is refused under every policy.
    """

    #: Whether an input that the signature doesn't have is left out with a warning, or refused (SIG-007).
    unknown_inputs: Literal["warned", "refused"] = "warned"

    # How a reply is read.

    #: Whether a reply in chat fields has to end with its marker. Without one, it is whole where its last field is.
    completed_marker: Literal["optional", "required"] = "optional"
    #: Whether args in single quotes, Python literals, a fence … are read where they are one certain value (ERR-002),
    #: and text calls with `arguments`, inside `function` or without their list (ERR-018).
    args_notation: Literal["JSON only", "repaired when certain"] = "repaired when certain"
    #: What args are that are empty or `null` (ERR-003).
    empty_args: Literal["empty object", "observe", "error"] = "empty object"
    #: Which tool is meant by a name in quotes, or in other letters where one tool alone fits (ERR-001).
    tool_name_matching: Literal["exact", "quotes and space ignored", "case ignored"] = "quotes and space ignored"
    #: Which of two values counts when a field, or a key of the args, stands twice (ERR-005).
    repeated_field: Literal["first", "last", "refused"] = "first"
    #: What becomes of an answer after which no tokens were left, though it is whole as far as anybody can tell.
    cut_off_answer: Literal["returned", "refused"] = "returned"

    # What happens then.

    unknown_tool: Literal["observe", "extract", "error"] = "observe"
    malformed_args: Literal["observe", "extract", "error"] = "observe"
    schema_mismatch: Literal["observe", "extract", "error"] = "observe"
    malformed_reply: Literal["observe", "extract", "error"] = "observe"
    tool_error: Literal["observe", "error"] = "observe"
    #: What follows when the LM fails a step, in a way that asking again may mend (ERR-012).
    lm_fault: Literal["error", "observe", "extract"] = "error"
    #: What follows the last step that is allowed (LOOP-004).
    steps_exhausted: Literal["extract", "error"] = "extract"
    #: How outputs that were to be submitted are asked for when they weren't (TRN-006).
    fallback: Literal["extract", "forced submit"] = "forced submit"
    extraction: Literal["chain-of-thought", "predict"] = "chain-of-thought"
    finish_recorded: bool = True
    #: Whether a conversation may finish before any step was taken: not in S0, but in the released 0.1.2 (CNV-005).
    finish_from_first_state: Literal["legal", "illegal"] = "legal"
    #: What the step that chose `finish` has for its observation: dspy's word, or that of S3.
    finished: str = "Completed."
    #: The caller's trajectory: keys with the step's number, a list of steps, or the text of a prompt (S1 D5, TRJ-004).
    trajectory_format: Literal["mapping", "list", "text"] = "mapping"
    #: Whether a transcript's prediction has a trajectory beside its history: not in `dspy.ReActV2` (TRN-007).
    derived_trajectory: Literal["left out", "given"] = "left out"


#: Reads by the letter: what isn't in the form that was asked for is refused, and the LM is told. So is the caller, who
#: is given all that the sources name.
STRICT = Policy(
    unknown_inputs="refused",
    completed_marker="required",
    args_notation="JSON only",
    empty_args="observe",
    tool_name_matching="exact",
    repeated_field="refused",
    finish_from_first_state="illegal",
    fallback="extract",
    derived_trajectory="given",
)
