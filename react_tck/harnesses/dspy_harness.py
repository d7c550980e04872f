"""Serves the real `dspy.ReAct` to react-tck: JSON-RPC on stdin and stdout, one object a line (docs/PROTOCOL.md).

It is run by the interpreter whose dspy is to be tested, and needs nothing but that dspy, from 2.5.29 on.
"""

import asyncio
import inspect
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

# An isolated interpreter doesn't look beside the file.
sys.path.insert(0, str(Path(__file__).parent))

from harness_parts import Server, answer_all, make_annotation, make_function, make_plain, make_runner, own_output

# Otherwise litellm fetches a price list from the network when imported.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

#: The kit's model: of one that litellm knows dspy may ask in another way, and once more.
MODEL = "tck"
#: The classes a dialect's adapter has been called, the newest first.
ADAPTERS = {"chat": ("ChatAdapter",), "json": ("JSONAdapter", "JsonAdapter"), "xml": ("XMLAdapter",)}


#: What is otherwise here than users of dspy have it, each with what can't be judged by that.
DEVIATIONS = {
    "LM(cache=False): an episode that is played again has to ask again": [],
    "LM(num_retries=0): dspy asks a failed provider once, where it asks up to four times by default": ["ERR-026"],
    "context(allow_tool_async_sync_conversion=True): dspy runs asynchronous tools in synchronous calls only for users "
    "who set this": [],
}


def make_manifest():
    """Name, version, and what the installed release offers."""
    return {
        "name": "dspy.ReAct",
        "version": version("dspy"),
        "homepage": "https://dspy.ai",
        "dialects": [dialect for dialect in ADAPTERS if find_adapter(dialect)],
        "default_dialect": "chat",
        "capabilities": _list_capabilities(),
        "choices": {"max-steps-default": str(_default_steps()), "extraction": "chain-of-thought"},
        "default_max_steps": _default_steps(),
        "deviations": DEVIATIONS,
        "retries": count_retries(),
        "parse_errors": _list_parse_errors(),
    }


def _list_capabilities():
    always = ["arrow-signature", "class-signature", "value-signature", "typed-fields", "nested-fields"]
    always += ["global-adapter", "callable-tools", "trajectory", "extraction", "step-signature"]
    offered = {
        "history": hasattr(dspy, "History"),
        "call-max-steps": "max_iters" in inspect.unwrap(dspy.ReAct.forward).__code__.co_consts,
        "async": hasattr(dspy.ReAct, "aforward"),
        "async-tools": hasattr(dspy.ReAct, "aforward"),
        "declared-tools": hasattr(dspy, "Tool") and "args" in inspect.signature(dspy.Tool.__init__).parameters,
        "concurrent-calls": True,
        "parse": _can_parse(),
        "truncation": hasattr(dspy.ReAct, "truncate_trajectory"),
        "save-load": hasattr(dspy.ReAct, "dump_state") and hasattr(dspy.ReAct, "load_state"),
    }
    return always + [name for name, is_offered in offered.items() if is_offered]


def _can_parse():
    """Tell whether the adapters read a reply on their own, which is tried."""
    wanted = {
        "dialect": "chat",
        "reply": {"content": "[[ ## answer ## ]]\n5"},
        "fields": {"answer": {"type": "string"}},
    }
    return parse_reply(wanted).get("fields") == {"answer": "5"}


def _list_parse_errors():
    """By which types of error its adapters refuse a reply: older releases had none of their own."""
    has_own = hasattr(getattr(dspy.utils, "exceptions", None), "AdapterParseError")
    return ["AdapterParseError"] if has_own else ["ValueError"]


def count_retries():
    """How often a reply that can't be read is asked for again, which is tried: releases differ in what they do then."""
    asked = []

    class Unreadable(dspy.LM):
        def __call__(self, *args, **options):
            asked.append((args, options))
            return ["I can't say."]

    lm = Unreadable(f"openai/{MODEL}", cache=False, num_retries=0, api_key="none")
    with dspy.context(lm=lm), suppress(Exception):
        dspy.Predict("question -> answer: int")(question="How many?")
    return max(len(asked) - 1, 0)


