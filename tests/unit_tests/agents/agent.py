"""A small agent: JSON replies, a request a step. `wrong` runs every tool twice.

Where the LM names a tool that there isn't, `right` ends with an error, `observing` goes on, `extracting` asks for the
answer, and `guessing` runs its first tool.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any
from urllib.request import Request, urlopen

Call = Callable[[dict[str, Any]], dict[str, Any]]
Tools = Mapping[str, Callable[[Any], Any]]


def right(base_url: str, api_key: str, task: dict[str, Any], tools: Tools) -> Call:
    return Agent(base_url, tools).call


def wrong(base_url: str, api_key: str, task: dict[str, Any], tools: Tools) -> Call:
    return Agent(base_url, {name: twice(tool) for name, tool in tools.items()}).call


def observing(base_url: str, api_key: str, task: dict[str, Any], tools: Tools) -> Call:
    return Agent(base_url, defaultdict(lambda: lambda args: "there is no such tool", tools)).call


def extracting(base_url: str, api_key: str, task: dict[str, Any], tools: Tools) -> Call:
    return Extracting(base_url, tools).call


def guessing(base_url: str, api_key: str, task: dict[str, Any], tools: Tools) -> Call:
    return Agent(base_url, defaultdict(lambda: next(iter(tools.values())), tools)).call


def twice(tool: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda args: [tool(args), tool(args)][1]


class Agent:
    def __init__(self, base_url: str, tools: Tools) -> None:
        self.address, self.tools = f"{base_url}/chat/completions", tools

    def call(self, given: dict[str, Any]) -> dict[str, Any]:
        messages = [{"role": "user", "content": json.dumps(given["inputs"])}]
        while (step := self.ask(messages))["next_tool_name"] != "finish":
            observation = self.tools[step["next_tool_name"]](step["next_tool_args"])
            messages.append({"role": "user", "content": str(observation)})
        answer = self.ask(messages)
        return {"answer": answer["answer"]}

    def ask(self, messages: list[dict[str, str]]) -> dict[str, Any]:
        with urlopen(Request(self.address, json.dumps({"messages": messages}).encode())) as reply:
            step: dict[str, Any] = json.loads(json.load(reply)["choices"][0]["message"]["content"])
            return step


class Extracting(Agent):
    def ask(self, messages: list[dict[str, str]]) -> dict[str, Any]:
        step = super().ask(messages)
        known = step.get("next_tool_name", "finish") in {*self.tools, "finish"}
        return step if known else {"next_tool_name": "finish"}
