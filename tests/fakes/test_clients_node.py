"""Clients of the Node world, unmodified, with the scripted LM: openai, Anthropic's and Vercel's `ai`."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
_ANTHROPIC = """
const { default: Anthropic } = await import(folder + "/@anthropic-ai/sdk/index.mjs");
const client = new Anthropic({ maxRetries: 0 });
const tools = [{ name: "add", description: "Adds.", input_schema: parameters }];
const ask = async (messages) => {
  const asked = { model: "m", max_tokens: 100, messages, tools };
  return way === "json" ? client.messages.create(asked) : client.messages.stream(asked).finalMessage();
};
const messages = [{ role: "user", content: prompt }];
const told = [];
for (;;) {
  let said;
  try {
    said = await ask(messages);
  } catch (error) {
    told.push([error.status, error.error.error.type]);
    break;
  }
  told.push(...said.content.filter((block) => block.type === "text").map((block) => block.text));
  const calls = said.content.filter((block) => block.type === "tool_use");
  if (!calls.length) break;
  const results = calls.map((c) => ({ type: "tool_result", tool_use_id: c.id, content: String(add(c.input)) }));
  messages.push({ role: "assistant", content: said.content }, { role: "user", content: results });
}
console.log(JSON.stringify(told));
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


def run_program(lm: CuedEndpoint, modules: Path, program: str, way: str) -> Any:
    """What a program prints that finds the LM in its environment."""
    command = ["node", "--input-type=module", "-e", _BEGIN + program, str(modules), way, QUESTION]
    environment = {**os.environ, **lm.environment}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.all
@pytest.mark.parametrize("way", ["json", "stream", "responses"])
@pytest.mark.parametrize("program", [_OPENAI, _AI], ids=["openai", "ai"])
def test_a_client_runs_the_tool_and_ends(server: LaneServer, modules: Path, program: str, way: str) -> None:
    lm = CuedEndpoint(server).calls("add", a=2, b=3).usage(1200, 34).says("It is 5.")

    assert run_program(lm, modules, program, way) == "It is 5."
    assert lm.complaints == ()
    assert [request.messages[-1].content for request in lm.requests] == [QUESTION, "5"]
    assert [offer.name for offer in lm.requests[0].tools] == ["add"]


@pytest.mark.all
@pytest.mark.parametrize("way", ["json", "stream"])
def test_anthropics_client_shows_the_text_beside_the_calls(server: LaneServer, modules: Path, way: str) -> None:
    calls: list[Any] = [("add", {"a": 2, "b": 3}), ("add", {"a": 4, "b": 5})]
    lm = CuedEndpoint(server).says("Let me add.", calls=calls).says("5 and 9.")

    assert run_program(lm, modules, _ANTHROPIC, way) == ["Let me add.", "5 and 9."]
    assert [message.content for message in lm.requests[1].messages] == [QUESTION, "Let me add.", "5", "9"]
    assert lm.complaints == ()


@pytest.mark.all
@pytest.mark.parametrize("way", ["json", "stream"])
def test_anthropics_client_reads_its_errors(server: LaneServer, modules: Path, way: str) -> None:
    lm = CuedEndpoint(server).fails(429)

    assert run_program(lm, modules, _ANTHROPIC, way) == [[429, "rate_limit_error"]]
