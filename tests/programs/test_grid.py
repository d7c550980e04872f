"""What happens in a run, crossed with how the agent is called: what comes of it is the same with both classes, part by
part, or a row of docs/DROP_IN.md names it: `grid_unknown_tool`, or `grid_failing_tool_results` of one part.
"""

import asyncio
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any

import pytest

pytest.importorskip("dspy")
pytest.importorskip("udspy")
pytest.importorskip("dspy_react_machina")

import dspy
import udspy
from dspy_react_machina import ReActMachina
from tenacity import wait_none

from react_tck.adapter.lm import LMFault
from react_tck.model.intent import Calls, CallTool, Finish, Submit
from react_tck.model.lm import Ask, Completion, LMRequest
from react_tck.reference import ConversationReAct, Policy, ReAct, TranscriptReAct, UdspyReAct
from tests.false_positives.policies import sample_pairs
from tests.programs.adding import SUM, add
from tests.programs.stage import Heard, Mind, answers, heard
from tests.programs.table import list_verdicts
from tests.programs.test_udspy import UdspyLM

#: What happens, and in which way the agent is called.
Cell = Mapping[str, Any]

_ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="add them")
_PROSE, _FAULT = Completion(content="I don't know."), LMFault("context-window")
#: What the LM says when it is asked for its second step, or for the answer.
_STEPS: dict[str, Any] = {
    "prose": _PROSE,
    "nothing": Completion(content=""),
    "several calls": Calls(calls=(_ADD, _ADD)),
    "unknown tool": CallTool(tool="divide", args={"a": 1}),
    "arg left out": CallTool(tool="add", args={"a": 1}),
    "failing tool": CallTool(tool="fail"),
    "another step": _ADD,
    "overflow": _FAULT,
}
_SUBMITS: dict[str, Any] = {"call behind submit": Calls(calls=(CallTool(tool="submit", args={"answer": "5"}), _ADD))}
_ANSWERS: dict[str, Any] = {"prose for an answer": _PROSE, "overflow in the answer": _FAULT}
_ANYHOW = {"mode": ("sync", "async"), "follow-up": (False, True)}
_REPLACED = {"predictor": ("own", "replaced")}
#: The classes, by what their LM ends with, and in which ways they are called.
_CLASSES: dict[str, tuple[Any, Any, Any, dict[str, Any]]] = {
    "ReAct": (dspy.ReAct, ReAct, Finish(thought="done"), _ANYHOW | _REPLACED),
    "TranscriptReAct": (
        *(dspy.ReActV2, TranscriptReAct, Submit(outputs={"answer": "5"}, thought="done")),
        _ANYHOW | _REPLACED | {"calls": ("text", "native")},
    ),
    "ConversationReAct": (ReActMachina, ConversationReAct, Finish(thought="done"), _ANYHOW),
    "UdspyReAct": (
        *(udspy.ReAct, partial(UdspyReAct, policy=Policy(trajectory_format="list")), Finish(thought="done")),
        _ANYHOW,
    ),
}


def fail() -> None:
    """Fails."""
    raise TimeoutError("no line")


class _Delegate(dspy.Module):  # type: ignore[misc]  # dspy has no types
    """Takes a predictor's place, and asks it."""

    def __init__(self, predictor: Any) -> None:
        super().__init__()
        self.predictor = predictor

    def forward(self, **inputs: Any) -> Any:
        """Ask it."""
        return self.predictor(**inputs)

    async def aforward(self, **inputs: Any) -> Any:
        """Ask it."""
        return await self.predictor.acall(**inputs)


def _make_mind(cell: Cell, done: Any) -> Mind:
    """One call of `add`, then the trouble, once or from then on; then the end."""
    asked = {"step": count(), "extraction": count(1)}
    trouble, _, how_often = cell["trouble"].rpartition(" ")

    def mind(request: LMRequest, ask: Ask, _: int) -> Any:
        n = next(asked[ask.phase])
        is_answer = ask.phase == "extraction" and isinstance(done, Finish)
        said = (_ANSWERS if is_answer else _STEPS | _SUBMITS).get(trouble)
        if said is None or n == 0 or (n > 1 and how_often == "once"):
            return answers(request, ask) if is_answer else done if n else _ADD
        if isinstance(said, Exception):
            raise said
        return said

    return mind


