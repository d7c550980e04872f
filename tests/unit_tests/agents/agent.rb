# A small agent: JSON replies, a request a step. `wrong` runs every tool twice.
require "json"
require "net/http"

def right(base_url, _api_key, _task, tools) = ->(given) { run_steps(base_url, given["inputs"], tools) }

def wrong(base_url, _api_key, _task, tools)
  twice = tools.transform_values { |tool| ->(args) { [tool.call(args), tool.call(args)].last } }
  ->(given) { run_steps(base_url, given["inputs"], twice) }
end

def run_steps(base_url, inputs, tools)
  messages = [{ role: "user", content: JSON.generate(inputs) }]
  while (step = ask(base_url, messages))["next_tool_name"] != "finish"
    observation = tools[step["next_tool_name"]].call(step["next_tool_args"])
    messages << { role: "user", content: observation.to_s }
  end
  ask(base_url, messages).slice("answer")
end

def ask(base_url, messages)
  body, form = JSON.generate({ messages: messages }), { "Content-Type" => "application/json" }
  reply = Net::HTTP.post(URI("#{base_url}/chat/completions"), body, form)
  JSON.parse(JSON.parse(reply.body)["choices"][0]["message"]["content"])
end
