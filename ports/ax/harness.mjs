// Connects @ax-llm/ax to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

// From ./node_modules, or from the folder that REACT_TCK_NODE_MODULES names.
const elsewhere = process.env.REACT_TCK_NODE_MODULES;
const folder = path.join(elsewhere ?? path.join(import.meta.dirname, "node_modules"), "@ax-llm", "ax");
const { ax, ai, AxSignature } = await import(pathToFileURL(path.join(folder, "index.js")));

// ax steps by native tool calls and answers in the text, in the last step: it has no extraction of its own.
// A prediction holds the outputs only; the chat log and `onFunctionCall` are no trajectory of thoughts.
const MANIFEST = {
  name: "@ax-llm/ax",
  version: createRequire(import.meta.url)(path.join(folder, "package.json")).version,
  language: "javascript",
  homepage: "https://github.com/ax-llm/ax",
  dialects: ["native", "label"],
  default_dialect: "native",
  capabilities: ["arrow-signature", "value-signature", "typed-fields", "call-max-steps"],
  choices: {
    "unknown-tool": "error",
    "tool-name-matching": "case ignored",
    "malformed-args": "error",
    "args-notation": "JSON only",
    "schema-mismatch": "passed as given",
    "malformed-reply": "retries 0, then error, or retries 0, then observe",
    "repeated-field": "last",
    "lm-fault": "error",
    "tool-error": "error",
    "steps-exhausted": "error",
    "max-steps-default": "25",
    "max-steps-zero": "refuse",
    "integer-range": "53 bits",
  },
  default_max_steps: 25,
};

const TYPES = { integer: "number", number: "number", boolean: "boolean", string: "string" };

/** A JSON Schema as ax's type; what ax has no type for is `json`. */
function axType(schema) {
  const { type, items, enum: options } = schema;
  if (type === "array" && items) return { ...axType(items), isArray: true };
  if (options?.every((option) => typeof option === "string")) return { name: "class", options };
  return { name: TYPES[type] ?? "json" };
}

/** A field; one that may be null is optional to ax. */
function axField({ name, description, json_schema: schema }) {
  const known = schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  return { name, description: description || undefined, type: axType(known), isOptional: known !== schema };
}

/** ax has types of its own in arrow strings, so only an arrow without types is passed on as it is written. */
function makeSignature({ form, arrow, inputs, outputs, instructions }) {
  if (form === "arrow" && !arrow.includes(":")) return arrow;
  const description = instructions || undefined;
  return new AxSignature({ description, inputs: inputs.map(axField), outputs: outputs.map(axField) });
}

/** A function for ax whose work is the kit's: it is told of the call, and gives the result or the error. */
function makeFunction({ name, description, parameters }, toolsUrl) {
  const func = async (args) => {
    const response = await fetch(`${toolsUrl}/${name}`, { method: "POST", body: JSON.stringify(args) });
    const reply = await response.json();
    if ("error" in reply) throw new Error(reply.error);
    return reply.result;
  };
  return { name, description, parameters, func };
}

function construct({ signature, tools, options, lm, tools_url }) {
  const functions = tools.map((tool) => makeFunction(tool, tools_url));
  const limit = options.max_steps === null ? {} : { maxSteps: options.max_steps };
  const program = ax(makeSignature(signature), { functions, maxRetries: 0, ...limit });
  const config = { model: lm.model, stream: false };
  const llm = ai({ name: "openai", apiURL: lm.base_url, apiKey: lm.api_key, config });
  // An optional output without a value is undefined to ax, which JSON can't say.
  const optional = signature.outputs.map(axField).filter((field) => field.isOptional);
  const absent = Object.fromEntries(optional.map(({ name }) => [name, null]));
  return async (inputs, maxSteps) => {
    const own = maxSteps === null ? {} : { maxSteps };
    return { ...absent, ...(await program.forward(llm, inputs, { retry: { maxRetries: 0 }, ...own })) };
  };
}

/** Call it and say how that ended. ax wraps what went wrong: the cause says more. */
async function call(forward, { inputs, max_steps }) {
  try {
    return { status: "ok", outputs: await forward(inputs, max_steps), trajectory: null, trajectory_format: "none" };
  } catch (error) {
    const messages = [error.message, error.cause?.message].filter(Boolean);
    return { status: "error", error: { type: error.name, message: messages.join(": ") } };
  }
}

let forward;
async function answer({ method, params }) {
  if (method === "initialize") return { result: MANIFEST };
  if (method === "call") return { result: await call(forward, params) };
  try {
    forward = construct(params);
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
    const response = { jsonrpc: "2.0", id: request.id, ...(await answer(request)) };
    process.stdout.write(JSON.stringify(response) + "\n");
  }
}
