"""Serves the real `udspy.ReAct` to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).

It is run by the interpreter whose udspy is to be tested, and needs nothing but that udspy.
"""

import asyncio
import http.client
import json
import math
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any, Literal
from urllib.parse import urlsplit

TIMEOUT = 60
UNKNOWN_METHOD, INVALID_PARAMS, REFUSED = -32601, -32602, -32001
SCALARS = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}
CAPABILITIES = ["arrow-signature", "class-signature", "typed-fields", "nested-fields", "call-max-steps"]
CAPABILITIES += ["async", "async-tools", "trajectory", "extraction", "step-signature", "concurrent-calls"]
CHOICES = {
    "unknown-tool": "extract",
    "malformed-args": "observe",
    "schema-mismatch": "coerce when lossless",
    "malformed-reply": "retries 2, then error",
    "tool-name-matching": "exact",
    "args-notation": "JSON only",
    "empty-args": "observe",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "lm-fault": "error",
    "steps-exhausted": "extract",
    "step-adapter": "same as extraction",
    "tool-error": "observe",
    "trajectory-format": "list",
    "finish-recorded": "yes",
    "max-steps-default": "10",
    "max-steps-zero": "extract at once",
    "extraction": "chain-of-thought",
}


def manifest():
    """Name, version, and what the library offers."""
    return {
        "name": "udspy.ReAct",
        "version": version("udspy"),
        "homepage": "https://github.com/silvestrid/udspy",
        "dialects": ["json"],
        "default_dialect": "json",
        "capabilities": CAPABILITIES,
        "choices": CHOICES,
        "default_max_steps": 10,
        "retries": 2,
    }


def annotation(schema):
    """The Python type of a JSON Schema; an object with properties becomes a pydantic model."""
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if "anyOf" in schema:
        first, *others = [annotation(member) for member in schema["anyOf"]]
        for other in others:
            first = first | other
        return first
    kind = schema.get("type")
    if kind == "array":
        return list[annotation(schema["items"])] if schema.get("items") else list
    if kind == "object" and schema.get("properties"):
        return model(schema)
    if kind == "object":
        values = schema.get("additionalProperties")
        return dict[str, annotation(values) if isinstance(values, dict) else Any]
    return SCALARS[kind] if kind else Any


def model(schema):
    """A pydantic model; udspy brings pydantic."""
    from pydantic import create_model

    required = schema.get("required", [])
    fields = {
        name: (annotation(inner), ... if name in required else inner.get("default"))
        for name, inner in schema["properties"].items()
    }
    extra = {"extra": "allow" if schema.get("additionalProperties") else "ignore"}
    return create_model(schema.get("title", "Object"), __config__=extra, **fields)


def signature(wanted):
    """The signature in the form the case wants; udspy's arrows know no types."""
    fields = [*wanted["inputs"], *wanted["outputs"]]
    if wanted["form"] == "arrow" and all(field["json_schema"] == {"type": "string"} for field in fields):
        return wanted["arrow"]
    sides = (("inputs", udspy.InputField), ("outputs", udspy.OutputField))
    members = {f["name"]: make(description=f["description"] or None) for side, make in sides for f in wanted[side]}
    types = {field["name"]: annotation(field["json_schema"]) for field in fields}
    members.update({"__annotations__": types, "__module__": __name__, "__doc__": wanted["instructions"]})
    return type(udspy.Signature)("Task", (udspy.Signature,), members)


def python_tool(tool, tools_url):
    """A tool with the parameters it declares, whose every run is the kit's."""

    def run(args):
        reply = post(f"{tools_url}/{tool['name']}", args)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply["result"]

    return udspy.Tool(written(tool, run), name=tool["name"], description=tool["description"])


def written(tool, run):
    """The tool as a user would have written it: optional parameters last, `**` for what an open one takes besides."""
    properties, required = tool["parameters"].get("properties", {}), tool["parameters"].get("required", [])
    names = sorted(properties, key=lambda name: name not in required)
    more = ["**kwargs_" if "kwargs" in names else "**kwargs"] if tool["parameters"].get("additionalProperties") else []
    args = ", ".join([*(f"{name!r}: {name}" for name in names), *more])
    scope = {"run_": run}
    head = f"def made({', '.join([*names, *more])})"
    exec(f"{'async ' if tool['is_async'] else ''}{head}: return run_({{{args}}})", scope)
    function = scope["made"]
    function.__name__ = function.__qualname__ = tool["name"]
    function.__doc__ = tool["description"]
    function.__defaults__ = tuple(properties[name].get("default") for name in names if name not in required) or None
    typed = {name: schema for name, schema in properties.items() if not {"type", "enum", "anyOf"}.isdisjoint(schema)}
    function.__annotations__ = {name: annotation(schema) for name, schema in typed.items()}
    return function


