"""Calls as the LM writes them in text: read where `dspy.ReActV2` reads what is meant, refused where it would guess."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy
from dspy.utils import DummyLM

from react_tck.reference import TranscriptReAct
from react_tck.reference.loop import STRICT

THOUGHT = {"next_thought": "hm"}
X = {"path": "/x"}
SUBMIT = [{"name": "submit", "args": {"answer": "5"}}]
ADAPTERS = {"chat": dspy.ChatAdapter, "json": dspy.JSONAdapter, "xml": dspy.XMLAdapter}


#: What the original reads as the call that is meant.
READ = {
    "arguments": {"tool_calls": [{"name": "wipe", "arguments": X}]},
    "arguments-as-text": {"tool_calls": [{"name": "wipe", "arguments": '{"path": "/x"}'}]},
    "list": [{"name": "wipe", "args": X}],
    "list-of-arguments": [{"name": "wipe", "arguments": X}],
    "bare": {"name": "wipe", "args": X},
    "bare-arguments": {"name": "wipe", "arguments": X},
    "function": {"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "wipe", "arguments": X}}]},
    "function-as-text": [{"function": {"name": "wipe", "arguments": '{"path": "/x"}'}}],
    "bare-function": {"function": {"name": "wipe", "arguments": X}},
    "id": {"tool_calls": [{"id": "call_7", "name": "wipe", "args": X}]},
    "call-id": {"tool_calls": [{"call_id": "call_7", "name": "wipe", "args": X}]},
    "several": {"tool_calls": [{"name": "wipe", "args": X}, {"name": "wipe", "arguments": {"path": "/y"}}]},
    "no-args": {"tool_calls": [{"name": "wipe"}]},
    "null-args": {"tool_calls": [{"name": "wipe", "args": None}]},
}
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


def test_a_call_that_the_original_reads_is_read(subtests: pytest.Subtests) -> None:
    for adapter, written in product(ADAPTERS.values(), READ.values()):
        with subtests.test(adapter=adapter, written=written):
            theirs, _, _ = _said(adapter, written, dspy.ReActV2)
            ours, _, _ = _said(adapter, written, TranscriptReAct)
            assert ours == theirs
            assert ours[0] == ("/" if written in (READ["no-args"], READ["null-args"]) else "/x")


def test_a_call_whose_args_would_be_lost_is_refused(subtests: pytest.Subtests) -> None:
    for adapter, (written, told) in product(ADAPTERS.values(), REFUSED.values()):
        with subtests.test(adapter=adapter, written=written, told=told):
            theirs, _, _ = _said(adapter, written, dspy.ReActV2)
            ours, prompt, _ = _said(adapter, written, TranscriptReAct)
            assert theirs[0] == "/", "the original runs it with the default"
            assert ours == []
            assert told.replace("'", "\\'") in prompt or told in prompt


def test_strict_agents_read_the_form_that_was_asked_for_alone(subtests: pytest.Subtests) -> None:
    for form in [name for name in READ if name not in ("list", "id")]:
        with subtests.test(form=form):
            runs, _, _ = _said(dspy.JSONAdapter, READ[form], TranscriptReAct, policy=STRICT)
            assert runs == []
