// Connects Vercel's ai (generateText) to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).
import { createRequire } from "node:module";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, Output, stepCountIs, tool } from "ai";
import { z } from "zod";

// In milliseconds: shorter than the kit waits for a call, so that an LM that never answers is this program's error.
const TIMEOUT = 10_000;
// What `ai` calls 20 steps is its agent's default; `generateText` alone takes one.
const MAX_STEPS = 20;

// It steps by native tool calls and answers in the last step, as JSON: `output` is its structured answer.
const MANIFEST = {
  name: "ai",
  version: createRequire(import.meta.url)("ai/package.json").version,
  language: "typescript",
  homepage: "https://ai-sdk.dev",
  dialects: ["native", "json"],
  default_dialect: "native",
  capabilities: ["value-signature", "typed-fields", "nested-fields", "call-max-steps", "concurrent-calls",
    "parallel-tool-calls", "trajectory", "history"],
  choices: {
    "unknown-tool": "observe and continue",
    "tool-name-matching": "exact",
    "malformed-args": "observe",
    "args-notation": "JSON only",
    "empty-args": "empty object, or observe",
    "schema-mismatch": "observe",
    "malformed-reply": "retries 0, then error, or retries 0, then observe",
    "repeated-field": "last",
    "cut-off-answer": "refused, or returned",
    "lm-fault": "error",
    "tool-error": "observe",
    "steps-exhausted": "error",
    "max-steps-default": "20",
    "trajectory-format": "list",
    "integer-range": "53 bits",
  },
  default_max_steps: MAX_STEPS,
};

/** `generateText` as a program: fields go into the prompt, and come out of `output`. */
function construct({ signature, tools, options, lm, tools_url }) {
  const provider = createOpenAICompatible({
    name: "tck", baseURL: lm.base_url, apiKey: lm.api_key, supportsStructuredOutputs: true,
  });
  const properties = Object.fromEntries(signature.outputs.map(({ name, json_schema }) => [name, json_schema]));
  // Closed, as an object of zod's own is: whatever else the LM says is no output.
  const required = Object.keys(properties);
  const schema = z.fromJSONSchema({ type: "object", properties, required, additionalProperties: false });
  const settings = {
    model: provider(lm.model),
    system: systemOf(signature),
    tools: Object.fromEntries(tools.map((each) => [each.name, toolOf(each, tools_url)])),
    output: Output.object({ schema }),
    maxRetries: 0,
    timeout: { stepMs: TIMEOUT },
  };
  return async ({ inputs, history, max_steps }, steps) => {
    const turns = (history ?? []).flatMap((turn) => turnOf(turn, signature));
    const messages = [...turns, { role: "user", content: JSON.stringify(inputs) }];
    const stopWhen = stepCountIs(max_steps ?? options.max_steps ?? MAX_STEPS);
    const result = await generateText({ ...settings, messages, stopWhen, onStepFinish: (step) => steps.push(step) });
    return result.output;
  };
}

/** What the kit reads: the output fields by name, and that the answer is JSON. */
function systemOf({ instructions, inputs, outputs }) {
  const listed = (fields) => fields.map(({ name, description }, index) => `${index + 1}. \`${name}\`: ${description}`);
  return [
    instructions,
    "Your input fields are:", ...listed(inputs),
    "Your output fields are:", ...listed(outputs),
    "Use the tools as long as you need them. Then answer with one JSON object of the output fields.",
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
  const execute = async (args) => {
    const response = await fetch(`${toolsUrl}/${name}`, { method: "POST", body: JSON.stringify(args) });
    const reply = await response.json();
    if ("error" in reply) throw new Error(reply.error);
    return reply.result;
  };
  return tool({ description, inputSchema: z.fromJSONSchema(parameters), execute });
}

/** `steps`, as its results have them: a call a step, beside the text that the model gave with it. */
function trajectoryOf(steps) {
  const observed = ({ type, output, error }) => (type === "tool-result" ? output : error?.message ?? error);
  return steps.flatMap(({ text, content }) => content
    .filter(({ type }) => type === "tool-result" || type === "tool-error")
    .map((part) =>
      ({ thought: text, tool_name: part.toolName, tool_args: part.input, observation: observed(part) })));
}

/** Call it and say how that ended. Whatever the library throws is an outcome too. */
async function call(program, params) {
  const steps = [];
  const told = (outcome) => ({ ...outcome, trajectory: trajectoryOf(steps), trajectory_format: "list" });
  try {
    return told({ status: "ok", outputs: await program(params, steps) });
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
