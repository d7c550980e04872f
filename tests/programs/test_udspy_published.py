"""udspy's own example programs, unchanged, over its own client: which of them run, with the original and with ours.

They aren't ours to copy. A source distribution of udspy, of the version that constraints.txt names, has them in
`examples`: name that folder in `REACT_TCK_UDSPY_EXAMPLES`.
"""

import contextlib
import io
import json
import os
import re
import runpy
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("udspy")
pytest.importorskip("dspy")

import httpx
import udspy

from react_tck.model.intent import CallTool, Finish, Move
from react_tck.model.lm import Ask, LMRequest, Message
from react_tck.reference import UdspyReAct
from tests.programs.stage import Heard, answers
from tests.programs.table import read_table

FOLDER = "REACT_TCK_UDSPY_EXAMPLES"
#: What the LM calls for a question that has these words in it.
_CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "how many letters": [("search", {"query": "python"}), ("calculator", {"expression": "3 + 3"})],
    "Tell me about it": [("user_clarification", {"question": "About what?"})],
    "elete ": [("search", {"query": "file management"}), ("delete_file", {"path": "old.txt"})],
    "calculate 2 + 2": [("search", {"query": "react"}), ("calculator", {"expression": "2 + 2"})],
    "Tokyo population": [("search", {"query": "tokyo"}), ("calculator", {"expression": "37 / 1000"})],
    "sqrt(42)": [("calculator", {"expression": "sqrt(42)"})],
    "15.7": [("load_calculator", {}), ("calculator", {"expression": "15.7 * 834"})],
    "(25 + 75)": [("load_calculator", {}), ("calculator", {"expression": "(25 + 75) / 4"})],
    "weather in Tokyo": [("load_tools", {"category": "weather"}), ("get_weather", {"location": "Tokyo"})],
    "weather in London": [("load_tools", {"category": "weather"}), ("get_weather", {"location": "London"})],
    "Eiffel": [("load_tools", {"category": "all"}), ("search_web", {"query": "Eiffel Tower"})],
    "Seattle": [("load_tools", {"category": "weather"}), ("get_weather", {"location": "Seattle"})],
    "invalid_category": [("load_tools", {"category": "invalid_category"})],
}


def _says(request: LMRequest, ask: Ask, seen: int) -> Move:
    if ask.phase != "step":
        return answers(request, ask)
    asked = request.messages[-1].content or ""
    calls = next((calls for words, calls in _CALLS.items() if words in asked), [])
    if seen >= len(calls):
        return Finish(thought="That is all.")
    name, args = calls[seen]
    return CallTool(tool=name, args=args, thought="Go on.")


def _answer_over_http(heard: Heard, request: httpx.Request) -> httpx.Response:
    """The LM's reply as OpenAI's API gives it, in pieces if that is asked for."""
    body = json.loads(request.content)
    said = (Message(role=message["role"], content=message["content"]) for message in body["messages"])
    content = heard.complete(LMRequest(messages=tuple(said))).content or ""
    head = {"id": "1", "created": 0, "model": "heard"}
    if not body.get("stream"):
        choices = [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}]
        return httpx.Response(200, json={**head, "object": "chat.completion", "choices": choices})
    deltas = [{"content": piece} for piece in re.findall(r"(?s).{1,9}", content)]
    events = [
        {**head, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in deltas
    ]
    text = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the examples are; each is run with a client of its own, whose requests the LM of the stage answers."""
    if FOLDER not in os.environ:
        pytest.skip(f"{FOLDER} names no folder")

    async def answer(_: Any, request: httpx.Request) -> httpx.Response:
        return _answer_over_http(Heard(_says), request)

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", answer)
    monkeypatch.setattr(udspy.settings, "_lm", None)
    # The examples name `UDSPY_LM_MODEL`; 0.1.8 reads this.
    monkeypatch.setenv("USDPY_LM_MODEL", "heard")
    monkeypatch.setenv("UDSPY_LM_API_KEY", "none")
    return Path(os.environ[FOLDER])


def _run_example(path: Path, agent: type[Any]) -> tuple[str, str | None]:
    """What it prints, and the type of the error that it ends with, if it does."""
    printed = io.StringIO()
    theirs, udspy.ReAct = udspy.ReAct, agent
    try:
        with contextlib.redirect_stdout(printed):
            copy_context().run(runpy.run_path, str(path), run_name="__main__")
    except Exception as error:
        return printed.getvalue(), type(error).__name__
    finally:
        udspy.ReAct = theirs
    return printed.getvalue(), None


def test_each_that_has_an_agent_runs_as_docs_say(folder: Path) -> None:
    rows = {what.strip("`"): (verdict, why) for what, verdict, why in read_table("DROP_IN.md", "udspy/examples")}
    paths = {path.name: path for path in folder.glob("*.py") if "ReAct(" in path.read_text(encoding="utf-8")}
    assert rows.keys() == paths.keys()
    # By the name of the original, for one of them prints it.
    ours = type("ReAct", (UdspyReAct,), {})
    for name, (verdict, why) in rows.items():
        printed, error = _run_example(paths[name], udspy.ReAct)
        made = _run_example(paths[name], ours)
        assert made[1] is None, f"{name} with ours: {made}"
        if verdict == "same":
            assert (printed, error) == made, name
        else:
            assert error is not None, f"{name} runs with the original"
            assert f"`{error}`" in why, name


def test_docs_have_a_verdict_on_each() -> None:
    rows = read_table("DROP_IN.md", "udspy/examples")
    assert {verdict for _, verdict, _ in rows} == {"same", "different"}
    assert all(why for _, verdict, why in rows if verdict == "different")
