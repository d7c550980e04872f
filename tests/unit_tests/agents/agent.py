"""A small agent: JSON replies, a request a step. `wrong` runs every tool twice."""

import json
from urllib.request import Request, urlopen


def right(base_url, api_key, task, tools):
    return Agent(base_url, tools).call


def wrong(base_url, api_key, task, tools):
    twice = {name: lambda args, tool=tool: [tool(args), tool(args)][0] for name, tool in tools.items()}
    return Agent(base_url, twice).call


class Agent:
    def __init__(self, base_url, tools):
        self.address, self.tools = f"{base_url}/chat/completions", tools

    def call(self, given):
        messages = [{"role": "user", "content": json.dumps(given["inputs"])}]
        while (step := self.ask(messages))["next_tool_name"] != "finish":
            observation = self.tools[step["next_tool_name"]](step["next_tool_args"])
            messages.append({"role": "user", "content": str(observation)})
        answer = self.ask(messages)
        return {"answer": answer["answer"]}

    def ask(self, messages):
        with urlopen(Request(self.address, json.dumps({"messages": messages}).encode())) as reply:
            return json.loads(json.load(reply)["choices"][0]["message"]["content"])
