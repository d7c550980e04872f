"""A class that can do whatever a class can: each of its methods is reached, by the capability that follows from it."""

import json
from typing import Any

import pytest

import react_tck
from react_tck.cli.main import main
from react_tck.subjects.adapted import subject_of

STEP = ["next_thought", "next_tool_name", "next_tool_args"]


@react_tck.subject(
    "everything", version="1.0", dialects=["json"], capabilities=["trajectory", "portable-state"], default_max_steps=10
)
class Everything:
    """A loop that can be awaited, suspended, inspected, saved, and told how many steps to take."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Keep all of it."""
        self.task, self.tools, self.lm = task, {tool.name: tool for tool in tools}, lm
        self.instructions = task.instructions
        self.statuses: dict[str, str] = {}

    def call(
        self,
        inputs: dict[str, Any],
        max_steps: int | None = None,
        history: list[dict[str, Any]] | None = None,
        adapter: str | None = None,
    ) -> react_tck.Done | react_tck.Suspended:
        """From the beginning."""
        left = next(limit for limit in (max_steps, self.task.max_steps, 10) if limit is not None)
        return self.go_on({"inputs": inputs, "history": history, "adapter": adapter, "steps": [], "left": left})

    async def acall(
        self,
        inputs: dict[str, Any],
        max_steps: int | None = None,
        history: list[dict[str, Any]] | None = None,
        adapter: str | None = None,
    ) -> react_tck.Done | react_tck.Suspended:
        """The same, among others."""
        return self.call(inputs, max_steps, history, adapter)

    def resume(self, suspension: dict[str, Any], response: str) -> react_tck.Done | react_tck.Suspended:
        """What waited runs if it may."""
        wanted = suspension["tool_call"]
        self.statuses[suspension["confirmation_id"]] = "approved" if response == "yes" else "rejected"
        if response != "yes":
            raise PermissionError(f"{wanted['name']} was not confirmed")
        return self.go_on(self.step(suspension["state"], wanted["name"], wanted["args"]))

    async def aresume(self, suspension: dict[str, Any], response: str) -> react_tck.Done | react_tck.Suspended:
        """The same, among others."""
        return self.resume(suspension, response)

    def status(self, confirmation_id: str) -> str:
        """What a person said."""
        return self.statuses.get(confirmation_id, "pending")

    def describe(self) -> dict[str, Any]:
        """Its tools, and the signature."""
        named = {"inputs": [f.name for f in self.task.inputs], "outputs": [f.name for f in self.task.outputs]}
        return {"tools": {name: tool.description for name, tool in self.tools.items()}, "signatures": {"task": named}}

    def dump(self) -> dict[str, str]:
        """What may be changed of it."""
        return {"instructions": self.instructions}

    def load(self, state: dict[str, str]) -> None:
        """Take it over."""
        self.instructions = state["instructions"]

    def parse(self, text: str, fields: dict[str, Any], dialect: str = "json") -> dict[str, Any]:
        """The fields of a reply."""
        assert dialect == "json"
        values = json.loads(text)
        if not isinstance(values, dict) or not fields.keys() <= values.keys():
            raise ValueError("it is no object of these fields")
        return values

    def go_on(self, state: dict[str, Any]) -> react_tck.Done | react_tck.Suspended:
        """The loop."""
        while state["left"] > 0:
            step = self.ask(STEP, state)
            name, args = step["next_tool_name"], step["next_tool_args"]
            if name == "finish":
                break
            if self.tools[name].confirm:
                number = f"confirmation-{len(state['steps'])}"
                waiting = {"name": name, "args": args, "call_id": None}
                context = {
                    "trajectory": state["steps"],
                    "iteration": len(state["steps"]),
                    "input_args": state["inputs"],
                }
                asked = {"question": f"May {name} run with {args}?", "confirmation_id": number, "tool_call": waiting}
                return react_tck.Suspended({**asked, "context": context, "state": state})
            state = self.step(state, name, args)
        return react_tck.Done(self.ask([field.name for field in self.task.outputs], state), steps=state["steps"])

    def step(self, state: dict[str, Any], name: str, args: dict[str, Any]) -> dict[str, Any]:
        """The state after it."""
        taken = {"tool_name": name, "tool_args": args, "observation": self.tools[name].run(args)}
        return {**state, "steps": [*state["steps"], taken], "left": state["left"] - 1}

    def ask(self, fields: list[str], state: dict[str, Any]) -> dict[str, Any]:
        """The LM's answer."""
        listed = "\n".join(f"{number}. `{name}`" for number, name in enumerate(fields, 1))
        described = json.dumps([tool.schema for tool in self.tools.values()])
        system = f"{self.instructions}\nTools: {described}\nYour output fields are:\n{listed}\nAnswer in JSON."
        messages = [{"role": "system", "content": system}, {"role": "user", "content": json.dumps(state)}]
        return dict(json.loads(self.lm.chat(messages).text))


def test_capabilities_follow_from_what_is_defined() -> None:
    assert subject_of(Everything).initialize().capabilities == (
        *("arrow-signature", "history", "global-adapter", "call-max-steps", "async", "trajectory", "parse"),
        *("model-args", "live-results", "confirmation", "portable-state", "inspection", "save-load"),
    )


def test_a_history_that_calls_return_is_none_of_the_signatures() -> None:
    class Transcript(Everything):
        """Its history is its state."""

    made = react_tck.subject("transcript", version="1", dialects=["native"], capabilities=["transcript"])(Transcript)
    assert "history" not in subject_of(made).initialize().capabilities


def test_each_of_them_is_reached(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", "python:tests.api.test_capabilities:Everything"])
    said = capsys.readouterr().out

    assert status == 0, said
    assert "not tried here: model-args, live-results, portable-state; " in said
    assert "all 30 checks passed" in said


def test_a_suspended_call_goes_on_as_the_scenarios_have_it() -> None:
    report = react_tck.run(Everything, "confirmation", tags="@CNF-001 or @CNF-015")
    tested = [each for each in report.requirements if each.id in ("CNF-001", "CNF-015")]
    rows = {row.title: row for each in tested for row in each.scenarios}

    for title in (
        "The agent suspends the call of a tool that requires confirmation",
        "The context of a second suspension has the steps before the first, too",
        "Every call of the tool waits after one was agreed to asynchronously",
    ):
        assert rows[title].verdict is react_tck.Verdict.PASSED, rows[title].message
