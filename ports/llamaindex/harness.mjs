// Connects the agent of LlamaIndexTS to react-tck: JSON-RPC on stdin and stdout (docs/PROTOCOL.md).
import { createRequire } from "node:module";
import { openai } from "@llamaindex/openai";
import { agent as createAgent } from "@llamaindex/workflow";
import { tool } from "llamaindex";
import { z } from "zod";

// By its name the library knows how much of a conversation fits; of a model that it doesn't know it keeps 700 tokens.
const MODEL = "gpt-4o";
// By default it asks a provider that fails ten times more, for a minute.
const RETRIES = 2;

const { version } = createRequire(import.meta.url)("./node_modules/llamaindex/package.json");

// It steps by native tool calls, and ends with a text.
const MANIFEST = {
  name: "llamaindex agent",
  version,
  language: "typescript",
  homepage: "https://developers.llamaindex.ai/typescript/framework/",
  dialects: ["native"],
  default_dialect: "native",
  capabilities: ["arrow-signature", "parallel-tool-calls"],
  choices: {
    "unknown-tool": "error",
    "tool-name-matching": "exact",
    "malformed-args": "error",
    "args-notation": "JSON only",
    "empty-args": "empty object, or error",
    "schema-mismatch": "passed as given",
    "malformed-reply": "retries 0, then error",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "lm-fault": `retries ${RETRIES}, then error`,
    "tool-error": "observe",
    "max-steps-zero": "default",
    "integer-range": "53 bits",
  },
  default_max_steps: null,
};

/** An agent as a program: fields go into the user's message, and come out of the text. It takes no limit of steps. */
function construct({ signature: { inputs, outputs, instructions }, tools, lm, tools_url }) {
  if (outputs.length === 0) throw new Error("the signature has no output fields");
  refuseDuplicates([...inputs, ...outputs].map(({ name }) => name));
  const settings = {
    tools: tools.map((each) => toolOf(each, tools_url)),
    llm: openai({ model: MODEL, apiKey: lm.api_key, baseURL: lm.base_url, maxRetries: RETRIES }),
    ...(instructions ? { systemPrompt: instructions } : {}),
  };
  return async (given) => {
    refuseMisfits(given, inputs.map(({ name }) => name));
    const asked = Object.entries(given).map(([name, value]) => `${name}: ${asText(value)}`);
    const { data } = await createAgent(settings).run(asked.join("\n"));
    return outputs.length === 1 ? { [outputs[0].name]: data.result } : JSON.parse(data.result);
  };
}

const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** A tool whose run is the kit's: it is told of the call, and gives the result or the error. */
function toolOf({ name, description, parameters }, toolsUrl) {
  const execute = async (args) => {
    const response = await fetch(`${toolsUrl}/${name}`, { method: "POST", body: JSON.stringify(args) });
    const reply = await response.json();
    if ("error" in reply) throw new Error(response.ok ? reply.error : JSON.stringify(reply.error));
    return reply.result;
  };
  return tool({ name, description, parameters: z.fromJSONSchema(parameters), execute });
}

function refuseDuplicates(names) {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two fields are called '${twice}'`);
}

function refuseMisfits(inputs, known) {
  for (const name of known) if (!(name in inputs)) throw new Error(`missing input '${name}'`);
  for (const name in inputs) if (!known.includes(name)) throw new Error(`unknown input '${name}'`);
}

// What fails in its workflow the library throws where nobody can catch it: Node would end the process, and `run` never ends.
let fail = () => {};
process.on("unhandledRejection", (reason) => fail(reason));

/** Call it and say how that ended. Whatever the library throws is an outcome too. */
async function call(program, { inputs }) {
  try {
    const failure = new Promise((_, reject) => { fail = reject; });
    return { status: "ok", outputs: await Promise.race([program(inputs), failure]) };
  } catch (error) {
    return { status: "error", error: { type: error.name, message: error.message } };
  }
}

let program;
async function answer({ method, params }) {
  if (method === "initialize") return { result: MANIFEST };
  if (method === "call") return { result: await call(program, params) };
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
    const response = { jsonrpc: "2.0", id: request.id, ...(await answer(request)) };
    process.stdout.write(JSON.stringify(response) + "\n");
  }
}
