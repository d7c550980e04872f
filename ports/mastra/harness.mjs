// Connects Mastra's Agent to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).
import { createRequire } from "node:module";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";

const { version } = createRequire(import.meta.url)("./node_modules/@mastra/core/package.json");

// It steps by native tool calls. Its answer is a text or, where the outputs have types, `structuredOutput`.
const MANIFEST = {
  name: "mastra Agent",
  version,
  language: "typescript",
  homepage: "https://mastra.ai",
  dialects: ["native", "json"],
  default_dialect: "native",
  capabilities: ["arrow-signature", "value-signature", "typed-fields", "nested-fields", "call-max-steps", "concurrent-calls",
    "parallel-tool-calls", "trajectory", "history"],
  default_max_steps: 5,
};

/** An agent as a program: fields go into the user's message, and come out of the last step. */
function construct({ signature, tools, options, lm, tools_url }) {
  const { outputs, instructions } = signature;
  const inputs = signature.inputs.filter(({ history }) => !history);
  if (outputs.length === 0) throw new Error("the signature has no output fields");
  refuseDuplicates([...inputs, ...outputs].map(({ name }) => name));
  const isText = outputs.length === 1 && outputs[0].json_schema.type === "string";
  const settings = isText ? {} : { structuredOutput: { schema: schemaOf(outputs) } };
  const agent = new Agent({
    id: "tck",
    name: "tck",
    instructions,
    model: { id: `tck/${lm.model}`, url: lm.base_url, apiKey: lm.api_key },
    tools: Object.fromEntries(tools.map((each) => [each.name, toolOf(each, tools_url)])),
  });
  return async ({ inputs: given, history, max_steps }, onStepFinish) => {
    refuseMisfits(given, inputs.map(({ name }) => name));
    const turns = (history ?? []).flatMap((turn) => [
      { role: "user", content: textOf(turn, inputs) },
      { role: "assistant", content: textOf(turn, outputs) },
    ]);
    const asked = [textOf(given, inputs), "", "Answer with:", ...outputs.map((field) => `- ${described(field)}`)].join("\n");
    const maxSteps = max_steps ?? options.max_steps;
    const result = await agent.generate([...turns, { role: "user", content: asked }],
      { ...settings, ...(maxSteps === null ? {} : { maxSteps }), onStepFinish });
    // How it tells that the steps ran out, or that a reply was cut off. `result.text` is the text of all steps.
    if (result.finishReason !== "stop") throw new Error(`it finished for the reason '${result.finishReason}'`);
    return isText ? { [outputs[0].name]: result.steps.at(-1).text } : result.object;
  };
}

const schemaOf = (fields) => asZod({
  type: "object",
  properties: Object.fromEntries(fields.map(({ name, description, json_schema }) =>
    [name, description ? { ...json_schema, description } : json_schema])),
  required: fields.map(({ name }) => name),
});

/** The schema as a user writes it: `z.object`, which drops what it doesn't know, where nothing is said of that. */
function asZod(schema) {
  const made = z.fromJSONSchema(closed(schema));
  return "additionalProperties" in schema ? made : made.strip();
}

function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== "object") return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  if (schema.type !== "object" || !schema.properties) return parts;
  // What has a default is `.default(...)` alone, and not optional besides.
  const defaults = Object.keys(schema.properties).filter((name) => "default" in schema.properties[name]);
  return { additionalProperties: false, ...parts, required: [...new Set([...(schema.required ?? []), ...defaults])] };
}

const described = ({ name, description }) => (description ? `${name} (${description})` : name);
const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));
const textOf = (values, fields) => fields
  .filter(({ name }) => name in values)
  .map((field) => `${described(field)}: ${asText(values[field.name])}`)
  .join("\n");

/** A tool whose run is the kit's: it is told of the call, and gives the result or the error. */
function toolOf({ name, description, parameters }, toolsUrl) {
  const execute = async (args) => {
    const response = await fetch(`${toolsUrl}/${name}`, { method: "POST", body: JSON.stringify(args) });
    const reply = await response.json();
    if ("error" in reply) throw new Error(response.ok ? reply.error : JSON.stringify(reply.error));
    return reply.result;
  };
  return createTool({ id: name, description, inputSchema: asZod(parameters), execute });
}

function refuseDuplicates(names) {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two fields are called '${twice}'`);
}

function refuseMisfits(inputs, known) {
  for (const name of known) if (!(name in inputs)) throw new Error(`missing input '${name}'`);
  for (const name in inputs) if (!known.includes(name)) throw new Error(`unknown input '${name}'`);
}

/** `steps`: a call a step, beside the text that the model gave with it. `toolResults` lacks what failed, `content` has that. */
const trajectoryOf = (steps) => steps.flatMap(({ text, toolCalls, toolResults, content }) => toolCalls.map(({ payload }) => {
  const { toolCallId, toolName, args } = payload;
  const returned = toolResults.find((each) => each.payload.toolCallId === toolCallId);
  const told = content.find((part) => part.type === "tool-result" && part.toolCallId === toolCallId);
  return returned
    ? { thought: text, tool_name: toolName, tool_args: returned.payload.args, observation: returned.payload.result }
    : { thought: text, tool_name: toolName, tool_args: args ?? null, observation: told?.output.value };
}));

/** Call it and say how that ended. Whatever the library throws is an outcome too. */
async function call(program, params) {
  const steps = [];
  const told = (outcome) => ({ ...outcome, trajectory: trajectoryOf(steps), trajectory_format: "list" });
  try {
    return told({ status: "ok", outputs: await program(params, (step) => steps.push(step)) });
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
