# A small agent: JSON replies, a request a step. `wrong` runs every tool twice.
unless Code.ensure_loaded?(JSON), do: Code.require_file("json.exs", __DIR__)

defmodule MyAgent do
  def right(base_url, _api_key, _task, tools), do: &call(base_url, tools, &1)

  def wrong(base_url, _api_key, _task, tools) do
    twice = Map.new(tools, fn {name, tool} -> {name, fn args -> Enum.at([tool.(args), tool.(args)], 1) end} end)
    &call(base_url, twice, &1)
  end

  defp call(base_url, tools, %{"inputs" => inputs}) do
    steps(base_url, tools, [%{role: "user", content: JSON.encode!(inputs)}])
  end

  defp steps(base_url, tools, messages) do
    case ask(base_url, messages) do
      %{"next_tool_name" => "finish"} ->
        Map.take(ask(base_url, messages), ["answer"])

      %{"next_tool_name" => name, "next_tool_args" => args} ->
        observation = %{role: "user", content: to_string(tools[name].(args))}
        steps(base_url, tools, messages ++ [observation])
    end
  end

  defp ask(base_url, messages) do
    {:ok, _} = Application.ensure_all_started(:inets)
    request = {'#{base_url}/chat/completions', [], 'application/json', JSON.encode!(%{messages: messages})}
    {:ok, {_, _, reply}} = :httpc.request(:post, request, [], body_format: :binary)
    JSON.decode!(hd(JSON.decode!(reply)["choices"])["message"]["content"])
  end
end
