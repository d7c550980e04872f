"""Qwen-Agent's `FnCallAgent`: `react-tck run --python PYTHON python:examples.frameworks.qwen_chat:Qwen`.

PYTHON's environment has `qwen-agent`, what it forgets to ask for (`numpy`, `soundfile`, `python-dateutil`, `tqdm`), and
nothing of the kit.
"""

from importlib.metadata import version
from typing import Any

from qwen_agent.agents import FnCallAgent, fncall_agent
from qwen_agent.tools.base import BaseTool

import react_tck

#: Requests of a run, unless `QWEN_AGENT_MAX_LLM_CALL_PER_RUN` is set in the environment.
_DEFAULT_STEPS = 20


@react_tck.subject(
    "Qwen-Agent FnCallAgent",
    version=version("qwen-agent"),
    homepage="https://github.com/QwenLM/Qwen-Agent",
    dialects=["native"],
    capabilities=["parallel-tool-calls"],
    default_max_steps=_DEFAULT_STEPS,
    deviations={
        "The limit is set before each call: users set one a process, in its environment.": [],
        "generate_cfg: use_raw_api: of another server than DashScope tools are by default written into the prompt.": [],
    },
)
class Qwen:
    """An agent of Qwen-Agent's; what it is told is this class's wording."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Create it for the task."""
        task.check()
        self._task = task
        self._agent = FnCallAgent(
            [_make_tool(tool) for tool in tools],
            {
                "model": lm.model,
                "model_type": "oai",
                "model_server": lm.base_url,
                "api_key": lm.api_key,
                "generate_cfg": {"use_raw_api": True},
            },
            system_message=task.instructions or None,
        )

    def call(self, inputs: dict[str, Any]) -> react_tck.Done | react_tck.Exhausted:
        """Run it to its last message."""
        fncall_agent.MAX_LLM_CALL_PER_RUN = _DEFAULT_STEPS if self._task.max_steps is None else self._task.max_steps
        messages = self._agent.run_nonstream([{"role": "user", "content": self._task.text(inputs)}])
        # It ends with what a tool returned, or with nothing, where its requests have run out.
        if not messages or messages[-1]["role"] != "assistant":
            return react_tck.Exhausted(message="the requests have run out")
        return react_tck.Done(self._task.answer(messages[-1]["content"]))


def _make_tool(tool: react_tck.TaskTool) -> BaseTool:
    class KitsTool(BaseTool):
        """One of the kit's tools as Qwen-Agent's."""

        name = tool.name
        description = tool.description
        parameters = {"required": [], **tool.parameters}

        def call(self, params: str | dict[str, Any], **_: Any) -> Any:
            return tool.run(self._verify_json_format_args(params))

    return KitsTool()