def post(url, body, api_key=""):
    """The kit's answer to a JSON body."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {api_key}"}
    try:
        connection.request("POST", parts.path, json.dumps(body, default=plain), headers)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def language_model(lm):
    """The kit's LM as udspy's. Not udspy's own client of OpenAI, whose three tries at everything take seconds."""
    from openai.types.chat import ChatCompletion
    from udspy.lm.base import LM

    class KitLM(LM):
        async def acomplete(self, messages, **_):
            said = [{"role": message["role"], "content": message.get("content")} for message in messages]
            body = {"model": lm["model"], "messages": said}
            reply = post(f"{lm['base_url']}/chat/completions", body, lm["api_key"])
            if "error" in reply:
                raise RuntimeError(reply["error"]["message"])
            return ChatCompletion.model_validate(reply)

    return KitLM()


class Agent:
    """A constructed `udspy.ReAct`, with the LM of its episode."""

    def __init__(self, params):
        self.outputs = {field["name"] for field in params["signature"]["outputs"]}
        self.lm = language_model(params["lm"])
        tools = [python_tool(tool, params["tools_url"]) for tool in params["tools"]]
        max_steps = params["options"]["max_steps"]
        limits = {} if max_steps is None else {"max_iters": max_steps}
        self.module = udspy.ReAct(signature(params["signature"]), tools=tools, **limits)

    def call(self, params):
        """The outcome. Whatever udspy raises is one too."""
        arguments = dict(params["inputs"])
        if params["max_steps"] is not None:
            arguments["max_iters"] = params["max_steps"]
        try:
            with udspy.settings.context(lm=self.lm):
                prediction = self.predict(params["mode"], arguments)
        except Exception as error:
            return {"status": "error", "error": {"type": type(error).__name__, "message": str(error)}}
        outputs = {name: plain(value) for name, value in prediction.items() if name in self.outputs}
        trajectory = plain(prediction["trajectory"])
        return {"status": "ok", "outputs": outputs, "trajectory": trajectory, "trajectory_format": "list"}

    def predict(self, mode, arguments):
        if mode == "async":
            return asyncio.run(self.module.aforward(**arguments))
        return self.module(**arguments)


def plain(value):
    """The value as JSON; models by their fields, and what JSON can't hold as Python writes it."""
    if value is None or isinstance(value, bool | int | float | str):
        return str(value) if isinstance(value, float) and not math.isfinite(value) else value
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return plain(value.model_dump()) if callable(getattr(value, "model_dump", None)) else repr(value)


class Server:
    """Answers request by request."""

    def __init__(self):
        self.agents = {}

    def answer(self, request):
        """The answer to one."""
        methods = {
            "initialize": lambda _: manifest(),
            "construct": self.construct,
            "call": self.call,
            "calls": self.calls,
        }
        method = methods.get(request["method"])
        if method is None:
            return error(request, UNKNOWN_METHOD, f"there is no method {request['method']!r}")
        try:
            return {"jsonrpc": "2.0", "id": request["id"], "result": method(request["params"])}
        except Exception as refusal:
            code = REFUSED if request["method"] == "construct" else INVALID_PARAMS
            return error(request, code, f"{type(refusal).__name__}: {refusal}")

    def construct(self, params):
        name = str(len(self.agents) + 1)
        self.agents[name] = Agent(params)
        return {"instance": name}

    def call(self, params):
        return self.agents[params["instance"]].call(params)

    def calls(self, params):
        """Each in a thread of its own, asynchronous ones in an event loop of their own."""
        with ThreadPoolExecutor(len(params["calls"])) as threads:
            return {"outcomes": list(threads.map(self.call, params["calls"]))}


def error(request, code, message):
    return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}}


def own_output():
    """The standard output, for answers alone: whatever else writes there goes to the standard error."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return output


def main(output):
    """Answer until there are no more requests."""
    server = Server()
    for line in sys.stdin.buffer:
        print(json.dumps(server.answer(json.loads(line))), file=output, flush=True)


if __name__ == "__main__":
    answers = own_output()
    try:
        import udspy
    except Exception as problem:
        sys.exit(f"{sys.executable} can't import udspy: {type(problem).__name__}: {problem}")
    main(answers)
