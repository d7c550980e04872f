"""Serves the real `dspy.ReAct` to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).

It is run by the interpreter whose dspy is to be tested, and needs nothing but that dspy, from 2.5.29 on.
"""

import asyncio
import http.client
import inspect
import json
import math
import os
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any, Literal, Union
from urllib.parse import urlsplit

# Otherwise litellm fetches a price list from the network when imported.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

TIMEOUT = 60
UNKNOWN_METHOD, INVALID_PARAMS, REFUSED = -32601, -32602, -32001
SCALARS = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}
#: The classes a dialect's adapter has been called, the newest first.
ADAPTERS = {"chat": ("ChatAdapter",), "json": ("JSONAdapter", "JsonAdapter"), "xml": ("XMLAdapter",)}


def manifest():
    """Name, version, and what the installed release offers."""
    return {
        "name": "dspy.ReAct",
        "version": version("dspy"),
        "homepage": "https://dspy.ai",
        "dialects": [dialect for dialect in ADAPTERS if _adapter(dialect)],
        "default_dialect": "chat",
        "capabilities": _capabilities(),
        "choices": {"max-steps-default": str(_default_steps()), "extraction": "chain-of-thought"},
        "default_max_steps": _default_steps(),
        "retries": 1,  # the chat adapter's second try with the JSON adapter
    }


def _capabilities():
    always = ["arrow-signature", "class-signature", "value-signature", "typed-fields", "nested-fields"]
    always += ["global-adapter", "callable-tools", "trajectory", "extraction", "step-signature"]
    offered = {
        "history": hasattr(dspy, "History"),
        "call-max-steps": "max_iters" in inspect.unwrap(dspy.ReAct.forward).__code__.co_consts,
        "async": hasattr(dspy.ReAct, "aforward"),
        "async-tools": hasattr(dspy.ReAct, "aforward"),
    }
    return always + [name for name, is_offered in offered.items() if is_offered]


def _default_steps():
    return inspect.signature(dspy.ReAct.__init__).parameters["max_iters"].default


def _adapter(dialect):
    found = (getattr(dspy, name, None) or getattr(dspy.adapters, name, None) for name in ADAPTERS[dialect])
    return next((adapter for adapter in found if adapter), None)


def annotation(schema):
    """The Python type of a JSON Schema; an object with properties becomes a pydantic model."""
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if "anyOf" in schema:
        return Union[tuple(annotation(member) for member in schema["anyOf"])]  # noqa: UP007 - Python 3.9 too
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
    """A pydantic model; dspy brings pydantic."""
    from pydantic import create_model

    required = schema.get("required", [])
    fields = {
        name: (annotation(inner), ... if name in required else inner.get("default"))
        for name, inner in schema["properties"].items()
    }
    extra = {"extra": "allow" if schema.get("additionalProperties") else "ignore"}
    return create_model(schema.get("title", "Object"), __config__=extra, **fields)


def signature(wanted):
    """The signature in the form the case wants."""
    if wanted["form"] == "arrow":
        return wanted["arrow"]
    sides = (("inputs", dspy.InputField), ("outputs", dspy.OutputField))
    fields = [(field, make) for side, make in sides for field in wanted[side]]
    types = {f["name"]: dspy.History if f["history"] else annotation(f["json_schema"]) for f, _ in fields}
    made = {field["name"]: make(**({"desc": text} if (text := field["description"]) else {})) for field, make in fields}
    if wanted["form"] == "value":
        return dspy.Signature({name: (types[name], made[name]) for name in made}, wanted["instructions"] or None)
    members = {**made, "__annotations__": types, "__module__": __name__}
    if wanted["instructions"]:
        members["__doc__"] = wanted["instructions"]
    return type(dspy.Signature)("Task", (dspy.Signature,), members)


def python_tool(tool, tools_url):
    """A function, method or callable object with the tool's parameters, whose every run is the kit's."""

    def run(args):
        reply = post(f"{tools_url}/{tool['name']}", args)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply["result"]

    if tool["callable_form"] == "function":
        return written(tool, run)
    method = written(tool, run, "self" if "self" not in tool["parameters"].get("properties", {}) else "self_")
    members = {"run": method, "__call__": method, "__doc__": tool["description"], "__name__": tool["name"]}
    owner = type("Tools", (), members)()
    return owner.run if tool["callable_form"] == "method" else owner


def written(tool, run, first=""):
    """The tool as a user would have written it: optional parameters last, `**` for what an open one takes besides."""
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
    function.__annotations__ = {name: annotation(schema) for name, schema in typed.items()}
    return function


