"""The fixture `scripted_lm`, in tests like those that agent developers write."""

import httpcore  # noqa: F401 - before pytester takes its snapshot: what it forgets, httpx would have twice
import pytest

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


def test_script_that_is_used_up_passes(pytester: pytest.Pytester) -> None:
    outcome(pytester, {"steps": [_STEP]}, [_USER]).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("script", "messages", "complaint"),
    [
        ({"steps": []}, [_USER], "*request 1 was refused: *"),
        ({"steps": [_STEP, _STEP]}, [_USER], '*never asked for: call {"tool":"add"}'),
        ({"steps": [_STEP]}, [[{"role": "user", "content": ""}]], "*protocol problem: *the user message is empty"),
    ],
)
def test_agent_that_swallows_the_error_fails_all_the_same(
    pytester: pytest.Pytester, script: object, messages: object, complaint: str
) -> None:
    result = outcome(pytester, script, messages)

    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["scripted_lm:", complaint])
