"""Clients of the Node world, unmodified, with the scripted LM: openai and Vercel's `ai`."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_tck.fakes.server import CuedEndpoint, LaneServer
from tests.support.node import node_modules

QUESTION = "What is 2+3?"
_BEGIN = """
const folder = process.argv[1], way = process.argv[2], prompt = process.argv[3];
const add = ({ a, b }) => a + b;
const parameters = { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } } };
"""
_OPENAI = """
const { default: OpenAI } = await import(folder + "/openai/index.mjs");
const client = new OpenAI();
const messages = [{ role: "user", content: prompt }];
const named = { name: "add", description: "Adds.", parameters };
const ways = {
  json: () => client.chat.completions.runTools({
    model: "m", messages, tools: [{ type: "function", function: { ...named, parse: JSON.parse, function: add } }],
  }).finalContent(),
  stream: () => client.chat.completions.runTools({
    model: "m", messages, stream: true,
    tools: [{ type: "function", function: { ...named, parse: JSON.parse, function: add } }],
  }).finalContent(),
  responses: async () => {
    const tools = [{ type: "function", ...named, strict: false }];
    const first = await client.responses.create({ model: "m", input: prompt, tools });
    const [call] = first.output;
    const output = String(add(JSON.parse(call.arguments)));
    const input = [{ type: "function_call_output", call_id: call.call_id, output }];
    const done = await client.responses.create({ model: "m", input, tools, previous_response_id: first.id });
    return done.output_text;
  },
};
console.log(JSON.stringify(await ways[way]()));
"""
_AI = """
const { generateText, streamText, stepCountIs, tool, jsonSchema } = await import(folder + "/ai/dist/index.mjs");
const { createOpenAI } = await import(folder + "/@ai-sdk/openai/dist/index.mjs");
const openai = createOpenAI();
const tools = { add: tool({ description: "Adds.", inputSchema: jsonSchema(parameters), execute: add }) };
const asked = (model) => ({ model, prompt, tools, stopWhen: stepCountIs(5) });
const ways = {
  json: async () => (await generateText(asked(openai.chat("m")))).text,
  stream: async () => await streamText(asked(openai.chat("m"))).text,
  responses: async () => (await generateText(asked(openai.responses("m")))).text,
};
console.log(JSON.stringify(await ways[way]()));
"""


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


@pytest.fixture(scope="module", name="modules")
def _modules() -> Path:
    return node_modules()


@pytest.mark.parametrize("way", ["json", "stream", "responses"])
@pytest.mark.parametrize("program", [_OPENAI, _AI], ids=["openai", "ai"])
def test_a_client_runs_the_tool_and_ends(server: LaneServer, modules: Path, program: str, way: str) -> None:
    lm = CuedEndpoint(server).calls("add", a=2, b=3).usage(1200, 34).says("It is 5.")

    command = ["node", "--input-type=module", "-e", _BEGIN + program, str(modules), way, QUESTION]
    environment = {**os.environ, **lm.environment}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == "It is 5."
    assert lm.complaints == ()
    assert [request.messages[-1].content for request in lm.requests] == [QUESTION, "5"]
    assert [offer.name for offer in lm.requests[0].tools] == ["add"]
