"""A harness of a native agent without an extraction, as the libraries of `ports/` are; what it does, the sources allow.

A tool that raises ends the call, and the trajectory so far is told without it; whole numbers that no double is are
refused; every step is one LM request, the answer among them, and a tool that is called in the last of them doesn't run.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import Request, urlopen

Message = dict[str, Any]

MANIFEST = {
    "name": "native-agent",
    "version": "1",
    "language": "javascript",
    "dialects": ["native", "json"],
    "default_dialect": "native",
    "capabilities": ["value-signature", "call-max-steps", "concurrent-calls", "trajectory"],
    "choices": {"steps-exhausted": "error", "tool-error": "error"},
    "default_max_steps": 10,
}
_EXACT = 2**53


class Agent:
    """What the kit asked to be constructed."""

    def __init__(self, params: Message) -> None:
        self._outputs = [field["name"] for field in params["signature"]["outputs"]]
        self._params = params

    def call(self, invocation: Message) -> Message:
        """The loop, and how it ended."""
        trajectory: list[Message] = []
        try:
            ended = {"status": "ok", "outputs": self._answer(invocation, trajectory)}
        except Exception as error:
            ended = {"status": "error", "error": {"type": "AgentError", "message": str(error)}}
        return {**ended, "trajectory": trajectory, "trajectory_format": "list"}

    def _answer(self, invocation: Message, trajectory: list[Message]) -> Message:
        listed = "\n".join(f"{number}. `{name}`" for number, name in enumerate(self._outputs, 1))
        system = f"Your output fields are:\n{listed}\nAnswer with a JSON object."
        messages: list[Message] = [
            {"role": "system", "content": system},
            {"role": "user", "content": json.dumps(invocation["inputs"])},
        ]
        limit = invocation["max_steps"] or self._params["options"]["max_steps"] or MANIFEST["default_max_steps"]
        for left in reversed(range(int(str(limit)))):
            reply = self._ask(messages)
            messages.append(reply)
            if not reply.get("tool_calls"):
                answer = json.loads(reply["content"])
                return {name: answer[name] for name in self._outputs}
            if not left:
                raise RuntimeError("no step is left")
            for call in reply["tool_calls"]:
                messages.append(self._observe(call, reply["content"], trajectory))
        raise RuntimeError("there is no step")

    def _ask(self, messages: list[Message]) -> Message:
        offered = [
            {"type": "function", "function": {key: tool[key] for key in ("name", "description", "parameters")}}
            for tool in self._params["tools"]
        ]
        lm = self._params["lm"]
        body = {"model": lm["model"], "messages": messages, "tools": offered}
        message: Message = _post(f"{lm['base_url']}/chat/completions", body, lm["api_key"])["choices"][0]["message"]
        return message

    def _observe(self, call: Message, thought: str, trajectory: list[Message]) -> Message:
        name, args = call["function"]["name"], json.loads(call["function"]["arguments"])
        if any(isinstance(value, int) and abs(value) > _EXACT for value in args.values()):
            observation = "error: a whole number has at most 53 bits"
        else:
            reply = _post(f"{self._params['tools_url']}/{name}", args)
            if "error" in reply:
                raise RuntimeError(reply["error"])
            observation = reply["result"]
        trajectory.append({"thought": thought, "tool_name": name, "tool_args": args, "observation": observation})
        return {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(observation)}


def _post(url: str, body: Message, key: str = "") -> Message:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    with urlopen(Request(url, json.dumps(body).encode(), headers), timeout=20) as response:
        answer: Message = json.load(response)
    return answer


def main() -> None:
    """Serve."""
    agent: Agent | None = None
    for line in sys.stdin:
        request = json.loads(line)
        method, params = request["method"], request.get("params")
        if method == "initialize":
            result: Message = MANIFEST
        elif method == "construct":
            agent, result = Agent(params), {"instance": "1"}
        elif agent and method == "calls":
            with ThreadPoolExecutor() as pool:
                result = {"outcomes": list(pool.map(agent.call, params["calls"]))}
        else:
            assert agent is not None
            result = agent.call(params)
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