def parse_reply(params):
    """Return what the adapter of the dialect makes of a reply."""
    try:
        fields = {name: (make_annotation(schema), dspy.OutputField()) for name, schema in params["fields"].items()}
        signature = dspy.Signature({"question": (str, dspy.InputField()), **fields}, "Answer the question.")
        found = find_adapter(params["dialect"])().parse(signature, params["reply"]["content"] or "")
        return {"fields": make_plain(dict(found))}
    except Exception as error:
        return {"error": {"type": type(error).__name__, "message": str(error)}}


def _default_steps():
    return inspect.signature(dspy.ReAct.__init__).parameters["max_iters"].default


def find_adapter(dialect):
    found = (getattr(dspy, name, None) or getattr(dspy.adapters, name, None) for name in ADAPTERS[dialect])
    return next((adapter for adapter in found if adapter), None)


def make_signature(wanted):
    """Return the signature in the form the case wants."""
    if wanted["form"] == "arrow":
        return wanted["arrow"]
    sides = (("inputs", dspy.InputField), ("outputs", dspy.OutputField))
    fields = [(field, make) for side, make in sides for field in wanted[side]]
    types = {field["name"]: _make_type(field) for field, _ in fields}
    made = {field["name"]: make(**({"desc": text} if (text := field["description"]) else {})) for field, make in fields}
    if wanted["form"] == "value":
        return dspy.Signature({name: (types[name], made[name]) for name in made}, wanted["instructions"] or None)
    members = {**made, "__annotations__": types, "__module__": __name__}
    if wanted["instructions"]:
        members["__doc__"] = wanted["instructions"]
    return type(dspy.Signature)("Task", (dspy.Signature,), members)


def _make_type(field):
    if field["history"]:
        return dspy.History
    return dspy.Image if is_image(field) else make_annotation(field["json_schema"])


def is_image(field):
    """Tell whether its values are images, given as data URLs."""
    return str(field["json_schema"].get("contentMediaType", "")).startswith("image/")


def python_tool(tool, tools_url):
    """Return a function, method or callable object with the tool's parameters, whose every run is the kit's."""
    run = make_runner(tool, tools_url)
    if tool["callable_form"] == "declared":
        return declared_tool(tool, run)
    if tool["callable_form"] == "function":
        return make_function(tool, run)
    method = make_function(tool, run, "self" if "self" not in tool["parameters"].get("properties", {}) else "self_")
    members = {"run": method, "__call__": method, "__doc__": tool["description"], "__name__": tool["name"]}
    owner = type("Tools", (), members)()
    return owner.run if tool["callable_form"] == "method" else owner


def declared_tool(tool, run):
    """Return a `dspy.Tool` whose function takes args of any name: its schema alone says which."""
    function = make_function({**tool, "parameters": {"additionalProperties": True}}, run)
    return dspy.Tool(function, name=tool["name"], desc=tool["description"], args=tool["parameters"]["properties"])


