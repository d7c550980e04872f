"""Subjects on dspy: the reference and the real `dspy.ReAct`, differing only in how they are made."""

import asyncio
from collections.abc import Callable
from typing import Any

import dspy

from react_tck.model.case import Invocation, Options
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome, failed
from react_tck.model.signature import Signature
from react_tck.subjects import dspy_door as door
from react_tck.subjects.built import BuiltSubject
from react_tck.subjects.parsing import Read
from react_tck.subjects.protocol import Doors, Instance, Subject

#: Makes the module under test from signature, tools and options.
Make = Callable[[Any, list[Callable[..., Any]], Options], dspy.Module]


def dspy_subject(manifest: Manifest, make: Make, read: Read) -> Subject:
    """A subject whose instances are `dspy.Module`s, with its parser."""

    def build(signature: Signature, options: Options, doors: Doors) -> Instance:
        made, tools = door.signature(signature), list(doors.callables)
        doors.caller.hand("the signature", made)
        doors.caller.hand("the tools", tools)
        module = make(made, tools, options)
        return DspyInstance(module, signature, options, doors)

    return BuiltSubject(manifest, build, read)


class DspyInstance:
    """A constructed module."""

    def __init__(self, module: dspy.Module, signature: Signature, options: Options, doors: Doors) -> None:
        self._module = module
        self._signature = signature
        self._options = options
        self._lm = door.language_model(doors.lm)
        self._caller = doors.caller

    def call(self, invocation: Invocation) -> Outcome:
        """Call the module in the mode the invocation asks for."""
        return door.outcome(self._signature, lambda: self._predict(invocation))

    async def acall(self, invocation: Invocation) -> Outcome:
        """Call the module in the event loop that runs."""
        with door.configured(self._lm, self._options):
            try:
                prediction = await self._module.acall(**self._arguments(invocation))
            except Exception as error:
                return failed(error)
        return door.outcome(self._signature, lambda: prediction)

    def _predict(self, invocation: Invocation) -> dspy.Prediction:
        arguments = self._arguments(invocation)
        with door.configured(self._lm, self._options):
            if invocation.mode == "async":
                return asyncio.run(self._module.acall(**arguments))
            return self._module(**arguments)

    def _arguments(self, invocation: Invocation) -> dict[str, Any]:
        arguments = door.inputs(self._signature, invocation)
        self._caller.hand("the inputs", arguments)
        limit = {} if invocation.max_steps is None else {"max_iters": invocation.max_steps}
        return {**arguments, **limit}
