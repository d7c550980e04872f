// Connects langchain's createAgent, which runs on langgraph, to react-tck: JSON-RPC on stdin and stdout (docs/PROTOCOL.md).
import { createRequire } from "node:module";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, modelCallLimitMiddleware, tool, toolStrategy } from "langchain";

// In milliseconds: shorter than the kit waits for a call, so that an LM that never answers is this program's error.
const TIMEOUT = 10_000;
// By default langgraph runs 25 nodes of the graph: the model is one, the tools are another, so the model runs 13 times.
const MAX_STEPS = 13;
// With a limit of model calls there are a node before and one after the model, and the last of them says that it is reached.
const NODES_PER_STEP = 4;

const versionOf = (name) => createRequire(import.meta.url)(`${name}/package.json`).version;

// The tool that takes the answer, which langchain makes of the schema with this title.
const ANSWER_TOOL = "final_answer";

// It steps by native tool calls, of which the last holds the answer.
const MANIFEST = {
  name: "langchain.js createAgent",
  version: `${versionOf("langchain")} (langgraph ${versionOf("@langchain/langgraph")})`,
  language: "typescript",
  homepage: "https://docs.langchain.com/oss/javascript/langgraph/overview",
  dialects: ["native"],
  default_dialect: "native",
  answer_tool: ANSWER_TOOL,
  capabilities: ["value-signature", "typed-fields", "nested-fields", "call-max-steps", "concurrent-calls",
    "parallel-tool-calls", "trajectory", "history"],
  choices: {
    "unknown-tool": "observe and continue",
    "tool-name-matching": "exact",
    "malformed-args": "error, or observe",
    "args-notation": "JSON only",
    "empty-args": "error, or observe",
    "schema-mismatch": "observe",
    "malformed-reply": "retries 0, then error, or retries 0, then observe",
    "repeated-field": "last",
    "lm-fault": "error",
    "tool-error": "observe",
    "steps-exhausted": "error",
    "max-steps-default": String(MAX_STEPS),
    "max-steps-zero": "refuse",
    "trajectory-format": "list",
    "integer-range": "53 bits",
  },
  default_max_steps: MAX_STEPS,
};

/** An agent as a program: fields go into the prompt, and come out of the structured response. */
function construct({ signature, tools, options, lm, tools_url }) {
  const properties = Object.fromEntries(signature.outputs.map(({ name, json_schema }) => [name, json_schema]));
  const settings = {
    model: new ChatOpenAI({
      model: lm.model, apiKey: lm.api_key, configuration: { baseURL: lm.base_url }, maxRetries: 0, timeout: TIMEOUT,
    }),
    tools: tools.map((each) => toolOf(each, tools_url)),
    systemPrompt: systemOf(signature),
    responseFormat: toolStrategy({ title: ANSWER_TOOL, type: "object", properties, required: Object.keys(properties) }),
  };
  const limited = (steps) => createAgent({
    ...settings, middleware: [modelCallLimitMiddleware({ runLimit: steps, exitBehavior: "error" })],
  }).withConfig({ recursionLimit: NODES_PER_STEP * steps + 1 });
  const agentOf = (steps) => (steps === null ? createAgent(settings) : limited(steps));
  const standard = agentOf(options.max_steps);
  return async ({ inputs, history, max_steps }, seen) => {
    const turns = (history ?? []).flatMap((turn) => turnOf(turn, signature));
    const messages = [...turns, { role: "user", content: JSON.stringify(inputs) }];
    const agent = max_steps === null ? standard : agentOf(max_steps);
    for await (const state of await agent.stream({ messages }, { streamMode: "values" })) {
      Object.assign(seen, state, { messages: state.messages.slice(messages.length) });
    }
    // An agent whose model says something else than a call ends without one; what that means is its user's affair.
    if (seen.structuredResponse === undefined) throw new Error(`no ${ANSWER_TOOL} was called`);
    return seen.structuredResponse;
  };
}

/** What the inputs and the outputs are. */
function systemOf({ instructions, inputs, outputs }) {
  const listed = (fields) => fields.map(({ name, description }, index) => `${index + 1}. \`${name}\`: ${description}`);
  return [
    instructions,
    "Your input fields are:", ...listed(inputs),
    "Your output fields are:", ...listed(outputs),
    "Use the tools as long as you need them. Then answer with the output fields.",
  ].join("\n");
}

/** An earlier turn: what was asked, and what was answered. */
function turnOf(turn, { inputs, outputs }) {
  const only = (fields) => Object.fromEntries(fields.filter(({ name }) => name in turn).map(({ name }) => [name, turn[name]]));
  return [
    { role: "user", content: JSON.stringify(only(inputs)) },
    { role: "assistant", content: JSON.stringify(only(outputs)) },
  ];
}

/** A tool whose run is the kit's: it is told of the call, and gives the result or the error. */
function toolOf({ name, description, parameters }, toolsUrl) {
  const run = async (args) => {
    const response = await fetch(`${toolsUrl}/${name}`, { method: "POST", body: JSON.stringify(args) });
    const reply = await response.json();
    if ("error" in reply) throw new Error(reply.error);
    return reply.result;
  };
  return tool(run, { name, description, schema: parameters });
}

/** The messages of a run as a list: a call a step, beside the text that the model gave with it. */
function trajectoryOf(messages) {
  const results = new Map(messages.filter((each) => each.type === "tool").map((each) => [each.tool_call_id, each]));
  return messages.flatMap(({ text, tool_calls }) => (tool_calls ?? [])
    .filter(({ id, name }) => results.has(id) && name !== ANSWER_TOOL)
    .map(({ id, name, args }) =>
      ({ thought: text, tool_name: name, tool_args: args, observation: results.get(id).content })));
}

/** Call it and say how that ended. Whatever the library throws is an outcome too. */
async function call(program, params) {
  const seen = { messages: [] };
  const told = (outcome) => ({ ...outcome, trajectory: trajectoryOf(seen.messages), trajectory_format: "list" });
  try {
    return told({ status: "ok", outputs: await program(params, seen) });
  } catch (error) {
    return told({ status: "error", error: { type: error.name, message: error.message } });
  }
}

let program;
async function answer({ method, params }) {
  if (method === "initialize") return { result: MANIFEST };
  if (method === "call") return { result: await call(program, params) };
  if (method === "calls") {
    return { result: { outcomes: await Promise.all(params.calls.map((each) => call(program, each))) } };
  }
  try {
    program = construct(params);
    return { result: { instance: "1" } };
  } catch (error) {
    return { error: { code: -32001, message: error.message } };
  }
}

// Not node:readline, which also ends a line at U+2028 and U+2029.
let unread = "";
for await (const chunk of process.stdin.setEncoding("utf8")) {
  const lines = (unread + chunk).split("\n");
  unread = lines.pop();
  for (const line of lines) {
    const request = JSON.parse(line);
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: request.id, ...(await answer(request)) }) + "\n");
  }
}
