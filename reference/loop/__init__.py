"""The loop of every system, without I/O and without dspy; `loop.py` opens with the algorithm.

The loop says what is due, and whoever drives it says what came of it, as they please: in a test, without an LM.

>>> from react_tck.reference.loop import Answered, Call, StepChosen, ToolReturned, advance, start
>>> state = start(("add",), max_steps=1, inputs={"question": "2+3?"})
>>> state = advance(state, StepChosen(thought="Add.", calls=(Call(name="add", args={"a": 2, "b": 3}),)))
>>> state.action.kind, state.action.call.args
('run-tool', {'a': 2, 'b': 3})
>>> state = advance(state, ToolReturned(observation=5))
>>> state.action.kind, state.steps[0].observation
('ask-extraction', 5)
>>> advance(state, Answered(outputs={"answer": 5})).outputs
{'answer': 5}
"""

from react_tck.reference.loop.action_types import (
    Action,
    Answered,
    Approved,
    ArgsMalformed,
    ArgsMismatched,
    AskExtraction,
    AskStep,
    AskSummary,
    AwaitResponse,
    Committed,
    Declined,
    DoesNotFit,
    End,
    Event,
    OutOfTurn,
    RunTool,
    StepChosen,
    StepGivenUp,
    StepMalformed,
    StepUnanswered,
    Summarised,
    ToolAsked,
    ToolFailed,
    ToolReturned,
)
from react_tck.reference.loop.entries import (
    AssistantTurn,
    Call,
    Entries,
    Entry,
    FinalAnswer,
    Observation,
    Remark,
    Request,
    Summary,
)
from react_tck.reference.loop.loop import FINISH, SHORTENINGS, SUBMIT, State, advance, start
from react_tck.reference.loop.policy import STRICT, Ending, Fitting, Policy
from react_tck.reference.loop.views.trajectory import Step

__all__ = [
    "FINISH",
    "SHORTENINGS",
    "STRICT",
    "SUBMIT",
    "Action",
    "Answered",
    "Approved",
    "ArgsMalformed",
    "ArgsMismatched",
    "AskExtraction",
    "AskStep",
    "AskSummary",
    "AssistantTurn",
    "AwaitResponse",
    "Call",
    "Committed",
    "Declined",
    "DoesNotFit",
    "End",
    "Ending",
    "Entries",
    "Entry",
    "Event",
    "FinalAnswer",
    "Fitting",
    "Observation",
    "OutOfTurn",
    "Policy",
    "Remark",
    "Request",
    "RunTool",
    "State",
    "Step",
    "StepChosen",
    "StepGivenUp",
    "StepMalformed",
    "StepUnanswered",
    "Summarised",
    "Summary",
    "ToolAsked",
    "ToolFailed",
    "ToolReturned",
    "advance",
    "start",
]
