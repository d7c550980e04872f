"""The real `ReActMachina` as a subject, connected as a user would connect it.

dspy-react-machina 0.1.2 asks for Python 3.12 and runs on 3.11. Where Python is older than it asks for:
`pip install --no-deps --ignore-requires-python dspy-react-machina==0.1.2`, beside dspy.
"""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import dspy
from dspy_react_machina import ReActMachina

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS
from react_tck.subjects.libraries.dspy import bridge
from react_tck.subjects.libraries.dspy.instance import ModuleSubject

# Nothing of `unknown-tool`, `malformed-args` and `tool-error`: the call ends in a success without an answer.
_CHOICES = {
    "malformed-reply": "retries 1, then error, or retries 0, then observe",
    "args-notation": "repaired when certain",
    "empty-args": "error",
    "repeated-field": "first in machina, or last in machina",
    "cut-off-answer": "returned",
    "lm-fault": "retries 3, then error",
    "steps-exhausted": "extract",
    "step-adapter": "same as extraction",
    "trajectory-format": "mapping",
    "finish-recorded": "yes",
    "max-steps-default": "10",
    "max-steps-zero": "refuse",
    "extraction": "chain-of-thought",
    "finish-from-first-state": "legal",
}


@react_tck.subject(
    "ReActMachina",
    version=version("dspy-react-machina"),
    homepage="https://github.com/armoucar/dspy-react-machina",
    # Where a reply can't be read, dspy's chat adapter asks once more, for JSON.
    dialects=["machina", "json"],
    # A history is one that an earlier call returned, of messages with states of their own.
    capabilities=[
        "class-signature",
        "value-signature",
        "typed-fields",
        "nested-fields",
        "async-tools",
        "opaque-results",
        "tool-interruptions",
        "callable-tools",
        "trajectory",
        "extraction",
        "conversation",
    ],
    choices=_CHOICES,
    deviations=DEVIATIONS["machina"],
    default_max_steps=10,
    retries=1,
)
class Machina(ModuleSubject):
    """`ReActMachina`. Its adapter is its own, and a limit is given at construction only."""

    own = bridge.OWN | {"steps"}  # predictions count their steps

    def make_module(self, signature: Any, tools: list[Callable[..., Any]], task: react_tck.Task) -> dspy.Module:
        """Return a `ReActMachina` with the step limit and the predictor of the task."""
        given: dict[str, Any] = {} if task.max_steps is None else {"max_steps": task.max_steps}
        if task.predictor:
            given["predictor_class"] = bridge.find_predictor(task.predictor)
        return ReActMachina(signature, tools, **given)

    def call(self, inputs: dict[str, Any], history: Any = None) -> react_tck.Done:
        """Call the module synchronously, with the history of an earlier call if there is one."""
        return self.make_result(self.connected.call_module(inputs, history))

    async def acall(self, inputs: dict[str, Any], history: Any = None) -> react_tck.Done:
        """Call it in the event loop that runs."""
        return self.make_result(await self.connected.acall_module(inputs, history))
