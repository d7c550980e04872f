# Connects a ReAct implementation to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).
unless Code.ensure_loaded?(JSON), do: Code.require_file("json.exs", __DIR__)

# ---------------------------------------------------------------- replace me with your library: from here ...
defmodule ToyReAct do
  # A field is a name and a description; a tool has a name, a prompt and a function to run it.
  defstruct [:inputs, :outputs, :instructions, :tools, :max_steps, :lm]

  def new(options) do
    agent = struct!(__MODULE__, options)
    if agent.outputs == [], do: raise(ArgumentError, "the signature has no output fields")
    refuse_duplicates("field", names(agent.inputs ++ agent.outputs) ++ ["trajectory", "reasoning"])
    refuse_duplicates("tool", Enum.map(agent.tools, & &1.name) ++ ["finish"])
    agent
  end

  def call(agent, inputs, max_steps) do
    known = names(agent.inputs)
    for name <- known -- Map.keys(inputs), do: raise(ArgumentError, "missing input '#{name}'")
    for name <- Map.keys(inputs) -- known, do: raise(ArgumentError, "unknown input '#{name}'")
    trajectory = steps(agent, inputs, max_steps || agent.max_steps, [])
    [_reasoning | answer] = ask(agent, [{"reasoning", "think step by step"} | agent.outputs], inputs, trajectory, [])
    {agent.outputs |> names() |> Enum.zip(answer) |> Map.new(), trajectory}
  end

  defp steps(_agent, _inputs, 0, trajectory), do: trajectory

  defp steps(agent, inputs, left, trajectory) do
    fields = [
      {"next_thought", "what to do next, and why"},
      {"next_tool_name", "one of: " <> Enum.map_join(agent.tools, &(&1.name <> ", ")) <> "finish"},
      {"next_tool_args", "the arguments of the tool, a valid JSON object"}
    ]

    case ask(agent, fields, inputs, trajectory, ["The tools are:" | Enum.map(agent.tools, & &1.prompt)]) do
      [thought, name, _args] when not (is_binary(thought) and is_binary(name)) ->
        raise "next_thought and next_tool_name are texts"

      [_thought, "finish", _args] ->
        trajectory

      [thought, name, args] ->
        step = %{thought: thought, tool_name: name, tool_args: args, observation: observe(agent, name, args)}
        steps(agent, inputs, left - 1, trajectory ++ [step])
    end
  end

  defp observe(agent, name, args) do
    tool = Enum.find(agent.tools, &(&1.name == name)) || raise "there is no such tool"
    unless is_map(args), do: raise("the args are no JSON object")
    tool.run.(args)
  rescue
    error -> "Error executing #{name}: #{Exception.message(error)}"
  end

  defp ask(agent, fields, inputs, trajectory, prompts) do
    shown = numbered(agent.inputs ++ [{"trajectory", "the steps so far"}])
    system = ["Your input fields are:" | shown] ++ ["Your output fields are:" | numbered(fields)]
    system = system ++ ["Reply with one JSON object of the output fields."] ++ prompts ++ [agent.instructions]
    # As lists, because the keys of a map have no order, and a step is told thought first.
    told = for step <- trajectory, do: [step.thought, step.tool_name, step.tool_args, step.observation]
    user = JSON.encode!(Map.put(inputs, "trajectory", told))
    reply = JSON.decode!(agent.lm.(Enum.join(system, "\n"), user))
    unless is_map(reply), do: raise("the LM's reply is no JSON object")
    for name <- names(fields), do: if(is_map_key(reply, name), do: reply[name], else: raise("the LM gave no '#{name}'"))
  end

  defp names(fields), do: Enum.map(fields, &elem(&1, 0))

  defp numbered(fields) do
    for {{name, description}, number} <- Enum.with_index(fields, 1), do: "#{number}. `#{name}`: #{description}"
  end

  defp refuse_duplicates(kind, names) do
    for name <- names -- Enum.uniq(names), do: raise(ArgumentError, "two #{kind}s are called '#{name}'")
  end
