# Connects a ReAct implementation to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).
require "json"
require "net/http"

# In seconds: shorter than the kit waits for a call, so that an LM that never answers is this program's error.
TIMEOUT = 10

# What may be asked of it. What isn't declared is reported as unsupported, not as failed.
MANIFEST = {
  name: "my-react",
  version: "0.1.0",
  language: "ruby",
  dialects: ["json"],
  default_dialect: "json",
  capabilities: ["arrow-signature", "value-signature", "call-max-steps", "trajectory", "extraction", "step-signature"],
  default_max_steps: 10
}.freeze

# ---------------------------------------------------------------- replace me with your library: from here ...
class ToyReAct
  # A field is a name and a description; a tool answers to name, prompt and run.
  def initialize(inputs:, outputs:, instructions:, tools:, max_steps:, lm:)
    refuse(inputs, outputs, tools)
    @inputs, @outputs, @instructions, @tools, @max_steps, @lm = inputs, outputs, instructions, tools, max_steps, lm
  end

  # The loop.
  def call(inputs, max_steps)
    refuse_misfits(inputs.keys, @inputs.map(&:first))
    step_fields = [
      ["next_thought", "what to do next, and why"],
      ["next_tool_name", "one of: #{[*@tools.map(&:name), "finish"].join(", ")}"],
      ["next_tool_args", "the arguments of the tool, a valid JSON object"]
    ]
    trajectory = []
    (max_steps || @max_steps).times do
      thought, name, args = ask(step_fields, inputs, trajectory, ["The tools are:", *@tools.map(&:prompt)])
      raise "next_thought and next_tool_name are texts" unless [thought, name].all?(String)
      break if name == "finish"

      trajectory << { thought: thought, tool_name: name, tool_args: args, observation: observe(name, args) }
    end
    _, *answer = ask([["reasoning", "think step by step"], *@outputs], inputs, trajectory)
    [@outputs.map(&:first).zip(answer).to_h, trajectory]
  end

  def observe(name, args)
    tool = @tools.find { |candidate| candidate.name == name } or raise "there is no such tool"
    raise "the args are no JSON object" unless args.is_a?(Hash)

    tool.run.call(args)
  rescue StandardError => e
    "Error executing #{name}: #{e.message}"
  end

  def ask(fields, inputs, trajectory, tools = [])
    system = ["Your input fields are:", *numbered([*@inputs, ["trajectory", "the steps so far"]])]
    system += ["Your output fields are:", *numbered(fields), "Reply with one JSON object of the output fields."]
    user = JSON.generate({ **inputs, "trajectory" => trajectory })
    reply = JSON.parse(@lm.call([*system, *tools, @instructions].join("\n"), user))
    raise "the LM's reply is no JSON object" unless reply.is_a?(Hash)

    fields.map { |name, _| reply.fetch(name) { raise "the LM's reply has no field '#{name}'" } }
  end

  # What it refuses, and how it lists fields.
  def refuse(inputs, outputs, tools)
    raise ArgumentError, "the signature has no output fields" if outputs.empty?

    refuse_duplicates("field", (inputs + outputs).map(&:first) + %w[trajectory reasoning])
    refuse_duplicates("tool", tools.map(&:name) + %w[finish])
  end

  def refuse_misfits(given, known)
    (known - given).each { |name| raise ArgumentError, "missing input '#{name}'" }
    (given - known).each { |name| raise ArgumentError, "unknown input '#{name}'" }
  end

  def numbered(fields)
    fields.each_with_index.map { |(name, description), index| "#{index + 1}. `#{name}`: #{description}" }
  end

  def refuse_duplicates(kind, names)
    twice = names.find { |name| names.count(name) > 1 }
    raise ArgumentError, "two #{kind}s are called '#{twice}'" if twice
  end
end
# ---------------------------------------------------------------- ... to here

Tool = Struct.new(:name, :prompt, :run)

# An instance of the library, from what the kit describes.
def construct(params)
  signature = params["signature"]
  ToyReAct.new(
    inputs: signature["inputs"].map { |field| field.values_at("name", "description") },
    outputs: signature["outputs"].map { |field| field.values_at("name", "description") },
    instructions: signature["instructions"],
    tools: params["tools"].map { |tool| make_tool(tool, params["tools_url"]) },
    max_steps: params["options"]["max_steps"] || MANIFEST[:default_max_steps],
    lm: make_lm(params["lm"])
  )
end

# A tool whose run is the kit's: it is told of the call, and gives the result or the error.
def make_tool(tool, tools_url)
  run = lambda do |args|
    reply = post("#{tools_url}/#{tool["name"]}", args)
    raise reply["error"] if reply.key?("error")

    reply["result"]
  end
  Tool.new(tool["name"], JSON.generate(tool.slice("name", "description", "parameters")), run)
end

# The kit's LM: an OpenAI-compatible endpoint. Whatever it refuses must not be asked again.
def make_lm(endpoint)
  lambda do |system, user|
    messages = [{ role: "system", content: system }, { role: "user", content: user }]
    body = { model: endpoint["model"], messages: messages }
    reply = post("#{endpoint["base_url"]}/chat/completions", body, endpoint["api_key"])
    reply["choices"][0]["message"]["content"]
  end
end

def post(url, body, key = "")
  headers = { "Content-Type" => "application/json", "Authorization" => "Bearer #{key}" }
  uri = URI(url)
  response = Net::HTTP.start(uri.host, uri.port, read_timeout: TIMEOUT, max_retries: 0) do |http|
    http.post(uri.path, JSON.generate(body), headers)
  end
  raise "#{response.code}: #{response.body}" unless response.is_a?(Net::HTTPOK)

  JSON.parse(response.body)
end

# Call it and say how that ended. Whatever the library raises is an outcome too.
def call(agent, params)
  outputs, trajectory = agent.call(params["inputs"], params["max_steps"])
  { status: "ok", outputs: outputs, trajectory: trajectory, trajectory_format: "list" }
rescue StandardError => e
  { status: "error", error: { type: e.class.name, message: e.message } }
end

$stdin.set_encoding("UTF-8")
$stdout.sync = true
agent = nil
$stdin.each_line do |line|
  request = JSON.parse(line)
  answer =
    case request["method"]
    when "initialize" then { result: MANIFEST }
    when "call" then { result: call(agent, request["params"]) }
    else
      begin
        agent = construct(request["params"])
        { result: { instance: "1" } }
      rescue StandardError => e
        { error: { code: -32_001, message: e.message } }
      end
    end
  $stdout.puts(JSON.generate({ jsonrpc: "2.0", id: request["id"], **answer }))
end