class Agent:
    """A constructed `dspy.ReAct`, with the LM and the adapter of its episode."""

    #: What a prediction holds besides the outputs of the user's signature.
    OWN = {"reasoning"}

    def __init__(self, params):
        self.signature, options = params["signature"], params["options"]
        tools = [python_tool(tool, params["tools_url"]) for tool in params["tools"]]
        self.settings = {"lm": language_model(params["lm"])}
        if options["adapter"]:
            self.settings["adapter"] = find_adapter(options["adapter"])()
        # Older releases look at the configured LM when a module is made.
        with self.use_settings():
            self.module = self.make_module(make_signature(self.signature), tools, options)
        if options["demos"]:
            self.give_demos(options["demos"])

    def make_module(self, made, tools, options):
        """Return the `dspy.ReAct` under test, with the limit of steps if the case sets one."""
        limits = {} if options["max_steps"] is None else {"max_iters": options["max_steps"]}
        return dspy.ReAct(made, tools, **limits)

    def give_demos(self, demos):
        """Examples for the two internal predictors, as an optimizer gives them."""
        predictors = {name.partition(".")[0]: made for name, made in self.module.named_predictors()}
        for part, name in (("step", "react"), ("extraction", "extract")):
            predictors[name].demos = [dspy.Example(**demo) for demo in demos[part]]

    def use_settings(self, **own):
        """dspy's settings for the kit, and these of one call."""
        more = {**self.settings, **own}
        return dspy.context(**more, **({"allow_tool_async_sync_conversion": True} if CONVERTS_ASYNC_TOOLS else {}))

    def call(self, params):
        """Return the outcome. Whatever dspy raises is one too."""
        own = {"adapter": find_adapter(params["adapter"])()} if params["adapter"] else {}
        try:
            with self.use_settings(**own):
                prediction = self.run_module(params)
        except Exception as error:
            return {"status": "error", "error": {"type": type(error).__name__, "message": str(error)}}
        return self.make_outcome(prediction)

    def run_module(self, params):
        arguments = self.make_arguments(params)
        if params["mode"] == "async":
            return asyncio.run(self.module.acall(**arguments))
        return self.module(**arguments)

    def make_arguments(self, params):
        arguments = dict(params["inputs"])
        field = next((field["name"] for field in self.signature["inputs"] if field["history"]), None)
        if field and params["history"] is not None:
            arguments[field] = dspy.History(messages=params["history"])
        if params["max_steps"] is not None:
            arguments["max_iters"] = params["max_steps"]
        return arguments

    def make_outcome(self, prediction):
        named = {name: make_plain(value) for name, value in prediction.items()}
        trajectory = named.pop("trajectory", None)
        own = self.OWN - {field["name"] for field in self.signature["outputs"]}
        return {
            "status": "ok",
            "outputs": {name: value for name, value in named.items() if name not in own},
            "trajectory": trajectory,
            "trajectory_format": "none" if trajectory is None else "mapping",
        }


class DspyServer(Server):
    """Answers calls at once, and saves, loads and parses, too."""

    def __init__(self, manifest, agent):
        super().__init__(manifest, agent)
        self.methods.update(calls=self.calls, dump=self.dump, load=self.load, parse=parse_reply)

    def calls(self, params):
        """Each in a thread of its own, asynchronous ones in an event loop of their own."""
        with ThreadPoolExecutor(len(params["calls"])) as threads:
            return {"outcomes": list(threads.map(self.call, params["calls"]))}

    def dump(self, params):
        """Return the state of a module, as dspy saves it."""
        return {"state": json.loads(json.dumps(self.agents[params["instance"]].module.dump_state()))}

    def load(self, params):
        """Load such a state into a module."""
        self.agents[params["instance"]].module.load_state(params["state"])
        return {}


def language_model(lm):
    """Return the kit's LM as dspy's. Its cache must be off: a second, identical episode has to ask again."""
    endpoint = {"api_base": lm["base_url"], "api_key": lm["api_key"]}
    return dspy.LM(f"openai/{lm['model']}", cache=False, num_retries=0, **endpoint)


def serve_library(library, manifest, agent, needed="ReAct"):
    """Answer until there are no more requests; a dspy without the needed class is refused."""
    global dspy, CONVERTS_ASYNC_TOOLS
    output = own_output()
    try:
        import dspy

        import_module(library)
    except Exception as problem:
        sys.exit(f"{sys.executable} can't import {library}: {type(problem).__name__}: {problem}")
    if not hasattr(dspy, needed):
        sys.exit(f"dspy {version('dspy')} has no {needed}, which this subject is")
    CONVERTS_ASYNC_TOOLS = "allow_tool_async_sync_conversion" in dspy.settings.config
    answer_all(DspyServer(manifest, agent), output)


if __name__ == "__main__":
    serve_library("dspy", make_manifest, Agent)
