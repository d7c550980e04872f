"""What subjects built on dspy share: the kit's LM as a dspy LM, adapters by dialect, signatures, outcomes.

Releases differ in what they have; what one lacks is found here, by trial where it can't be seen.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from importlib.metadata import version
from typing import Any, Callable  # noqa: UP035 - Python 3.9

# Otherwise litellm fetches a price list from the network when imported.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import dspy

import react_tck

#: The release whose choices are known: what others do where the sources leave one is observed.
IS_KNOWN = version("dspy").startswith("3.4.")
#: Whether an LM takes an engine; elsewhere it asks the kit by HTTP.
HAS_ENGINES = hasattr(dspy, "lm15")
_CONVERTS_TOOLS = "allow_tool_async_sync_conversion" in dspy.settings.config
#: What the adapter of a dialect has been called, the newest first.
_NAMES = {"chat": ("ChatAdapter",), "json": ("JSONAdapter", "JsonAdapter"), "xml": ("XMLAdapter",)}


def _find_adapters() -> dict[str, Callable[[], Any]]:
    places = (dspy, dspy.adapters)
    found = {
        dialect: next((getattr(place, name) for name in names for place in places if hasattr(place, name)), None)
        for dialect, names in _NAMES.items()
    }
    made: dict[str, Callable[[], Any]] = {dialect: adapter for dialect, adapter in found.items() if adapter}
    return {**made, "native": lambda: dspy.ChatAdapter(use_native_function_calling=True)}


_ADAPTERS = _find_adapters()
#: The dialects of the adapters that there are, but for native calls.
DIALECTS = [dialect for dialect in _ADAPTERS if dialect != "native"]

#: What modules put into a prediction themselves: the extraction's reasoning, and a conversation's history.
OWN = frozenset({"reasoning", "history", "termination_reason"})


def make_adapter(dialect: str | None) -> dspy.Adapter | None:
    """dspy's adapter for a dialect."""
    return _ADAPTERS[dialect]() if dialect else None


def find_predictor(wanted: str) -> type[dspy.Module]:
    """dspy's predictor of this name."""
    kinds: dict[str, type[dspy.Module]] = {"predict": dspy.Predict, "chain-of-thought": dspy.ChainOfThought}
    return kinds[wanted]


@contextmanager
def configure_dspy(lm: dspy.LM, wanted: str | None, callbacks: Sequence[Any] = ()) -> Iterator[None]:
    """dspy's settings as the case wants them; where it names no adapter, none is configured (ADP-003)."""
    chosen: dict[str, Any] = {"adapter": make_adapter(wanted)} if wanted else {}
    heard: dict[str, Any] = {"callbacks": [*callbacks]} if callbacks else {}
    with dspy.context(
        lm=lm, **({"allow_tool_async_sync_conversion": True} if _CONVERTS_TOOLS else {}), **chosen, **heard
    ):
        yield


def language_model(lm: react_tck.LM, is_native: bool = False, **settings: Any) -> dspy.LM:
    """Return the kit's LM as dspy's. Its cache must be off: a second, identical episode has to ask again."""
    if not HAS_ENGINES:
        where = {"api_base": lm.base_url, "api_key": lm.api_key}
        return dspy.LM(f"openai/{lm.model}", cache=False, **{"num_retries": 0, **where, **settings})
    from react_tck.subjects.libraries.dspy.engine import AsyncEngine, Engine

    engine = Engine(lm, supports_function_calling=is_native)
    return dspy.LM("tck", engine=engine, async_engine=AsyncEngine(engine), cache=False, **settings)


def constructing(lm: react_tck.LM) -> AbstractContextManager[Any]:
    """Make a module in this: releases without engines look at the configured LM when one is made."""
    return nullcontext() if HAS_ENGINES else dspy.context(lm=language_model(lm))


def find_lacks(module: type[Any]) -> list[str]:
    """Find what this release's module can't do of what the subjects' classes define, by capability."""
    offered = {
        "history": hasattr(dspy, "History"),
        "call-max-steps": "max_iters" in inspect.unwrap(module.forward).__code__.co_consts,
        "async": hasattr(module, "aforward"),
        "async-tools": hasattr(module, "aforward"),
        "declared-tools": hasattr(dspy, "Tool") and "args" in inspect.signature(dspy.Tool.__init__).parameters,
        "truncation": hasattr(module, "truncate_trajectory"),
        "save-load": hasattr(module, "dump_state") and hasattr(module, "load_state"),
    }
    return [name for name, is_offered in offered.items() if not is_offered]