def post(url, body):
    """The kit's answer to a JSON body."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT)
    try:
        text = json.dumps(body, default=plain)
        connection.request("POST", parts.path, text, {"Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


class Agent:
    """A constructed `dspy.ReAct`, with the LM and the adapter of its episode."""

    #: What a prediction holds besides the outputs of the user's signature.
    OWN = {"reasoning"}

    def __init__(self, params):
        self.signature, options = params["signature"], params["options"]
        tools = [python_tool(tool, params["tools_url"]) for tool in params["tools"]]
        self.settings = {"lm": language_model(params["lm"])}
        if CONVERTS_ASYNC_TOOLS:
            self.settings["allow_tool_async_sync_conversion"] = True
        if options["adapter"]:
            self.settings["adapter"] = _adapter(options["adapter"])()
        # Older releases look at the configured LM when a module is made.
        with dspy.context(**self.settings):
            self.module = self.make(signature(self.signature), tools, options)

    def make(self, made, tools, options):
        """The module under test."""
        limits = {} if options["max_steps"] is None else {"max_iters": options["max_steps"]}
        return dspy.ReAct(made, tools, **limits)

    def call(self, params):
        """The outcome. Whatever dspy raises is one too."""
        own = {"adapter": _adapter(params["adapter"])()} if params["adapter"] else {}
        try:
            with dspy.context(**{**self.settings, **own}):
                prediction = self.predict(params)
        except Exception as error:
            return {"status": "error", "error": {"type": type(error).__name__, "message": str(error)}}
        return self.outcome(prediction)

    def predict(self, params):
        arguments = self.arguments(params)
        if params["mode"] == "async":
            return LOOP.run_until_complete(self.module.acall(**arguments))
        return self.module(**arguments)

    def arguments(self, params):
        arguments = dict(params["inputs"])
        field = next((field["name"] for field in self.signature["inputs"] if field["history"]), None)
        if field and params["history"] is not None:
            arguments[field] = dspy.History(messages=params["history"])
        if params["max_steps"] is not None:
            arguments["max_iters"] = params["max_steps"]
        return arguments

    def outcome(self, prediction):
        named = {name: plain(value) for name, value in prediction.items()}
        trajectory = named.pop("trajectory", None)
        own = self.OWN - {field["name"] for field in self.signature["outputs"]}
        return {
            "status": "ok",
            "outputs": {name: value for name, value in named.items() if name not in own},
            "trajectory": trajectory,
            "trajectory_format": "none" if trajectory is None else "mapping",
        }


def language_model(lm):
    """The kit's LM as dspy's. Its cache must be off: a second, identical episode has to ask again."""
    endpoint = {"api_base": lm["base_url"], "api_key": lm["api_key"]}
    return dspy.LM(f"openai/{lm['model']}", cache=False, num_retries=0, **endpoint)


def plain(value):
    """The value as JSON; models by their fields, and what JSON can't hold as Python writes it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return str(value) if isinstance(value, float) and not math.isfinite(value) else value
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return plain(value.model_dump()) if callable(getattr(value, "model_dump", None)) else repr(value)


class Server:
    """Answers request by request."""

    def __init__(self, manifest, agent):
        self.manifest, self.agent, self.agents = manifest, agent, {}

    def answer(self, request):
        """The answer to one."""
        methods = {"initialize": lambda _: self.manifest(), "construct": self.construct, "call": self.call}
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
        self.agents[name] = self.agent(params)
        return {"instance": name}

    def call(self, params):
        return self.agents[params["instance"]].call(params)


def error(request, code, message):
    return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}}


def own_output():
    """The standard output, for answers alone: whatever else writes there goes to the standard error."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return output


def serve(library, manifest, agent):
    """Answer until there are no more requests."""
    global dspy, CONVERTS_ASYNC_TOOLS, LOOP
    output = own_output()
    try:
        import dspy

        import_module(library)
    except Exception as problem:
        sys.exit(f"{sys.executable} can't import {library}: {type(problem).__name__}: {problem}")
    CONVERTS_ASYNC_TOOLS = "allow_tool_async_sync_conversion" in dspy.settings.config
    LOOP = asyncio.new_event_loop()
    server = Server(manifest, agent)
    for line in sys.stdin.buffer:
        print(json.dumps(server.answer(json.loads(line))), file=output, flush=True)


if __name__ == "__main__":
    serve("dspy", manifest, Agent)
