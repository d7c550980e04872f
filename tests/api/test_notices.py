"""What a library says of its runs besides their answers: to its callbacks, and of why it stopped."""

from collections.abc import Sequence
from typing import Any

import pytest

import react_tck
from react_tck.adapter.results import make_outcome
from react_tck.model.lm import Completion, LMRequest
from react_tck.subjects.adapted import make_lm
from tests.api.test_capabilities import Everything


@react_tck.subject("telling", version="1.0", dialects=["json"], capabilities=["trajectory"], default_max_steps=10)
class Telling(Everything):
    """Tells callbacks of runs and readings."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Nothing has happened yet."""
        super().build(task, tools, lm)
        self.notices: list[react_tck.Notice] = []

    def step(self, state: dict[str, Any], name: str, args: dict[str, Any]) -> dict[str, Any]:
        """A run."""
        try:
            return super().step(state, name, args)
        finally:
            self.notices.append(react_tck.Notice("tool", name))

    def ask(self, fields: list[str], state: dict[str, Any]) -> dict[str, Any]:
        """A reading."""
        try:
            return super().ask(fields, state)
        finally:
            self.notices.append(react_tck.Notice("reading", "json"))

    def heard(self) -> Sequence[react_tck.Notice]:
        """What the task asks for."""
        return self.notices if self.task.callbacks else []


@react_tck.subject("deaf", version="1.0", dialects=["json"], capabilities=["trajectory"], default_max_steps=10)
class Deaf(Telling):
    """Tells of nothing."""

    def heard(self) -> Sequence[react_tck.Notice]:
        """Nothing."""
        return ()


@react_tck.subject("muttering", version="1.0", dialects=["json"], capabilities=["trajectory"], default_max_steps=10)
class Muttering(Telling):
    """Tells of it in words of its own."""

    def heard(self) -> Any:
        """A text."""
        return ["add ran"]


@pytest.mark.parametrize(
    ("subject", "verdict"),
    [
        (Telling, react_tck.Verdict.PASSED),
        (Deaf, react_tck.Verdict.FAILED),
        (Muttering, react_tck.Verdict.ERROR),
    ],
)
def test_what_callbacks_hear_is_judged(subject: type, verdict: react_tck.Verdict) -> None:
    report = react_tck.run(subject, profile="all", tags="@OBS-001", title="callbacks hear of a tool that raises")
    row = next(
        row
        for each in report.requirements
        for row in each.scenarios
        if each.id == "OBS-001" and row.verdict not in (react_tck.Verdict.NOT_SELECTED, react_tck.Verdict.UNSUPPORTED)
    )
    assert row.verdict is verdict, row.message
    wanted = "Muttering.heard returned ['add ran']; return a list of react_tck.Notice"
    assert (wanted in row.message) == (subject is Muttering)


def test_why_it_stopped_is_its_own_word() -> None:
    assert make_outcome(react_tck.Done({}, termination="max_iters"), "Mine.call")["termination"] == "max_iters"


def test_a_history_is_told_as_its_messages() -> None:
    history = {"messages": [{"role": "user", "content": "2+3"}]}
    assert make_outcome(react_tck.Done({}, history=history), "Mine.call")["history"] == history["messages"]


@pytest.mark.parametrize(
    ("choice", "seen"),
    [("required", "required"), ({"type": "function", "function": {"name": "add"}}, "add"), (None, None)],
)
def test_a_choice_of_tools_arrives(choice: Any, seen: str | None) -> None:
    asked: list[LMRequest] = []

    def complete(request: LMRequest) -> Completion:
        asked.append(request)
        return Completion(content="5")

    make_lm(complete).chat([{"role": "user", "content": "2+3"}], tool_choice=choice)
    assert asked[0].tool_choice == seen


def test_a_choice_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"lm\.chat: tool_choice: "):
        make_lm(lambda _: Completion()).chat([{"role": "user", "content": "2+3"}], tool_choice=5)  # type: ignore[arg-type]
