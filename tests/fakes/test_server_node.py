"""The official Node SDK as the second oracle; it runs where node is and npm can install it."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from react_tck.fakes.lm import LMRefusal
from react_tck.fakes.server import Lane, LaneServer, Limits, Streaming, make_sizes
from react_tck.fakes.server.wire import Quirk
from tests.support.node import node_modules
from tests.support.server_checks import TWO_CALLS, Heard

_PROGRAM = """
const { default: OpenAI } = await import(process.env.SDK);
const client = new OpenAI({ baseURL: process.argv[1], apiKey: process.argv[2] });
const ask = { model: "m", messages: [{ role: "user", content: [{ type: "text", text: "2+3?" }] }] };
const plain = (m) => ({ content: m.content, calls: m.tool_calls?.map((c) => [c.function.name, c.function.arguments]) });
const answers = {
  refusal: async () => client.chat.completions.create(ask).then(String, (e) => ({ status: e.status, type: e.type })),
  both: async () => {
    const whole = await client.chat.completions.create(ask);
    const streamed = await client.chat.completions.stream({ ...ask, stream_options: { include_usage: true } })
      .finalChatCompletion();
    const models = await client.models.list();
    const response = await client.responses.create({ model: "m", input: "2+3?" });
    const items = await client.responses.stream({ model: "m", input: "2+3?" }).finalResponse();
    const item = (i) => [i.type, i.name ?? i.content[0].text, i.arguments];
    return {
      whole: plain(whole.choices[0].message), streamed: plain(streamed.choices[0].message),
      finish: [whole.choices[0].finish_reason, streamed.choices[0].finish_reason],
      models: models.data.map((m) => m.id),
      response: response.output.map(item), items: items.output.map(item),
    };
  },
};
console.log(JSON.stringify(await answers[process.argv[3]]()));
"""


@pytest.fixture(scope="module", name="sdk")
def _sdk() -> Path:
    return node_modules() / "openai/index.mjs"


def node(sdk: Path, lane: Lane, what: str) -> Any:
    command = ["node", "--input-type=module", "-e", _PROGRAM, lane.base_url, lane.api_key, what]
    run = subprocess.run(
        command, env={**os.environ, "SDK": str(sdk)}, capture_output=True, text=True, timeout=30, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("quirks", [(), ("comments", "crlf", "usage-chunk", "repeated-id")], ids=["clean", "hostile"])
def test_streamed_equals_not_streamed(sdk: Path, quirks: tuple[Quirk, ...]) -> None:
    with LaneServer(Streaming(make_sizes(1), quirks=frozenset(quirks)), Limits(write_sizes=make_sizes(2))) as server:
        lane = server.open_lane(Heard(TWO_CALLS), {})
        seen = node(sdk, lane, "both")

    calls = [[call.name, call.arguments] for call in TWO_CALLS.tool_calls]
    assert seen["whole"] == seen["streamed"] == {"content": TWO_CALLS.content, "calls": calls}
    assert seen["finish"] == ["tool_calls", "tool_calls"]
    assert seen["models"] == ["scripted"]
    assert seen["response"] == seen["items"]
    assert seen["items"][1:] == [["function_call", *call] for call in calls]
    assert lane.problems == ()


def test_refusal_is_exactly_one_request(sdk: Path) -> None:
    lm = Heard(LMRefusal("script exhausted"))

    with LaneServer() as server:
        assert node(sdk, server.open_lane(lm, {}), "refusal") == {"status": 400, "type": "react_tck_refusal"}

    assert len(lm.requests) == 1
