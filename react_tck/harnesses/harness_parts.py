"""What the kit's own harnesses share: types of JSON Schemas, tools that the kit runs, and JSON-RPC on stdin and stdout.

Their interpreters may be as old as Python 3.9, and have nothing but the library that is tested.
"""

import http.client
import json
import math
import os
import sys
from typing import Any, Literal, Union
from urllib.parse import urlsplit

TIMEOUT = 60
UNKNOWN_METHOD, INVALID_PARAMS, REFUSED = -32601, -32602, -32001
SCALARS = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}


def unite_types(types):
    """Return a value of any of these types."""
    return Union[types]  # noqa: UP007 - Python 3.9 too


def make_annotation(schema, unite=unite_types):
    """Return the Python type of a JSON Schema; an object with properties becomes a pydantic model."""
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if "anyOf" in schema:
        return unite(tuple(make_annotation(member, unite) for member in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array":
        return list[make_annotation(schema["items"], unite)] if schema.get("items") else list
    if kind == "object" and schema.get("properties"):
        return make_model(schema, unite)
    if kind == "object":
        values = schema.get("additionalProperties")
        return dict[str, make_annotation(values, unite) if isinstance(values, dict) else Any]
    return SCALARS[kind] if kind else Any


def make_model(schema, unite):
    """Return a pydantic model; the library brings pydantic."""
    from pydantic import create_model

    required = schema.get("required", [])
    fields = {
        name: (make_annotation(inner, unite), ... if name in required else inner.get("default"))
        for name, inner in schema["properties"].items()
    }
    extra = {"extra": "allow" if schema.get("additionalProperties") else "ignore"}
    return create_model(schema.get("title", "Object"), __config__=extra, **fields)


def make_runner(tool, tools_url):
    """Return what runs a tool: every run is the kit's."""

    def run_tool(args):
        reply = post_json(f"{tools_url}/{tool['name']}", args)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply["result"]

    return run_tool


def make_function(tool, run, first="", unite=unite_types):
    """Return the tool as a user would write it: optional parameters last, `**` for what an open one takes."""
    properties, required = tool["parameters"].get("properties", {}), tool["parameters"].get("required", [])
    names = sorted(properties, key=lambda name: name not in required)
    more = ["**kwargs_" if "kwargs" in names else "**kwargs"] if tool["parameters"].get("additionalProperties") else []
    args = ", ".join([*(f"{name!r}: {name}" for name in names), *more])
    scope = {"run_": run}
    head = f"def made({', '.join([*filter(None, [first]), *names, *more])})"
    exec(f"{'async ' if tool['is_async'] else ''}{head}: return run_({{{args}}})", scope)
    function = scope["made"]
    function.__name__ = function.__qualname__ = tool["name"]
    function.__doc__ = tool["description"]
    function.__defaults__ = tuple(properties[name].get("default") for name in names if name not in required) or None
    typed = {name: schema for name, schema in properties.items() if not {"type", "enum", "anyOf"}.isdisjoint(schema)}
    function.__annotations__ = {name: make_annotation(schema, unite) for name, schema in typed.items()}
    return function


def post_json(url, body, api_key=""):
    """Return the kit's answer to a JSON body."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT)
    headers = {"Content-Type": "application/json"}
    if api_key:
        headers["Authorization"] = f"Bearer {api_key}"
    try:
        connection.request("POST", parts.path, json.dumps(body, default=make_plain), headers)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def make_plain(value):
    """Return the value as JSON; models by their fields, and what JSON can't hold as Python writes it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return str(value) if isinstance(value, float) and not math.isfinite(value) else value
    if isinstance(value, dict):
        return {str(key): make_plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [make_plain(inner) for inner in value]
    return make_plain(value.model_dump()) if callable(getattr(value, "model_dump", None)) else repr(value)


class Server:
    """Answers JSON-RPC requests: builds agents with the given class, keeps them by number and calls them."""

    def __init__(self, manifest, agent):
        self.agent, self.agents = agent, {}
        self.methods = {"initialize": lambda _: manifest(), "construct": self.construct, "call": self.call}

    def answer(self, request):
        """Return the JSON-RPC response to a request; what its method raises becomes an error response."""
        method = self.methods.get(request["method"])
        if method is None:
            return make_error(request, UNKNOWN_METHOD, f"there is no method {request['method']!r}")
        try:
            return {"jsonrpc": "2.0", "id": request["id"], "result": method(request["params"])}
        except Exception as refusal:
            code = REFUSED if request["method"] == "construct" else INVALID_PARAMS
            return make_error(request, code, f"{type(refusal).__name__}: {refusal}")

    def construct(self, params):
        name = str(len(self.agents) + 1)
        self.agents[name] = self.agent(params)
        return {"instance": name}

    def call(self, params):
        return self.agents[params["instance"]].call(params)


def make_error(request, code, message):
    return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}}


def own_output():
    """Return the standard output, for answers alone: whatever else writes there goes to the standard error."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return output


def answer_all(server, output):
    """Answer until there are no more requests."""
    for line in sys.stdin.buffer:
        print(json.dumps(server.answer(json.loads(line))), file=output, flush=True)
