"""Subjects on dspy: the reference and the real `dspy.ReAct`, which are only made otherwise; and adapters as parsers."""

import asyncio
import json
from collections.abc import Callable, Sequence, Set
from functools import lru_cache
from typing import Any

import dspy
from pydantic import JsonValue

from react_tck.fakes.annotations import annotation_of
from react_tck.model.case import Invocation, Options
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome, failed
from react_tck.model.protocol import Parsing
from react_tck.model.signature import Signature
from react_tck.subjects.api import Endpoints, Instance, Notice, Subject
from react_tck.subjects.libraries.dspy import bridge
from react_tck.subjects.libraries.dspy.callbacks import Noticing
from react_tck.subjects.python import BuiltSubject, Read

#: Makes the module under test from signature, tools and options.
Make = Callable[[Any, list[Callable[..., Any]], Options], dspy.Module]


def dspy_subject(manifest: Manifest, make: Make, read: Read | None = None, own: Set[str] = bridge.OWN) -> Subject:
    """A subject whose instances are `dspy.Module`s, with its parser, if it has one.

    `own` are what predictions hold besides the user's outputs.
    """

    def build(signature: Signature, options: Options, endpoints: Endpoints) -> Instance:
        made, tools = bridge.signature(signature), list(endpoints.callables)
        # Watched from now on (ISO-003).
        endpoints.caller.hand("the signature", made)
        endpoints.caller.hand("the tools", tools)
        return DspyInstance(make(made, tools, options), signature, options, endpoints, own)

    return BuiltSubject(manifest, build, read)


class DspyInstance:
    """A constructed module."""

    def __init__(
        self, module: dspy.Module, signature: Signature, options: Options, endpoints: Endpoints, own: Set[str]
    ) -> None:
        self._own = own
        self._module = module
        self._signature = signature
        self._options = options
        self._lm = bridge.language_model(endpoints.lm, options)
        self._caller = endpoints.caller
        if options.demos is not None:
            bridge.give_demos(module, options.demos)
        #: What each call returned as its history, for calls that follow it.
        self._histories: list[Any] = []
        self._listener = Noticing()
        self._callbacks = [self._listener] if options.callbacks else []

    @property
    def heard(self) -> Sequence[Notice]:
        """What dspy has told its callbacks."""
        return tuple(self._listener.heard)

    def call(self, invocation: Invocation) -> Outcome:
        """Call the module in the mode the invocation asks for."""
        self._histories.append(None)
        return bridge.outcome(self._signature, lambda: self._predict(invocation), self._own)

    def dump(self) -> JsonValue:
        """The module's state, as `save` writes it."""
        state: JsonValue = json.loads(json.dumps(self._module.dump_state()))
        return state

    def load(self, state: JsonValue) -> None:
        """Load the state into the module, as `load` reads it."""
        self._module.load_state(state)

    async def acall(self, invocation: Invocation) -> Outcome:
        """Call the module in the event loop that runs."""
        with bridge.configured(self._lm, invocation.adapter or self._options.adapter, self._callbacks):
            try:
                prediction = await self._module.acall(**self._arguments(invocation))
            except Exception as error:
                return failed(error)
        return bridge.outcome(self._signature, lambda: prediction, self._own)

    def _predict(self, invocation: Invocation) -> dspy.Prediction:
        with bridge.configured(self._lm, invocation.adapter or self._options.adapter, self._callbacks):
            if invocation.mode == "async":
                prediction = asyncio.run(self._module.acall(**self._arguments(invocation)))
            else:
                prediction = self._module(**self._arguments(invocation))
        self._histories[-1] = prediction.get("history")
        return prediction

    def _arguments(self, invocation: Invocation) -> dict[str, Any]:
        arguments = bridge.inputs(self._signature, invocation)
        if invocation.max_steps is not None:
            arguments["max_iters"] = invocation.max_steps
        if invocation.follows is not None:
            arguments["history"] = self._histories[invocation.follows]
        self._caller.hand("the inputs", arguments)
        limit = {} if invocation.max_steps is None else {"max_iters": invocation.max_steps}
        return {**arguments, **limit}


def read(parsing: Parsing) -> dict[str, Any]:
    """What the adapter of the dialect makes of the reply.

    Raises:
        AdapterParseError: if it refuses the reply; anything else that it raises.
    """
    adapter = bridge.adapter(parsing.dialect)
    assert adapter is not None
    found: dict[str, Any] = adapter.parse(_signature(json.dumps(parsing.fields)), parsing.reply.content or "")
    return found


# The same few signatures are parsed for thousands of times.
@lru_cache(maxsize=256)
def _signature(schemas: str) -> Any:
    fields = {name: (annotation_of(schema), dspy.OutputField()) for name, schema in json.loads(schemas).items()}
    return dspy.Signature({"question": (str, dspy.InputField()), **fields}, "Answer the question.")