def find_default(module: type[Any], parameter: str = "max_iters") -> int:
    """Find the limit of steps that a module has by default."""
    default: int = inspect.signature(module.__init__).parameters[parameter].default
    return default


def select_choices(known: Mapping[str, str], *certain: str) -> dict[str, str]:
    """Select the choices that this release is sure to make: all that are known of one, or these."""
    return {name: variant for name, variant in known.items() if IS_KNOWN or name in certain}


def count_retries() -> int:
    """Count how often a reply that can't be read is asked for again, which is tried: releases differ in that."""
    asked = []

    class Unreadable(dspy.LM):
        def __call__(self, *args: Any, **options: Any) -> list[str]:
            asked.append((args, options))
            return ["I can't say."]

    with dspy.context(lm=Unreadable("openai/tck", cache=False, api_key="none")), suppress(Exception):
        dspy.Predict("question -> answer: int")(question="How many?")
    return max(len(asked) - 1, 0)


def make_signature(task: react_tck.Task) -> str | type[dspy.Signature]:
    """Return the signature in the form that the task has."""
    if task.form == "arrow":
        return task.arrow
    return _make_value_signature(task) if task.form == "value" else _make_class_signature(task)


def _make_value_signature(task: react_tck.Task) -> type[dspy.Signature]:
    inputs = {field.name: (_find_annotation(field), _make_input(field)) for field in task.inputs}
    outputs = {field.name: (_find_annotation(field), _make_output(field)) for field in task.outputs}
    made: type[dspy.Signature] = dspy.Signature({**inputs, **outputs}, task.instructions or None)
    return made


def _make_class_signature(task: react_tck.Task) -> type[dspy.Signature]:
    members: dict[str, Any] = {field.name: _make_input(field) for field in task.inputs}
    members |= {field.name: _make_output(field) for field in task.outputs}
    annotations = {field.name: _find_annotation(field) for field in (*task.inputs, *task.outputs)}
    members |= {"__annotations__": annotations, "__module__": __name__}
    if task.instructions:
        members["__doc__"] = task.instructions
    made: type[dspy.Signature] = type(dspy.Signature)("Task", (dspy.Signature,), members)
    return made


def give_demos(module: dspy.Module, step: Sequence[Mapping[str, Any]], extraction: Sequence[Mapping[str, Any]]) -> None:
    """Demos for the two internal predictors, as an optimizer gives them."""
    predictors: dict[str, Any] = {name.partition(".")[0]: made for name, made in module.named_predictors()}
    predictors["react"].demos = [dspy.Example(**demo) for demo in step]
    predictors["extract"].demos = [dspy.Example(**demo) for demo in extraction]


def make_tool(tool: Any, function: Callable[..., Any]) -> Any:
    """Return what a user gives dspy: the function, or a `dspy.Tool` of it, where its args are declared beside it."""
    if not tool.is_declared:
        return function
    return dspy.Tool(function, name=tool.name, desc=tool.description, args=dict(tool.parameters["properties"]))


def make_arguments(task: react_tck.Task, inputs: Mapping[str, Any], history: Any = None) -> dict[str, Any]:
    """Return the inputs of a call as dspy's; a history is earlier turns, or what an earlier call gave."""
    images = {field.name for field in task.inputs if field.is_image}
    given = {name: dspy.Image(value) if name in images else value for name, value in inputs.items()}
    if history is None:
        return given
    # A conversation has a history whether or not its signature names one (S0).
    name = next((field.name for field in task.inputs if field.history), "history")
    return {**given, name: dspy.History(messages=history) if isinstance(history, list) else history}


def make_result(task: react_tck.Task, prediction: dspy.Prediction, own: Set[str] = OWN) -> react_tck.Done:
    """Return what a call came to; `own` are what the prediction holds besides the user's outputs."""
    values = dict(prediction.items())
    held = {name: values.pop(name, None) for name in {*own, "trajectory"} - {field.name for field in task.outputs}}
    return react_tck.Done(
        values,
        steps=held.get("trajectory"),
        history=held.get("history"),
        termination=held.get("termination_reason"),
    )


def _find_annotation(field: Any) -> Any:
    if field.is_image:
        return dspy.Image
    return dspy.History if field.history else react_tck.annotation_of(field.json_schema)


def _make_input(field: Any) -> Any:
    return dspy.InputField(desc=field.description) if field.description else dspy.InputField()


def _make_output(field: Any) -> Any:
    return dspy.OutputField(desc=field.description) if field.description else dspy.OutputField()
