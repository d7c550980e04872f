"""The real `udspy.ReAct` as a subject, connected as a user would connect it."""

import asyncio
import json
from contextvars import Context, copy_context
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Any

import udspy
from udspy.adapter import ChatAdapter
from udspy.confirmation import get_confirmation_status
from udspy.exceptions import AdapterParseError

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS
from react_tck.subjects.libraries.udspy import bridge

#: What can be inspected (UDS-003).
_SIGNATURES = ("signature", "react_signature", "extract_signature")
_CHOICES = {
    "unknown-tool": "extract",
    "malformed-args": "observe",
    "schema-mismatch": "coerce when lossless, or observe",
    "malformed-reply": "retries 2, then error",
    "tool-name-matching": "exact",
    "args-notation": "JSON only",
    "empty-args": "observe",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "lm-fault": "retries 2, then error",
    "steps-exhausted": "extract",
    "step-adapter": "same as extraction",
    "tool-error": "observe",
    "trajectory-format": "list",
    "finish-recorded": "yes",
    "max-steps-default": "10",
    "max-steps-zero": "extract at once",
    "extraction": "chain-of-thought",
    "integer-range": "any",
}


@react_tck.subject(
    "udspy.ReAct",
    version=version("udspy"),
    homepage="https://github.com/silvestrid/udspy",
    # udspy speaks JSON only, has no adapters to configure, and takes no conversation history into ReAct. Its 0.1.8 has
    # no clarification tool, no native steps in ReAct, and nothing that takes a suspended state.
    dialects=["json"],
    capabilities=[
        "class-signature",
        "typed-fields",
        "nested-fields",
        "async-tools",
        "opaque-results",
        "tool-interruptions",
        "trajectory",
        "extraction",
        "step-signature",
        "udspy-surface",
        "caller-objects",
        "concurrent-calls",
    ],
    choices=_CHOICES,
    deviations=DEVIATIONS["udspy"],
    default_max_steps=10,
    retries=2,
    parse_errors=[AdapterParseError],
)
class Udspy:
    """`udspy.ReAct` with the kit's LM and tools; calls that wait for a confirmation are suspended."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Construct `udspy.ReAct` from the task's signature, tools and step limit."""
        made, given = bridge.signature_of(task), [_make_tool(tool) for tool in tools]
        task.watch("the signature", made)
        task.watch("the tools", given)
        limits = {} if task.max_steps is None else {"max_iters": task.max_steps}
        self._module = udspy.ReAct(made, tools=given, **limits)
        self._outputs = {field.name for field in task.outputs}
        self._lm = bridge.language_model(lm)
        # udspy keeps responses in a context variable, by an id that other instances' calls have too.
        self._context = copy_context()
        self._in_use = Lock()

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done | react_tck.Suspended:
        """Call the module synchronously; `Suspended` where it asks for a confirmation."""
        return self._call_module(_make_arguments(inputs, max_steps))

    async def acall(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done | react_tck.Suspended:
        """Call it in the event loop that runs."""
        return await self._await_module(_make_arguments(inputs, max_steps))

    def resume(self, suspension: dict[str, Any], response: str) -> react_tck.Done | react_tck.Suspended:
        """Respond, and make the same call again: S3's own way, since its `resume` isn't there."""
        self._answer_confirmation(suspension, response)
        return self._call_module(suspension["call"])

    async def aresume(self, suspension: dict[str, Any], response: str) -> react_tck.Done | react_tck.Suspended:
        """Return the same in the event loop that runs."""
        self._answer_confirmation(suspension, response)
        return await self._await_module(suspension["call"])

    def status(self, confirmation_id: str) -> str:
        """Return what udspy says became of a confirmation."""
        status: str = self._context.run(get_confirmation_status, confirmation_id)
        return status

    def describe(self) -> dict[str, Any]:
        """Return the tools and signatures that the module exposes."""
        signatures = {name: bridge.fields_of(getattr(self._module, name)) for name in _SIGNATURES}
        tools = {name: tool.description or "" for name, tool in self._module.tools.items()}
        return {"tools": tools, "signatures": signatures}

    def parse(self, text: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Return what the adapter makes of a reply."""
        adapter, signature = ChatAdapter(), _make_signature(json.dumps(fields))
        found: dict[str, Any] = adapter.parse_outputs(signature, text)
        adapter.validate_outputs(signature, found, [], text)
        return found

    def _answer_confirmation(self, suspension: dict[str, Any], response: str) -> None:
        tool = (suspension["tool_call"] or {}).get("name", "")
        self._context.run(bridge.answer_confirmation, suspension["confirmation_id"], tool, response)

    def _call_module(self, arguments: dict[str, Any]) -> react_tck.Done | react_tck.Suspended:
        if not self._in_use.acquire(blocking=False):
            # A context holds one call at a time; what it knows goes for calls at once as well.
            return self._run_module(self._context.copy(), arguments)
        try:
            return self._run_module(self._context, arguments)
        finally:
            self._in_use.release()

    def _run_module(self, context: Context, arguments: dict[str, Any]) -> react_tck.Done | react_tck.Suspended:
        def predict_outputs() -> Any:
            with udspy.settings.context(lm=self._lm):
                return self._module(**arguments)

        try:
            return self._make_result(context.run(predict_outputs))
        except udspy.ConfirmationRequired as asked:
            return react_tck.Suspended(bridge.make_suspension(asked, arguments))

    async def _await_module(self, arguments: dict[str, Any]) -> react_tck.Done | react_tck.Suspended:
        async def predict_outputs() -> Any:
            with udspy.settings.context(lm=self._lm):
                return await self._module.aforward(**arguments)

        try:
            return self._make_result(await asyncio.create_task(predict_outputs(), context=self._context.copy()))
        except udspy.ConfirmationRequired as asked:
            return react_tck.Suspended(bridge.make_suspension(asked, arguments))

    def _make_result(self, prediction: Any) -> react_tck.Done:
        outputs = {name: value for name, value in prediction.items() if name in self._outputs}
        return react_tck.Done(outputs, steps=prediction["trajectory"])


def _make_arguments(inputs: dict[str, Any], max_steps: int | None) -> dict[str, Any]:
    return inputs if max_steps is None else {**inputs, "max_iters": max_steps}


def _make_tool(tool: react_tck.TaskTool) -> Any:
    tool.asking_error = udspy.ConfirmationRequired
    return udspy.Tool(tool.function, name=tool.name, description=tool.description, require_confirmation=tool.confirm)


# The same few signatures are parsed for thousands of times.
@lru_cache(maxsize=256)
def _make_signature(schemas: str) -> Any:
    return bridge.signature_with(json.loads(schemas))
