"""Serves the real `udspy.ReAct` to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).

It is run by the interpreter whose udspy is to be tested, and needs nothing but that udspy.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from importlib.metadata import version
from operator import or_
from pathlib import Path

# An isolated interpreter doesn't look beside the file.
sys.path.insert(0, str(Path(__file__).parent))

from harness_parts import (
    Server,
    answer_all,
    make_annotation,
    make_function,
    make_plain,
    make_runner,
    own_output,
)

CAPABILITIES = ["arrow-signature", "class-signature", "typed-fields", "nested-fields", "call-max-steps"]
CAPABILITIES += ["async", "async-tools", "trajectory", "extraction", "step-signature", "concurrent-calls", "parse"]
CHOICES = {
    "unknown-tool": "extract",
    "malformed-args": "observe",
    "schema-mismatch": "coerce when lossless, or observe",
    "malformed-reply": "retries 2, then error",
    "tool-name-matching": "exact",
    "args-notation": "JSON only",
    "empty-args": "observe",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "lm-fault": "retries 2, then error",
    "steps-exhausted": "extract",
    "step-adapter": "same as extraction",
    "tool-error": "observe",
    "trajectory-format": "list",
    "finish-recorded": "yes",
    "max-steps-default": "10",
    "max-steps-zero": "extract at once",
    "extraction": "chain-of-thought",
    "integer-range": "any",
}


LM_TIMEOUT = 10
#: What is otherwise here than users of udspy have it, each with what can't be judged by that.
DEVIATIONS = {
    "OpenAILM(client=…): the client of OpenAI's SDK is made here": [],
    "AsyncOpenAI(max_retries=0): the SDK asks once, where it asks three times; udspy's own three tries are kept": [],
    "AsyncOpenAI(timeout=…): it waits ten seconds for an answer, where it waits ten minutes": [],
    "AsyncOpenAI(default_headers=…): no connection is kept from one event loop to the next": [],
    "tenacity.wait_exponential=…: udspy waits for nothing between its tries, where it waits three seconds": [],
}


def make_manifest():
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
        "deviations": DEVIATIONS,
        "retries": 2,
        "parse_errors": ["AdapterParseError"],
    }


def unite_types(types):
    """Return a value of any of these types, as udspy's users write it."""
    return reduce(or_, types)


def make_signature(wanted):
    """Return the signature in the form the case wants; udspy's arrows know no types."""
    fields = [*wanted["inputs"], *wanted["outputs"]]
    if wanted["form"] == "arrow" and all(field["json_schema"] == {"type": "string"} for field in fields):
        return wanted["arrow"]
    sides = (("inputs", udspy.InputField), ("outputs", udspy.OutputField))
    members = {f["name"]: make(description=f["description"] or None) for side, make in sides for f in wanted[side]}
    types = {field["name"]: make_annotation(field["json_schema"], unite_types) for field in fields}
    members.update({"__annotations__": types, "__module__": __name__, "__doc__": wanted["instructions"]})
    return type(udspy.Signature)("Task", (udspy.Signature,), members)


def parse_reply(params):
    """Return what udspy's adapter makes of a reply."""
    from udspy.adapter import ChatAdapter

    text = params["reply"]["content"] or ""
    types = {name: make_annotation(schema, unite_types) for name, schema in params["fields"].items()}
    members = {"question": udspy.InputField(), **{name: udspy.OutputField() for name in types}}
    members.update({"__annotations__": {"question": str, **types}, "__module__": __name__, "__doc__": "Answer."})
    signature = type(udspy.Signature)("Task", (udspy.Signature,), members)
    try:
        adapter = ChatAdapter()
        found = adapter.parse_outputs(signature, text)
        adapter.validate_outputs(signature, found, [], text)
        return {"fields": make_plain(dict(found))}
    except Exception as error:
        return {"error": {"type": type(error).__name__, "message": str(error)}}


def python_tool(tool, tools_url):
    """Return a tool with the parameters it declares, whose every run is the kit's."""
    made = make_function(tool, make_runner(tool, tools_url), unite=unite_types)
    return udspy.Tool(made, name=tool["name"], description=tool["description"])


def language_model(lm):
    """udspy's own client of the kit's LM, with its three tries. Each call has an event loop of its own."""
    from openai import AsyncOpenAI
    from udspy.lm.openai import OpenAILM

    address = {"base_url": lm["base_url"], "api_key": lm["api_key"]}
    client = AsyncOpenAI(**address, max_retries=0, timeout=LM_TIMEOUT, default_headers={"Connection": "close"})
    return OpenAILM(client=client, default_model=lm["model"])


class Agent:
    """A constructed `udspy.ReAct`, with the LM of its episode."""

    def __init__(self, params):
        self.outputs = {field["name"] for field in params["signature"]["outputs"]}
        self.lm = language_model(params["lm"])
        tools = [python_tool(tool, params["tools_url"]) for tool in params["tools"]]
        max_steps = params["options"]["max_steps"]
        limits = {} if max_steps is None else {"max_iters": max_steps}
        self.module = udspy.ReAct(make_signature(params["signature"]), tools=tools, **limits)

    def call(self, params):
        """Return the outcome. Whatever udspy raises is one too."""
        arguments = dict(params["inputs"])
        if params["max_steps"] is not None:
            arguments["max_iters"] = params["max_steps"]
        try:
            with udspy.settings.context(lm=self.lm):
                prediction = self.run_module(params["mode"], arguments)
        except Exception as error:
            return {"status": "error", "error": {"type": type(error).__name__, "message": str(error)}}
        outputs = {name: make_plain(value) for name, value in prediction.items() if name in self.outputs}
        trajectory = make_plain(prediction["trajectory"])
        return {"status": "ok", "outputs": outputs, "trajectory": trajectory, "trajectory_format": "list"}

    def run_module(self, mode, arguments):
        if mode == "async":
            return asyncio.run(self.module.aforward(**arguments))
        return self.module(**arguments)


class UdspyServer(Server):
    """Answers calls at once, too."""

    def __init__(self, manifest, agent):
        super().__init__(manifest, agent)
        self.methods.update(calls=self.calls, parse=parse_reply)

    def calls(self, params):
        """Each in a thread of its own, asynchronous ones in an event loop of their own."""
        with ThreadPoolExecutor(len(params["calls"])) as threads:
            return {"outcomes": list(threads.map(self.call, params["calls"]))}


if __name__ == "__main__":
    answers = own_output()
    try:
        import tenacity

        # Some releases look this up when they are imported.
        tenacity.wait_exponential = lambda **_: tenacity.wait_none()
        import udspy
    except Exception as problem:
        sys.exit(f"{sys.executable} can't import udspy: {type(problem).__name__}: {problem}")
    answer_all(UdspyServer(make_manifest, Agent), answers)
