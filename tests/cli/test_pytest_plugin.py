"""The fixture `scripted_lm`, in tests like those that agent developers write."""

import json

import httpcore  # noqa: F401 - before pytester takes its snapshot: what it forgets, httpx would have twice
import pytest

from react_tck.model.lm import Exchange, Recording

pytest_plugins = ["pytester"]

_TEST = """
import httpcore  # noqa: F401 - before pytester takes its snapshot: what it forgets, httpx would have twice
import pytest
from openai import OpenAI

@pytest.mark.filterwarnings("default")
def test_agent(scripted_lm):
    lm = scripted_lm({script})
    sdk = OpenAI(base_url=lm.base_url, api_key=lm.api_key, max_retries=0)
    tools = [{{"type": "function", "function": {{"name": "add", "parameters": {{"type": "object"}}}}}}]
    for messages in {messages}:
        try:
            sdk.chat.completions.create(model="m", messages=messages, tools=tools)
        except Exception as swallowed:
            print(swallowed)
"""
_USER = [{"role": "user", "content": "2+3?"}]
_STEP = {"kind": "call", "tool": "add"}


def outcome(pytester: pytest.Pytester, script: object, messages: object) -> pytest.RunResult:
    pytester.makepyfile(_TEST.format(script=script, messages=messages))
    return pytester.runpytest_inprocess("-p", "react_tck.pytest_plugin", "-p", "no:react_tck")


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")


def test_agent_that_swallows_the_error_fails_all_the_same(pytester: pytest.Pytester) -> None:
    result = outcome(pytester, {"steps": [_STEP]}, [[{"role": "user", "content": ""}]])

    result.assert_outcomes(failed=1)
    told = "scripted_lm: protocol problem: *the user message is empty"
    result.stdout.fnmatch_lines([told, "*short test summary*", "FAILED *::test_agent - *scripted_lm: proto*"])


_FAILS = """
import httpcore  # noqa: F401 - before pytester takes its snapshot: what it forgets, httpx would have twice
import pytest
from openai import OpenAI

def ask():
    messages = [{"role": "user", "content": "2+3?"}]
    return OpenAI(max_retries=0).chat.completions.create(model="m", messages=messages)

@pytest.fixture
def lm(scripted_lm):
    return scripted_lm(environment=True)

def test_raises(lm):
    ask()

def test_is_wrong(lm):
    lm.says("5").says("6")
    assert ask().choices[0].message.content == "seven"

@pytest.mark.xfail(strict=True)
def test_is_known(lm):
    lm.says("5")

def test_is_skipped(lm):
    lm.says("5")
    pytest.skip("not today")

@pytest.fixture
def broken(lm):
    lm.says("5")
    raise ValueError("not built")

def test_is_never_called(broken):
    pass

def test_goes_round(lm):
    error, other = KeyError("a"), ValueError("b")
    error.__cause__, other.__cause__ = other, error
    pytest.raises(Exception, ask)
    raise error

@pytest.fixture
def agent(lm):
    lm.says("5")
    yield
    pytest.raises(Exception, ask)

def test_asks_when_it_is_closed(agent):
    ask()
"""


def test_a_failure_is_one_and_begins_with_the_sentence(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(_FAILS)
    result = pytester.runpytest_inprocess("-p", "react_tck.pytest_plugin", "-p", "no:react_tck", "-W", "default")

    result.assert_outcomes(failed=3, skipped=1, xfailed=1, passed=1, errors=2)
    refused = "request 1 was refused: no reply is for request 1: none is left; it is the first request"
    left = 'scripted_lm: never asked for: reply {"says":"6"}'
    result.stdout.fnmatch_lines([f"*scripted_lm: {refused}", "*def test_raises*", "E *openai.BadRequestError: *"])
    result.stdout.fnmatch_lines(["E *AssertionError: assert '5' == 'seven'", f"E *{left}"])
    result.stdout.fnmatch_lines(["ERROR *::test_asks_when_it_is_closed - *scripted_lm: request 2 was refused*"])


_SITUATION = """
import os
import httpcore  # noqa: F401 - before pytester takes its snapshot: what it forgets, httpx would have twice
import pytest
from openai import OpenAI

@pytest.mark.filterwarnings("default")
def test_agent(scripted_lm):
    lm = scripted_lm({script}, environment=True)
    for said in {said}:
        reply = OpenAI().chat.completions.create(model="m", messages={messages}).choices[0].message.content
        assert reply == said
    assert lm.requests[0].messages[0].content == "2+3?"

def test_environment_is_as_it_was():
    assert "OPENAI_BASE_URL" not in os.environ
"""


def test_agent_that_makes_its_own_client(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    pytester.makefile(".yaml", replies="replies:\n  - says: '5'\n    times: 2\n")
    pytester.makepyfile(_SITUATION.format(script="'replies.yaml'", said=["5", "5"], messages=_USER))
    done = pytester.runpytest_inprocess("-p", "react_tck.pytest_plugin", "-p", "no:react_tck")

    done.assert_outcomes(passed=2)


def test_script_that_is_none_is_told_of(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(_SITUATION.format(script="{'reply': []}", said=[], messages=_USER))
    done = pytester.runpytest_inprocess("-p", "react_tck.pytest_plugin", "-p", "no:react_tck", "-k", "agent")

    done.assert_outcomes(failed=1, deselected=1)
    done.stdout.fnmatch_lines(["*NoScript: the script has the keys ?'reply'?; a script has *; is 'replies' meant?"])


_RECORDED = """
import httpcore  # noqa: F401 - before pytester takes its snapshot: what it forgets, httpx would have twice
import pytest
from openai import OpenAI

def ask(question):
    asked = [{"role": "user", "content": question}]
    return OpenAI(max_retries=0).chat.completions.create(model="m", messages=asked).choices[0].message.content

@pytest.mark.filterwarnings("default")
def test_what_was_recorded(scripted_lm):
    lm = scripted_lm("said.json", environment=True)
    assert [ask("2+3?"), ask("2+3?")] == ["5", "5"]
    lm.assert_asked("2+3?")
    assert b"2+3?" in lm.bodies[0]

@pytest.mark.filterwarnings("default")
def test_what_was_not_recorded(scripted_lm):
    scripted_lm("said.json", environment=True)
    with pytest.raises(Exception):
        ask("1+1?")
"""


def test_what_was_recorded_is_said_again(pytester: pytest.Pytester) -> None:
    message = {"role": "assistant", "content": "5"}
    reply = {
        **{"id": "1", "object": "chat.completion", "created": 0, "model": "m"},
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }
    exchange = Exchange(
        method="POST",
        path="/chat/completions",
        request={"model": "m", "messages": [{"role": "user", "content": "2+3?"}]},
        status=200,
        content_type="application/json",
        reply=json.dumps(reply),
    )
    pytester.makefile(".json", said=Recording(exchanges=(exchange,)).model_dump_json())
    pytester.makepyfile(_RECORDED)
    done = pytester.runpytest_inprocess("-p", "react_tck.pytest_plugin", "-p", "no:react_tck")

    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(['*of exchange 1, which is nearest, messages?0?.content is "2+3?", not "1+1?"'])
