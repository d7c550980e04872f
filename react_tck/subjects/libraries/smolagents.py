"""The real `smolagents.ToolCallingAgent` as a subject, connected as a user would connect it."""

from importlib.metadata import version
from inspect import signature
from typing import Any

import react_tck
from react_tck.subjects.libraries.deviations import DEVIATIONS

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
    "lm-fault": "retries 2, then error",
    "steps-exhausted": "extract",
    "extraction": "predict",
    "max-steps-default": "20",
    "fallback": "extract",
    "integer-range": "any",
}


@react_tck.subject(
    "smolagents.ToolCallingAgent",
    version=version("smolagents"),
    homepage="https://github.com/huggingface/smolagents",
    dialects=["native"],
    # It takes a text and gives whatever `final_answer` was called with; its steps have clock times in them.
    capabilities=["opaque-results", "tool-interruptions", "parallel-tool-calls"],
    choices=_CHOICES,
    deviations=DEVIATIONS["smolagents"],
    default_max_steps=20,
    answer_tool="final_answer",
)
class Smolagents:
    """An agent of smolagents'; what it is told is this class's wording."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create the agent for the task, with the kit's tools and LM."""
        from openai import DEFAULT_MAX_RETRIES
        from smolagents import OpenAIModel, ToolCallingAgent

        task.check()
        self._task = task
        self._agent = ToolCallingAgent(
            [_make_tool(tool) for tool in tools],
            OpenAIModel(lm.model, client=lm.client().with_options(max_retries=DEFAULT_MAX_RETRIES), retry=False),
            instructions=task.instructions or None,
            verbosity_level=-1,
            **({} if task.max_steps is None else {"max_steps": task.max_steps}),
        )

    def call(self, inputs: dict[str, Any], max_steps: int | None = None) -> react_tck.Done:
        """Run it on the task."""
        return react_tck.Done(self._task.answer(self._agent.run(self._task.text(inputs), max_steps=max_steps)))


def _make_tool(tool: react_tck.TaskTool) -> Any:
    from smolagents import Tool

    if tool.parameters.get("additionalProperties"):
        raise ValueError("smolagents' tools declare all their inputs")
    parameters = signature(tool.function)

    class KitsTool(Tool):
        """One of the kit's tools as smolagents'."""

        name = tool.name
        description = tool.description
        inputs = _make_inputs(tool.parameters)
        output_type = "any"
        # `forward` tells smolagents nothing of its parameters.
        skip_forward_signature_validation = True

        @staticmethod
        def forward(*args: Any, **arguments: Any) -> Any:
            # It has the parameters that a user's would have: smolagents gives the only one by its place.
            return tool.run(parameters.bind(*args, **arguments).arguments)

    return KitsTool()


def _make_inputs(parameters: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """JSON Schema in smolagents' form: each input has a type and a description, an optional one may be null."""
    declared, needed = parameters.get("properties", {}), parameters.get("required", [])
    return {
        name: {"type": "any", "description": "", **schema, **({} if name in needed else {"nullable": True})}
        for name, schema in declared.items()
    }
