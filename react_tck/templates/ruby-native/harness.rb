# Connects an agent that calls tools natively to react-tck: JSON-RPC on stdin and stdout (docs/PROTOCOL.md).
require "json"
require "net/http"

# In seconds: shorter than the kit waits for a call, so that an LM that never answers is this program's error.
TIMEOUT = 10

# What may be asked of it. What isn't declared is reported as unsupported, not as failed.
MANIFEST = {
  name: "my-agent",
  version: "0.1.0",
  language: "ruby",
  dialects: ["native"],
  default_dialect: "native",
  capabilities: ["arrow-signature", "value-signature", "call-max-steps", "trajectory", "parallel-tool-calls"],
  default_max_steps: 10
}.freeze

# ---------------------------------------------------------------- replace me with your library: from here ...
class ToyAgent
  # A tool answers to name, schema and run.
  def initialize(tools:, prompt:, max_steps:, lm:)
    @tools, @prompt, @max_steps, @lm = tools, prompt, max_steps, lm
  end

  # The loop: a step is a reply with tool calls, and the first reply without one is the answer.
  def call(task, max_steps)
    turns = [{ role: "system", content: @prompt }, { role: "user", content: task }]
    trajectory = []
    (max_steps || @max_steps).times do
      reply = @lm.call(turns, @tools.map(&:schema))
      calls = reply["tool_calls"] || []
      return [reply["content"], trajectory] if calls.empty?

      turns << reply
      calls.each do |call|
        name, args = call["function"].values_at("name", "arguments")
        seen = observe(name, args)
        turns << { role: "tool", tool_call_id: call["id"], content: seen.is_a?(String) ? seen : JSON.generate(seen) }
        trajectory << { thought: reply["content"], tool_name: name, tool_args: args, observation: seen }
      end
    end
    [nil, trajectory]
  end

  def observe(name, text)
    args = JSON.parse(text)
    raise "the args are no JSON object" unless args.is_a?(Hash)

    tool = @tools.find { |candidate| candidate.name == name } or raise "there is no such tool"
    tool.run.call(args)
  rescue StandardError => e
    "Error executing #{name}: #{e.message}"
  end
end
# ---------------------------------------------------------------- ... to here

Tool = Struct.new(:name, :schema, :run)
Built = Struct.new(:agent, :inputs, :outputs)

# An instance of the library, from what the kit describes, and the names of its fields.
def construct(params)
  inputs, outputs = params["signature"].values_at("inputs", "outputs")
  names = [*inputs, *outputs].map { |field| field["name"] }
  twice = names.find { |name| names.count(name) > 1 }
  raise ArgumentError, "two fields are called '#{twice}'" if twice
  raise ArgumentError, "the signature has no output fields" if outputs.empty?

  agent = ToyAgent.new(
    tools: params["tools"].map { |tool| make_tool(tool, params["tools_url"]) },
    prompt: params["signature"]["instructions"],
    max_steps: params["options"]["max_steps"] || MANIFEST[:default_max_steps],
    lm: make_lm(params["lm"])
  )
  Built.new(agent, inputs, outputs)
end

# The task as a text: the inputs, and which outputs are wanted.
def describe_task(built, given)
  known = built.inputs.map { |field| field["name"] }
  (known - given.keys).each { |name| raise ArgumentError, "missing input '#{name}'" }
  (given.keys - known).each { |name| raise ArgumentError, "unknown input '#{name}'" }
  describe = ->(field) { field["description"].empty? ? field["name"] : "#{field["name"]} (#{field["description"]})" }
  write = ->(value) { value.is_a?(String) ? value : JSON.generate(value) }
  lines = built.inputs.map { |field| "#{describe[field]}: #{write[given[field["name"]]]}" }
  [*lines, "", "Answer with:", *built.outputs.map { |field| "- #{describe[field]}" }].join("\n")
end

# The answer by the names of the outputs: several are a JSON object.
def read_answer(built, text)
  names = built.outputs.map { |field| field["name"] }
  return { names[0] => text } if names.one?

  said = JSON.parse(text)
  raise "the answer has no #{names.join(", ")}" unless said.is_a?(Hash) && said.keys.sort == names.sort

  said
end

# A tool whose run is the kit's: it is told of the call, and gives the result or the error.
def make_tool(tool, tools_url)
  run = lambda do |args|
    reply = post("#{tools_url}/#{tool["name"]}", args)
    raise reply["error"] if reply.key?("error")

    reply["result"]
  end
  Tool.new(tool["name"], { type: "function", function: tool.slice("name", "description", "parameters") }, run)
end

# The kit's LM: an OpenAI-compatible endpoint. Whatever it refuses must not be asked again.
def make_lm(endpoint)
  lambda do |messages, tools|
    body = { model: endpoint["model"], messages: messages }
    body[:tools] = tools unless tools.empty?
    post("#{endpoint["base_url"]}/chat/completions", body, endpoint["api_key"])["choices"][0]["message"]
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
def call(built, params)
  answer, trajectory = built.agent.call(describe_task(built, params["inputs"]), params["max_steps"])
  told = { trajectory: trajectory, trajectory_format: "list" }
  return { status: "ok", outputs: read_answer(built, answer), **told } if answer

  { status: "error", error: { type: "Exhausted", message: "the steps ran out without an answer" }, **told }
rescue StandardError => e
  { status: "error", error: { type: e.class.name, message: e.message } }
end

$stdin.set_encoding("UTF-8")
$stdout.sync = true
built = nil
$stdin.each_line do |line|
  request = JSON.parse(line)
  answer =
    case request["method"]
    when "initialize" then { result: MANIFEST }
    when "call" then { result: call(built, request["params"]) }
    else
      begin
        built = construct(request["params"])
        { result: { instance: "1" } }
      rescue StandardError => e
        { error: { code: -32_001, message: e.message } }
      end
    end
  $stdout.puts(JSON.generate({ jsonrpc: "2.0", id: request["id"], **answer }))
end
