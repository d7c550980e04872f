"""The real `smolagents.ToolCallingAgent` as a subject."""

from typing import Any

from react_tck.fakes.callables import KitTool
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Options
from react_tck.model.manifest import Capability
from react_tck.model.outcome import Outcome, failed
from react_tck.model.protocol import Endpoint
from react_tck.model.signature import Signature
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.subjects.lanes import ServedSubject, http_clients
from react_tck.subjects.libraries.task import AboutLibrary, Task, native_manifest

#: It takes a text and gives whatever the tool `final_answer` was called with; its steps have clock times in them.
_CAPABILITIES: tuple[Capability, ...] = ("arrow-signature", "call-max-steps", "tool-interruptions")
_CHOICES = {
    "unknown-tool": "observe and continue",
    "tool-name-matching": "exact",
    "malformed-args": "observe",
    "args-notation": "JSON only",
    "empty-args": "empty object",
    "schema-mismatch": "observe",
    "malformed-reply": "retries 0, then observe",
    "repeated-field": "last",
    "cut-off-answer": "returned, or refused",
    "tool-error": "observe",
    "lm-fault": "error",
    "steps-exhausted": "extract",
    "extraction": "predict",
    "max-steps-default": "20",
    "fallback": "extract",
}


def subject() -> Subject:
    """The subject."""
    about = AboutLibrary("smolagents.ToolCallingAgent", "smolagents", "https://github.com/huggingface/smolagents")
    manifest = native_manifest(about, _CAPABILITIES, _CHOICES, max_steps=20, answer_tool="final_answer")
    return ServedSubject(manifest, _build)


def _build(signature: Signature, options: Options, endpoints: Endpoints, lm: Endpoint) -> Instance:
    from smolagents import OpenAIModel, ToolCallingAgent

    client = {"max_retries": 0, "http_client": http_clients()[0]}
    model = OpenAIModel(lm.model, lm.base_url, lm.api_key, client_kwargs=client, retry=False)
    limits = {} if options.max_steps is None else {"max_steps": options.max_steps}
    task = Task(signature)
    agent = ToolCallingAgent(
        [_tool(kit) for kit in endpoints.tools],
        model,
        instructions=task.instructions or None,
        verbosity_level=-1,
        **limits,
    )
    return SmolagentsInstance(agent, task)


class SmolagentsInstance:
    """A constructed agent."""

    def __init__(self, agent: Any, task: Task) -> None:
        self._agent = agent
        self._task = task

    def call(self, invocation: Invocation) -> Outcome:
        """Run the agent on the task."""
        try:
            answer = self._agent.run(self._task.text(invocation.inputs), max_steps=invocation.max_steps)
            return Outcome(status="ok", outputs=self._task.outputs(answer))
        except Exception as error:
            return failed(error)


def _tool(kit: KitTool) -> Any:
    from smolagents import Tool

    if kit.tool.is_open:
        raise ValueError("smolagents' tools declare all their inputs")

    class KitsTool(Tool):
        """One of the kit's tools as smolagents'."""

        name = kit.tool.name
        description = kit.tool.description
        inputs = _inputs(kit.tool.parameters)
        output_type = "any"
        # `forward` takes what it is given.
        skip_forward_signature_validation = True

        def forward(self, **arguments: Any) -> Any:
            return kit.run(arguments)

    return KitsTool()


def _inputs(parameters: JsonObject) -> dict[str, dict[str, Any]]:
    """JSON Schema in smolagents' form: each input has a type and a description, an optional one may be null."""
    properties, required = parameters.get("properties"), parameters.get("required")
    declared: dict[str, Any] = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    return {
        name: {"type": "any", "description": "", **schema, **({} if name in needed else {"nullable": True})}
        for name, schema in declared.items()
    }
