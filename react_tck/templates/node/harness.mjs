// Connects a ReAct implementation to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).

// In milliseconds: shorter than the kit waits for a call, so that an LM that never answers is this program's error.
const TIMEOUT = 10_000;

// What may be asked of it. What isn't declared is reported as unsupported, not as failed.
const MANIFEST = {
  name: "my-react",
  version: "0.1.0",
  language: "javascript",
  dialects: ["json"],
  default_dialect: "json",
  capabilities: ["arrow-signature", "value-signature", "call-max-steps", "trajectory", "extraction", "step-signature",
    "concurrent-calls"],
  default_max_steps: 10,
};

// ---------------------------------------------------------------- replace me with your library: from here ...
class ToyReAct {
  constructor({ inputs, outputs, instructions, tools, maxSteps, lm }) {
    refuse(inputs, outputs, tools);
    Object.assign(this, { inputs, outputs, instructions, tools, maxSteps, lm });
  }

  // The loop.
  async call(inputs, maxSteps) {
    refuseMisfits(inputs, this.inputs);
    const stepFields = [
      { name: "next_thought", description: "what to do next, and why" },
      { name: "next_tool_name", description: `one of: ${this.tools.map((tool) => tool.name + ", ").join("")}finish` },
      { name: "next_tool_args", description: "the arguments of the tool, a valid JSON object" },
    ];
    const prompts = ["The tools are:", ...this.tools.map((tool) => tool.prompt)];
    const trajectory = [];
    for (let left = maxSteps ?? this.maxSteps; left > 0; left--) {
      const [thought, tool_name, tool_args] = await this.ask(stepFields, inputs, trajectory, prompts);
      if (typeof thought !== "string" || typeof tool_name !== "string") {
        throw new Error("next_thought and next_tool_name are texts");
      }
      if (tool_name === "finish") break;
      trajectory.push({ thought, tool_name, tool_args, observation: await this.observe(tool_name, tool_args) });
    }
    const reasoning = { name: "reasoning", description: "think step by step" };
    const [, ...answer] = await this.ask([reasoning, ...this.outputs], inputs, trajectory);
    return { outputs: Object.fromEntries(this.outputs.map(({ name }, index) => [name, answer[index]])), trajectory };
  }

  async observe(name, args) {
    const tool = this.tools.find((tool) => tool.name === name);
    if (!tool) return `Error: there is no tool ${name}`;
    if (!isObject(args)) return `Error: the args of ${name} are no JSON object`;
    return tool.run(args).catch((error) => `Error executing ${name}: ${error.message}`);
  }

  async ask(fields, inputs, trajectory, tools = []) {
    const shown = [...this.inputs, { name: "trajectory", description: "the steps so far" }];
    const system = ["Your input fields are:", ...numbered(shown), "Your output fields are:", ...numbered(fields)];
    system.push("Reply with one JSON object of the output fields.", ...tools, this.instructions);
    return values(fields, JSON.parse(await this.lm(system.join("\n"), JSON.stringify({ ...inputs, trajectory }))));
  }
}

// What it refuses, and how it lists fields.
function refuse(inputs, outputs, tools) {
  if (outputs.length === 0) throw new Error("the signature has no output fields");
  refuseDuplicates("field", [...inputs, ...outputs].map((field) => field.name).concat("trajectory", "reasoning"));
  refuseDuplicates("tool", tools.map((tool) => tool.name).concat("finish"));
}

function refuseMisfits(inputs, fields) {
  const known = fields.map((field) => field.name);
  for (const name of known) if (!(name in inputs)) throw new Error(`missing input '${name}'`);
  for (const name in inputs) if (!known.includes(name)) throw new Error(`unknown input '${name}'`);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function values(fields, reply) {
  if (!isObject(reply)) throw new Error("the LM's reply is no JSON object");
  for (const { name } of fields) if (!(name in reply)) throw new Error(`the LM's reply has no field '${name}'`);
  return fields.map(({ name }) => reply[name]);
}

const numbered = (fields) => fields.map(({ name, description }, index) => `${index + 1}. \`${name}\`: ${description}`);

function refuseDuplicates(kind, names) {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two ${kind}s are called '${twice}'`);
}
// ---------------------------------------------------------------- ... to here

/** An instance of the library, from what the kit describes. */
function construct({ signature, tools, options, lm, tools_url }) {
  return new ToyReAct({
    ...signature,
    tools: tools.map((tool) => makeTool(tool, tools_url)),
    maxSteps: options.max_steps ?? MANIFEST.default_max_steps,
    lm: makeLM(lm),
  });
}

/** A tool whose run is the kit's: it is told of the call, and gives the result or the error. */
function makeTool({ name, description, parameters }, toolsUrl) {
  const run = async (args) => {
    const reply = await post(`${toolsUrl}/${name}`, args);
    if ("error" in reply) throw new Error(reply.error);
    return reply.result;
  };
  return { name, prompt: JSON.stringify({ name, description, parameters }), run };
}

/** The kit's LM: an OpenAI-compatible endpoint. Whatever it refuses must not be asked again. */
function makeLM({ base_url, api_key, model }) {
  return async (system, user) => {
    const messages = [{ role: "system", content: system }, { role: "user", content: user }];
    const reply = await post(`${base_url}/chat/completions`, { model, messages }, api_key);
    return reply.choices[0].message.content;
  };
}

async function post(url, body, key = "") {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
}

/** Call it and say how that ended. Whatever the library throws is an outcome too. */
async function call(agent, { inputs, max_steps }) {
  try {
    return { status: "ok", ...(await agent.call(inputs, max_steps)), trajectory_format: "list" };
  } catch (error) {
    return { status: "error", error: { type: error.name, message: error.message } };
  }
}

let agent;
async function answer({ method, params }) {
  if (method === "initialize") return { result: MANIFEST };
  if (method === "call") return { result: await call(agent, params) };
  if (method === "calls") {
    return { result: { outcomes: await Promise.all(params.calls.map((each) => call(agent, each))) } };
  }
  try {
    agent = construct(params);
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
