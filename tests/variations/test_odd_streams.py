"""An agent that reads streams as OpenAI sends them fails under `odd streams`; one that heeds every sign doesn't."""

import json
from typing import Any

import pytest

import react_tck
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.fakes.strategies.cases import Reach
from react_tck.fakes.strategies.episodes import episodes
from react_tck.fuzz.engine import generate_examples
from react_tck.model.episode import Episode
from react_tck.model.intent import Calls
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import resolve

ROW = "The agent runs all the calls of one native reply, each once with its own args {odd streams}"


DECLARED = react_tck.subject(
    "streams",
    version="1",
    dialects=["native"],
    capabilities=["parallel-tool-calls", "streaming"],
    default_max_steps=10,
    choices={"unknown-tool": "observe and continue", "tool-error": "observe"},
)


@DECLARED
class Streams:
    """A loop over native calls, each reply of which is streamed."""

    heeds_ids = True

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        task.check()
        self._task, self._tools = task, {tool.name: tool for tool in tools}
        self._sdk: Any = lm.client()
        self._offers = tools.as_schemas()

    def call(self, inputs: dict[str, Any]) -> react_tck.Done | react_tck.Exhausted:
        messages: list[Any] = [{"role": "user", "content": self._task.text(inputs)}]
        for _ in range(10 if self._task.max_steps is None else self._task.max_steps):
            text, calls = self._read(messages)
            if not calls:
                return react_tck.Done(self._task.answer(text if self._task.is_text else json.loads(text)))
            said = [{"id": each["id"], "type": "function", "function": each["function"]} for each in calls]
            messages.append({"role": "assistant", "content": text or None, "tool_calls": said})
            for each in calls:
                shown = self._run(**each["function"])
                messages.append({"role": "tool", "tool_call_id": each["id"], "content": shown})
        return react_tck.Exhausted()

    def _run(self, name: str, arguments: str) -> str:
        try:
            return json.dumps(self._tools[name].run(json.loads(arguments)))
        except Exception as wrong:
            return f"{name} failed: {wrong}"

    def _read(self, messages: list[Any]) -> tuple[str, list[dict[str, Any]]]:
        asked = self._sdk.chat.completions.create(model="any", messages=messages, tools=self._offers, stream=True)
        text, calls, keys, last = "", dict[Any, dict[str, Any]](), dict[Any, Any](), None
        for chunk in asked:
            for choice in chunk.choices:
                text += choice.delta.content or ""
                for delta in choice.delta.tool_calls or ():
                    key = delta.index
                    if self.heeds_ids:
                        key = delta.id or keys.get(delta.index, last)
                    keys[delta.index] = last = key
                    whole = calls.setdefault(key, {"id": delta.id, "function": {"name": "", "arguments": ""}})
                    whole["function"]["name"] += delta.function.name or ""
                    whole["function"]["arguments"] += delta.function.arguments or ""
        return text, list(calls.values())


@DECLARED
class StreamsByIndex(Streams):
    """The same, which tells calls apart by their indexes alone."""

    heeds_ids = False


def test_the_fuzzer_asks_a_native_agent_for_several_calls_at_once() -> None:
    seen: list[Episode] = []
    manifest = resolve(f"python:{Streams.__module__}:Streams").initialize()
    generate_examples(episodes(Reach.of(manifest)), 0, 60, seen.append)
    assert any(isinstance(step, Calls) for episode in seen for step in episode.script.steps)


@pytest.mark.parametrize(("agent", "failed"), [(Streams, 0), (StreamsByIndex, 1)])
def test_who_tells_calls_apart_by_index_alone_fails_in_odd_streams(agent: type[Streams], failed: int) -> None:
    name = f"python:{agent.__module__}:{agent.__name__}"
    report = Run(resolve(name), name, Selection("all", title=ROW, vary="all")).report(Unheard())
    assert (report.ledger.passed, report.ledger.failed) == (2 - failed, failed)
