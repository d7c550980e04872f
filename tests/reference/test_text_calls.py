"""Calls as the LM writes them in text: read where `dspy.ReActV2` reads what is meant, refused where it would guess."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy
from dspy.utils import DummyLM

from react_tck.reference import TranscriptReAct

THOUGHT = {"next_thought": "hm"}
X = {"path": "/x"}
SUBMIT = [{"name": "submit", "args": {"answer": "5"}}]
ADAPTERS = {"chat": dspy.ChatAdapter, "json": dspy.JSONAdapter, "xml": dspy.XMLAdapter}


#: What it runs with args left out, or with the first of two, and we refuse; what is said of it is in the second place.
REFUSED: dict[str, tuple[Any, str]] = {
    "arg": ({"tool_calls": [{"name": "wipe", "arg": X}]}, "'arg'"),
    "input": ({"tool_calls": [{"name": "wipe", "input": X}]}, "'input'"),
    "parameters": ({"tool_calls": [{"name": "wipe", "args": {}, "parameters": X}]}, "'parameters'"),
    "flat": ({"tool_calls": [{"name": "wipe", "path": "/x"}]}, "'path'"),
    "both": ({"tool_calls": [{"name": "wipe", "args": {}, "arguments": X}]}, "'arguments'"),
    "outside": ({"tool_calls": [{"name": "wipe"}], "args": X}, "'args'"),
    "function-parameters": ({"tool_calls": [{"function": {"name": "wipe", "parameters": X}}]}, "'parameters'"),
    "beside-the-function": ({"tool_calls": [{"function": {"name": "wipe"}, "input": X}]}, "'input'"),
    "list-of-args": ({"tool_calls": [{"name": "wipe", "args": ["/x"]}]}, "no JSON object"),
}


def _said(adapter: type[dspy.Adapter], written: Any, react: Callable[..., Any], **options: Any) -> tuple[Any, ...]:
    """What a tool was run with when the LM wrote this, and the prompt after it."""
    runs: list[str] = []

    def wipe(path: str = "/") -> str:
        """Wipes what is there."""
        runs.append(path)
        return "wiped"

    # In chat and XML a reply that can't be read is asked for once more, in JSON.
    replies = [{**THOUGHT, "tool_calls": written}] * 2 + [{**THOUGHT, "tool_calls": SUBMIT}] * 2
    lm = DummyLM(replies, adapter=adapter())
    with dspy.context(lm=lm, adapter=adapter()):
        prediction = react("question -> answer", [wipe], **options)(question="Clean up.", max_iters=3)
    return runs, str(lm.history[-1]["messages"]), prediction


def test_a_call_whose_args_would_be_lost_is_refused(subtests: pytest.Subtests) -> None:
    for adapter, (written, told) in product(ADAPTERS.values(), REFUSED.values()):
        with subtests.test(adapter=adapter, written=written, told=told):
            theirs, _, _ = _said(adapter, written, dspy.ReActV2)
            ours, prompt, _ = _said(adapter, written, TranscriptReAct)
            assert theirs[0] == "/", "the original runs it with the default"
            assert ours == []
            assert told.replace("'", "\\'") in prompt or told in prompt
