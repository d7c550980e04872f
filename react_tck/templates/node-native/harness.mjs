// Connects an agent that calls tools natively to react-tck: JSON-RPC on stdin and stdout
// (docs/PROTOCOL.md).

// In milliseconds: shorter than the kit waits for a call, so that an LM that never answers is this program's error.
const TIMEOUT = 10_000;

// What may be asked of it. What isn't declared is reported as unsupported, not as failed.
const MANIFEST = {
  name: "my-agent",
  version: "0.1.0",
  language: "javascript",
  dialects: ["native"],
  default_dialect: "native",
  capabilities: ["arrow-signature", "value-signature", "call-max-steps", "trajectory", "parallel-tool-calls",
    "concurrent-calls"],
  default_max_steps: 10,
};

// ---------------------------------------------------------------- replace me with your library: from here ...
class ToyAgent {
  constructor({ tools, prompt, maxSteps, lm }) {
    Object.assign(this, { tools, prompt, maxSteps, lm });
  }

  // The loop: a step is a reply with tool calls, and the first reply without one is the answer.
  async call(task, maxSteps) {
    const turns = [{ role: "system", content: this.prompt }, { role: "user", content: task }];
    const trajectory = [];
    for (let left = maxSteps ?? this.maxSteps; left > 0; left--) {
      const reply = await this.lm(turns, this.tools.map((tool) => tool.schema));
      if (!reply.tool_calls?.length) return { answer: reply.content, trajectory };
      turns.push(reply);
      for (const { id, function: asked } of reply.tool_calls) {
        const observation = await this.observe(asked.name, asked.arguments);
        turns.push({ role: "tool", tool_call_id: id, content: write(observation) });
        trajectory.push({ thought: reply.content, tool_name: asked.name, tool_args: asked.arguments, observation });
      }
    }
    return { answer: null, trajectory };
  }

  async observe(name, text) {
    try {
      const args = JSON.parse(text);
      if (Object.prototype.toString.call(args) !== "[object Object]") throw new Error("the args are no JSON object");
      const tool = this.tools.find((tool) => tool.name === name);
      if (!tool) throw new Error("there is no such tool");
      return await tool.run(args);
    } catch (error) {
      return `Error executing ${name}: ${error.message}`;
    }
  }
}

const write = (value) => (typeof value === "string" ? value : JSON.stringify(value));
// ---------------------------------------------------------------- ... to here

/** An instance of the library, from what the kit describes. */
function construct({ signature, tools, options, lm, tools_url }) {
  const names = [...signature.inputs, ...signature.outputs].map((field) => field.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two fields are called '${twice}'`);
  if (signature.outputs.length === 0) throw new Error("the signature has no output fields");
  const agent = new ToyAgent({
    tools: tools.map((tool) => makeTool(tool, tools_url)),
    prompt: signature.instructions,
    maxSteps: options.max_steps ?? MANIFEST.default_max_steps,
    lm: makeLM(lm),
  });
  return { agent, signature };
}

/** The task as a text: the inputs, and which outputs are wanted. */
function describeTask({ inputs, outputs }, given) {
  const known = inputs.map((field) => field.name);
  for (const name of known) if (!(name in given)) throw new Error(`missing input '${name}'`);
  for (const name in given) if (!known.includes(name)) throw new Error(`unknown input '${name}'`);
  const describe = ({ name, description }) => (description ? `${name} (${description})` : name);
  const lines = inputs.map((field) => `${describe(field)}: ${write(given[field.name])}`);
  return [...lines, "", "Answer with:", ...outputs.map((field) => `- ${describe(field)}`)].join("\n");
}

/** The answer by the names of the outputs: several are a JSON object. */
function readAnswer({ outputs }, text) {
  const names = outputs.map((field) => field.name);
  if (names.length === 1) return { [names[0]]: text };
  const said = Object(JSON.parse(text));
  const isMade = String(Object.keys(said).sort()) === String(names.sort());
  if (!isMade) throw new Error(`the answer isn't made of ${names.join(", ")}: ${text}`);
  return said;
}

/** A tool whose run is the kit's: it is told of the call, and gives the result or the error. */
function makeTool({ name, description, parameters }, toolsUrl) {
  const run = async (args) => {
    const reply = await post(`${toolsUrl}/${name}`, args);
    if ("error" in reply) throw new Error(reply.error);
    return reply.result;
  };
  return { name, schema: { type: "function", function: { name, description, parameters } }, run };
}

/** The kit's LM: an OpenAI-compatible endpoint. Whatever it refuses must not be asked again. */
function makeLM({ base_url, api_key, model }) {
  return async (messages, tools) => {
    const offered = tools.length ? { tools } : {};
    const reply = await post(`${base_url}/chat/completions`, { model, messages, ...offered }, api_key);
    return reply.choices[0].message;
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
async function call({ agent, signature }, { inputs, max_steps }) {
  try {
    const { answer, trajectory } = await agent.call(describeTask(signature, inputs), max_steps);
    const told = { trajectory, trajectory_format: "list" };
    if (answer === null) {
      return { status: "error", error: { type: "Exhausted", message: "the steps ran out without an answer" }, ...told };
    }
    return { status: "ok", outputs: readAnswer(signature, answer), ...told };
  } catch (error) {
    return { status: "error", error: { type: error.name, message: error.message } };
  }
}

let built;
async function answer({ method, params }) {
  if (method === "initialize") return { result: MANIFEST };
  if (method === "call") return { result: await call(built, params) };
  if (method === "calls") {
    return { result: { outcomes: await Promise.all(params.calls.map((each) => call(built, each))) } };
  }
  try {
    built = construct(params);
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
