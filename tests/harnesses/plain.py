"""Connects a ReAct implementation to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).

All by itself, with nothing but the standard library: what other programs do that the kit has no part in.
"""

import json
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

#: In seconds: shorter than the kit waits for a call, so that an LM that never answers is this program's error.
TIMEOUT = 10

# What may be asked of it. What isn't declared is reported as unsupported, not as failed.
MANIFEST = {
    "name": "my-react",
    "version": "0.1.0",
    "language": "python",
    "dialects": ["json"],
    "default_dialect": "json",
    "capabilities": [
        "arrow-signature",
        "value-signature",
        "call-max-steps",
        "trajectory",
        "extraction",
        "step-signature",
        "concurrent-calls",
    ],
    "default_max_steps": 10,
}


# ---------------------------------------------------------------- replace me with your library: from here ...
class ToyReAct:
    def __init__(self, inputs, outputs, instructions, tools, max_steps, lm):
        refuse(inputs, outputs, tools)
        self.inputs, self.outputs, self.instructions = inputs, outputs, instructions
        self.tools, self.max_steps, self.lm = {tool["name"]: tool for tool in tools}, max_steps, lm

    # The loop.
    def __call__(self, inputs, max_steps):
        refuse_misfits(inputs, self.inputs)
        step = [
            ("next_thought", "what to do next, and why"),
            ("next_tool_name", f"one of: {', '.join([*self.tools, 'finish'])}"),
            ("next_tool_args", "the arguments of the tool, a valid JSON object"),
        ]
        prompts, trajectory = [tool["prompt"] for tool in self.tools.values()], []
        for _ in range(self.max_steps if max_steps is None else max_steps):
            thought, name, args = self.ask(step, inputs, trajectory, ["The tools are:", *prompts])
            if not (isinstance(thought, str) and isinstance(name, str)):
                raise ValueError("next_thought and next_tool_name are texts")
            if name == "finish":
                break
            seen = self.observe(name, args)
            trajectory.append({"thought": thought, "tool_name": name, "tool_args": args, "observation": seen})
        _, *answer = self.ask([("reasoning", "think step by step"), *self.outputs], inputs, trajectory)
        return dict(zip([name for name, _ in self.outputs], answer, strict=True)), trajectory

    def observe(self, name, args):
        if name not in self.tools:
            return f"Error: there is no tool {name!r}"
        if not isinstance(args, dict):
            return f"Error: the args of {name} are no JSON object"
        try:
            return self.tools[name]["run"](args)
        except Exception as error:
            return f"Error executing {name}: {error!r}"

    def ask(self, fields, inputs, trajectory, tools=()):
        system = ["Your input fields are:", *numbered([*self.inputs, ("trajectory", "the steps so far")])]
        system += ["Your output fields are:", *numbered(fields), "Reply with one JSON object of the output fields."]
        user = json.dumps({**inputs, "trajectory": trajectory}, ensure_ascii=False)
        return read(self.lm("\n".join([*system, *tools, self.instructions]), user), fields)


# What it refuses, how it reads a reply, and how it lists fields.
def read(reply, fields):
    values = json.loads(reply, parse_constant=refuse_constant)
    if not isinstance(values, dict) or not all(name in values for name, _ in fields):
        raise ValueError("the LM's reply is no JSON object of the output fields")
    return [values[name] for name, _ in fields]


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def refuse(inputs, outputs, tools):
    if not outputs:
        raise ValueError("the signature has no output fields")
    refuse_duplicates("field", [name for name, _ in [*inputs, *outputs]] + ["trajectory", "reasoning"])
    refuse_duplicates("tool", [tool["name"] for tool in tools] + ["finish"])


def refuse_duplicates(kind, names):
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two {kind}s are called {name!r}")


def refuse_misfits(inputs, fields):
    for name in sorted(set(inputs) ^ {name for name, _ in fields}):
        raise ValueError(f"{'unknown' if name in inputs else 'missing'} input {name!r}")


def numbered(fields):
    return [f"{number}. `{name}`: {description}" for number, (name, description) in enumerate(fields, 1)]


# ---------------------------------------------------------------- ... to here


def construct(case):
    """Build an instance of the library from what the kit describes."""
    signature, max_steps = case["signature"], case["options"]["max_steps"]
    inputs, outputs = ([(f["name"], f["description"]) for f in signature[side]] for side in ("inputs", "outputs"))
    tools = [make_tool(tool, case["tools_url"]) for tool in case["tools"]]
    max_steps = MANIFEST["default_max_steps"] if max_steps is None else max_steps
    return ToyReAct(inputs, outputs, signature["instructions"], tools, max_steps, make_lm(case["lm"]))


def make_tool(tool, tools_url):
    """A tool whose run is the kit's: it is told of the call, and gives the result or the error."""

    def run(args):
        reply = post(f"{tools_url}/{tool['name']}", args)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply["result"]

    prompt = json.dumps({key: tool[key] for key in ("name", "description", "parameters")}, ensure_ascii=False)
    return {"name": tool["name"], "prompt": prompt, "run": run}


def make_lm(endpoint):
    """The kit's LM: an OpenAI-compatible endpoint. Whatever it refuses must not be asked again."""

    def lm(system, user):
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        body = {"model": endpoint["model"], "messages": messages}
        reply = post(f"{endpoint['base_url']}/chat/completions", body, endpoint["api_key"])
        return reply["choices"][0]["message"]["content"]

    return lm


def post(url, body, key=""):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{error.code}: {error.read().decode()}") from None


def call(agent, params):
    """Call it and say how that ended. Whatever the library raises is an outcome too."""
    try:
        outputs, trajectory = agent(params["inputs"], params["max_steps"])
    except Exception as error:
        return {"status": "error", "error": {"type": type(error).__name__, "message": str(error)}}
    return {"status": "ok", "outputs": outputs, "trajectory": trajectory, "trajectory_format": "list"}


def main():
    agent = None
    for line in sys.stdin.buffer:
        request = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] == "initialize":
            answer["result"] = MANIFEST
        elif request["method"] == "construct":
            try:
                agent = construct(request["params"])
                answer["result"] = {"instance": "1"}
            except Exception as error:
                answer["error"] = {"code": -32001, "message": str(error)}
        elif request["method"] == "calls":
            calls = request["params"]["calls"]
            with ThreadPoolExecutor(len(calls)) as threads:
                answer["result"] = {"outcomes": list(threads.map(call, repeat(agent), calls))}
        else:
            answer["result"] = call(agent, request["params"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
