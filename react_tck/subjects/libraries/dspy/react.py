"""The real `dspy.ReAct` and `dspy.ReActV2` as subjects, connected as a user would connect them."""

import json
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from typing import Any, ClassVar

import dspy
from dspy.utils.exceptions import AdapterParseError

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS
from react_tck.subjects.libraries.dspy import bridge
from react_tck.subjects.libraries.dspy.instance import ModuleSubject

_CHOICES = {
    "unknown-tool": "error",
    # NaN is a number to it, which then doesn't fit the tool.
    "malformed-args": "error, or observe",
    "schema-mismatch": "observe",
    # The chat and XML adapters ask once more, by the JSON adapter.
    "malformed-reply": "retries 1, then error",
    "tool-error": "observe",
    # A name that has to be one of several is read without quotes, yet not without backticks or asterisks.
    "tool-name-matching": "exact, or quotes and space ignored",
    # json_repair mends most; a fence or a comment around args is refused.
    "args-notation": "repaired when certain, or JSON only",
    "empty-args": "error",
    # The first section of a name, and the last value of a key.
    "repeated-field": "first in chat, or last in chat",
    "cut-off-answer": "returned",
    "lm-fault": "retries 3, then error",
    "steps-exhausted": "extract",
    "step-adapter": "same as extraction",
    "trajectory-format": "mapping",
    "finish-recorded": "yes",
    "max-steps-default": "20",
    "max-steps-zero": "extract at once",
    "extraction": "chain-of-thought",
}
_CHOICES_V2 = {
    "unknown-tool": "observe and continue",
    # Two tries (chat, JSON), and as many for the submit that it forces afterwards, in the same words. A call of
    # which json_repair leaves nothing makes it force the submit at once, which reads like a further step.
    "malformed-reply": "retries 3, then error, or retries 0, then observe",
    "malformed-args": "error, or observe",
    "schema-mismatch": "observe",
    "tool-name-matching": "exact",
    # json_repair mends most; natively, and with a fence or a comment around args, they are refused.
    "args-notation": "repaired when certain, or JSON only",
    "empty-args": "empty object, or error",
    # The first section of a name, and the last value of a key.
    "repeated-field": "first in chat, or last in chat",
    "lm-fault": "retries 3, then error",
    "steps-exhausted": "extract",
    "step-adapter": "same as extraction",
    "tool-error": "observe",
    "max-steps-default": "20",
    "max-steps-zero": "extract at once",
    "extraction": "none (submit)",
    "fallback": "forced submit",
}


class _ReAct(ModuleSubject):
    """What both have. They take no adapter of their own, so `module-adapter` isn't declared."""

    kind: ClassVar[type[dspy.Module]]

    def make_module(self, signature: Any, tools: list[Callable[..., Any]], task: react_tck.Task) -> dspy.Module:
        """Return a module of the class's kind, with the step limit of the task."""
        limits = {} if task.max_steps is None else {"max_iters": task.max_steps}
        return self.kind(signature, tools, **limits)

    def call(
        self, inputs: dict[str, Any], max_steps: int | None = None, history: Any = None, adapter: str | None = None
    ) -> react_tck.Done:
        """Call the module synchronously, with the limit, history and adapter of this call."""
        return self.make_result(self.connected.call_module(inputs, history, adapter, max_steps))

    async def acall(
        self, inputs: dict[str, Any], max_steps: int | None = None, history: Any = None, adapter: str | None = None
    ) -> react_tck.Done:
        """Call it in the event loop that runs."""
        return self.make_result(await self.connected.acall_module(inputs, history, adapter, max_steps))

    def dump(self) -> Any:
        """Return the module's state as JSON, as dspy saves it."""
        return self.connected.dump()

    def load(self, state: Any) -> None:
        """Load a state that `dump` gave into the module."""
        self.connected.load(state)


@react_tck.subject(
    "dspy.ReAct",
    version=version("dspy"),
    homepage="https://dspy.ai",
    dialects=["chat", "json", "xml"],
    capabilities=[
        "class-signature",
        "value-signature",
        "typed-fields",
        "nested-fields",
        "async-tools",
        "opaque-results",
        "tool-interruptions",
        "callable-tools",
        "declared-tools",
        "trajectory",
        "extraction",
        "step-signature",
        "truncation",
        "caller-objects",
        "concurrent-calls",
    ],
    choices=_CHOICES,
    deviations=DEVIATIONS["dspy"],
    default_max_steps=20,
    retries=1,
    parse_errors=[AdapterParseError],
)
class DspyReAct(_ReAct):
    """`dspy.ReAct`, and its adapters as parsers."""

    kind = dspy.ReAct

    def parse(self, text: str, fields: dict[str, Any], dialect: str = "chat") -> dict[str, Any]:
        """Return what the adapter of the dialect makes of a reply."""
        adapter = bridge.make_adapter(dialect)
        assert adapter is not None
        found: dict[str, Any] = adapter.parse(_make_signature(json.dumps(fields)), text)
        return found


@react_tck.subject(
    "dspy.ReActV2",
    version=version("dspy"),
    homepage="https://dspy.ai",
    dialects=["chat", "json", "xml", "native"],
    capabilities=[
        "class-signature",
        "value-signature",
        "typed-fields",
        "nested-fields",
        "async-tools",
        "opaque-results",
        "tool-interruptions",
        "callable-tools",
        "declared-tools",
        "transcript",
        "parallel-tool-calls",
        "image-inputs",
        "caller-objects",
    ],
    choices=_CHOICES_V2,
    deviations=DEVIATIONS["dspy-v2"],
    default_max_steps=20,
    retries=3,
)
class DspyReActV2(_ReAct):
    """`dspy.ReActV2`, which has neither an extraction nor a trajectory."""

    kind = dspy.ReActV2


# The same few signatures are parsed for thousands of times.
@lru_cache(maxsize=256)
def _make_signature(schemas: str) -> Any:
    fields = {
        name: (react_tck.annotation_of(schema), dspy.OutputField()) for name, schema in json.loads(schemas).items()
    }
    return dspy.Signature({"question": (str, dspy.InputField()), **fields}, "Answer the question.")