def _play(name: str, agent: Any, cell: Cell) -> dict[str, Any]:
    """The parts of what comes of a cell."""
    mind, is_native = _make_mind(cell, _CLASSES[name][2]), cell.get("calls") == "native"
    if name == "UdspyReAct":
        asked = Heard(mind)
        with udspy.settings.context(lm=UdspyLM(asked)):
            return {**_call(agent(SUM, tools=[add, fail], max_iters=4), cell), "asked": asked.asked}
    adapter = dspy.ChatAdapter(use_native_function_calling=is_native)
    with heard(mind, native=is_native) as asked, dspy.context(adapter=adapter):
        program = agent(SUM, [add, fail], 4)
        if cell.get("predictor") == "replaced":
            program.react = _Delegate(program.react)
        return {**_call(program, cell), "asked": asked.asked}


def _call(program: Any, cell: Cell) -> dict[str, Any]:
    def call(**inputs: Any) -> Any:
        if cell["mode"] == "sync":
            return program(**inputs)
        return asyncio.run(getattr(program, "acall", program.aforward)(**inputs))

    try:
        made = call(question="2+3?")
        if cell["follow-up"]:
            made = call(question="And again?", **({"history": made.history} if "history" in made else {}))
        end = made.get("answer"), made.get("termination_reason")
    except Exception as error:
        cause = type(error.__cause__).__name__
        return {"end": type(error).__name__, "cause": cause, "told": str(_FAULT) in str(error)}
    return {"end": end, **dict(_read(made))}


def _read(made: Any) -> Iterator[tuple[str, Any]]:
    """What the trajectory says of each step, or the history of each call."""
    if "trajectory" in made:
        yield "results", made.trajectory
        return
    turns = [turn["tool_calls"] for turn in made.history.messages if turn.get("tool_calls")]
    yield "ids", [[call.id for call in turn.tool_calls] for turn in turns]
    results = [turn.tool_call_results.tool_call_results if turn.tool_call_results else [] for turn in turns]
    yield "results", [[(each.name, each.value, each.is_error) for each in turn] for turn in results]


def _list_parts(name: str) -> Iterator[tuple[set[str], Any, Any]]:
    """Each part of each cell of a sample, by the names that it may have in a row, as both classes have it."""
    theirs, ours, done, how = _CLASSES[name]
    known = [*_STEPS, *(_SUBMITS if isinstance(done, Submit) else _ANSWERS)]
    if name == "UdspyReAct":
        known = [trouble for trouble in known if "overflow" not in trouble]  # udspy has no error for it
    troubles = ("none once", *(f"{trouble} {how_often}" for trouble in known for how_often in ("once", "always")))
    for cell in sample_pairs({"trouble": troubles, **how}):
        came, comes = (_play(name, agent, cell) for agent in (theirs, ours))
        kind, whole = (
            f"grid_{told}".replace(" ", "_") for told in (cell["trouble"].rpartition(" ")[0], cell["trouble"])
        )
        for part in {**came, **comes}:
            yield {kind, whole, f"{kind}_{part}", f"{whole}_{part}", f"grid_{part}"}, came.get(part), comes.get(part)


def test_what_differs_is_a_row(subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(udspy.Predict._aforward.retry, "wait", wait_none())
    for name in _CLASSES:
        with subtests.test(name=name):
            verdicts, parts = list_verdicts(name, of_grid=True), [*_list_parts(name)]
            different = [part for part in parts if part[1] != part[2]]
            assert [part for part in different if not part[0] & verdicts.keys()] == []
            found, known = (set[str]().union(*(part[0] for part in each)) for each in (different, parts))
            assert {cell: "different" if cell in found else "same" for cell in verdicts.keys() & known} == verdicts