end
# ---------------------------------------------------------------- ... to here

defmodule Harness do
  # In milliseconds: shorter than the kit waits for a call, so that an LM that never answers is this program's error.
  @timeout 10_000

  # What may be asked of it. What isn't declared is reported as unsupported, not as failed.
  @manifest %{
    name: "my-react",
    version: "0.1.0",
    language: "elixir",
    dialects: ["json"],
    default_dialect: "json",
    capabilities:
      ["arrow-signature", "value-signature", "call-max-steps", "trajectory", "extraction", "step-signature"],
    default_max_steps: 10
  }

  def main do
    {:ok, _} = Application.ensure_all_started(:inets)
    # Bytes, whatever the locale says: lines are UTF-8.
    :io.setopts(:standard_io, encoding: :latin1)
    serve(nil)
  end

  defp serve(agent) do
    with line when is_binary(line) <- IO.binread(:stdio, :line) do
      request = JSON.decode!(line)
      {agent, answer} = answer(request["method"], request["params"], agent)
      IO.binwrite(:stdio, JSON.encode!(Map.merge(answer, %{jsonrpc: "2.0", id: request["id"]})) <> "\n")
      serve(agent)
    end
  end

  defp answer("initialize", _params, agent), do: {agent, %{result: @manifest}}

  defp answer("construct", params, agent) do
    {construct(params), %{result: %{instance: "1"}}}
  rescue
    error -> {agent, %{error: %{code: -32001, message: Exception.message(error)}}}
  end

  # Whatever the library raises is an outcome too.
  defp answer("call", params, agent) do
    {outputs, trajectory} = ToyReAct.call(agent, params["inputs"], params["max_steps"])
    {agent, %{result: %{status: "ok", outputs: outputs, trajectory: trajectory, trajectory_format: "list"}}}
  rescue
    error ->
      failure = %{type: inspect(error.__struct__), message: Exception.message(error)}
      {agent, %{result: %{status: "error", error: failure}}}
  end

  # An instance of the library, from what the kit describes.
  defp construct(%{"signature" => signature, "options" => options} = params) do
    ToyReAct.new(
      inputs: fields(signature["inputs"]),
      outputs: fields(signature["outputs"]),
      instructions: signature["instructions"],
      tools: Enum.map(params["tools"], &tool(&1, params["tools_url"])),
      max_steps: options["max_steps"] || @manifest.default_max_steps,
      lm: lm(params["lm"])
    )
  end

  defp fields(fields), do: Enum.map(fields, &{&1["name"], &1["description"]})

  # A tool whose run is the kit's: it is told of the call, and gives the result or the error.
  defp tool(%{"name" => name} = tool, tools_url) do
    run = fn args ->
      case post("#{tools_url}/#{name}", args, "") do
        %{"error" => message} -> raise message
        %{"result" => result} -> result
      end
    end

    %{name: name, prompt: JSON.encode!(Map.take(tool, ["name", "description", "parameters"])), run: run}
  end

  # The kit's LM: an OpenAI-compatible endpoint. Whatever it refuses must not be asked again.
  defp lm(%{"base_url" => base_url, "api_key" => key, "model" => model}) do
    fn system, user ->
      messages = [%{role: "system", content: system}, %{role: "user", content: user}]
      reply = post("#{base_url}/chat/completions", %{model: model, messages: messages}, key)
      hd(reply["choices"])["message"]["content"]
    end
  end

  defp post(url, body, key) do
    headers = [{~c"authorization", String.to_charlist("Bearer #{key}")}]
    request = {String.to_charlist(url), headers, ~c"application/json", JSON.encode!(body)}

    case :httpc.request(:post, request, [timeout: @timeout], body_format: :binary) do
      {:ok, {{_, 200, _}, _, reply}} -> JSON.decode!(reply)
      {:ok, {{_, status, _}, _, reply}} -> raise "#{status}: #{reply}"
      {:error, reason} -> raise "no answer: #{inspect(reason)}"
    end
  end
end

Harness.main()
