"""A module of dspy's, connected to a task and the kit's LM; and subjects that are such a module."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from contextlib import AbstractContextManager
from typing import Any, Callable, ClassVar  # noqa: UP035 - Python 3.9

import dspy
from dspy.utils.callback import BaseCallback

import react_tck
from react_tck.subjects.libraries.dspy import bridge


class Noticing(BaseCallback):
    """Keeps which tools' runs and which readings of replies are over, as dspy tells its callbacks."""

    def __init__(self) -> None:
        self.heard: list[react_tck.Notice] = []
        #: By the id of the call, of which alone the end is told.
        self._begun: dict[str, react_tck.Notice] = {}

    def on_tool_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:  # noqa: ARG002 - dspy's
        """Remember which tool the call runs, until its end is reported."""
        self._begun[call_id] = react_tck.Notice("tool", str(instance.name))

    def on_adapter_parse_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:  # noqa: ARG002
        """Remember which adapter reads a reply in this call, until its end is reported."""
        self._begun[call_id] = react_tck.Notice("reading", type(instance).__name__)

    def on_tool_end(self, call_id: str, outputs: Any, exception: BaseException | None = None) -> None:  # noqa: ARG002
        """Note that a tool has come back, or raised."""
        self.heard.append(self._begun.pop(call_id))

    on_adapter_parse_end = on_tool_end


class Connected:
    """A module under dspy's settings for the kit."""

    def __init__(self, module: dspy.Module, task: react_tck.Task, lm: react_tck.LM, **settings: Any) -> None:
        self.module = module
        self._task = task
        self._lm, self._native_lm = (bridge.language_model(lm, is_native, **settings) for is_native in (False, True))
        if task.demos is not None:
            bridge.give_demos(module, task.demos.step, task.demos.extraction)
        self._listener = Noticing()
        self._callbacks = [self._listener] if task.callbacks else []

    @property
    def heard(self) -> Sequence[react_tck.Notice]:
        """What dspy has told its callbacks."""
        return tuple(self._listener.heard)

    def use_settings(self, adapter: str | None = None) -> AbstractContextManager[None]:
        """dspy's settings, with the adapter of this dialect, or of the task's, and an LM for it."""
        wanted = adapter or self._task.adapter
        lm = self._native_lm if "native" in (wanted, self._task.module_adapter) else self._lm
        return bridge.configure_dspy(lm, wanted, self._callbacks)

    def call_module(
        self, inputs: Mapping[str, Any], history: Any = None, adapter: str | None = None, max_steps: int | None = None
    ) -> dspy.Prediction:
        """Return the module's prediction for these inputs, under dspy's settings for the kit."""
        with self.use_settings(adapter):
            return self.module(**self._make_arguments(inputs, history), **_make_limit(max_steps))

    async def acall_module(
        self, inputs: Mapping[str, Any], history: Any = None, adapter: str | None = None, max_steps: int | None = None
    ) -> dspy.Prediction:
        """Call it in the event loop that runs."""
        with self.use_settings(adapter):
            return await self.module.acall(**self._make_arguments(inputs, history), **_make_limit(max_steps))

    def dump(self) -> Any:
        """Return the module's state, as `save` writes it."""
        return json.loads(json.dumps(self.module.dump_state()))

    def load(self, state: Any) -> None:
        """Load the state into the module, as `load` reads it."""
        self.module.load_state(state)

    def _make_arguments(self, inputs: Mapping[str, Any], history: Any) -> dict[str, Any]:
        arguments = bridge.make_arguments(self._task, inputs, history)
        self._task.watch("the inputs", arguments)
        return arguments


def _make_limit(max_steps: int | None) -> dict[str, int]:
    return {} if max_steps is None else {"max_iters": max_steps}


class ModuleSubject:
    """A subject that is a module of dspy's; whoever derives from it says how it is made, and what a call takes."""

    #: What predictions hold besides the user's outputs.
    own: ClassVar[Set[str]] = bridge.OWN

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Make and connect the module."""
        self._task = task
        signature, made = bridge.make_signature(task), [bridge.make_tool(tool, tool.function) for tool in tools]
        task.watch("the signature", signature)
        task.watch("the tools", made)
        with bridge.constructing(lm):
            module = self.make_module(signature, made, task)
        self.connected = Connected(module, task, lm)

    def make_module(self, signature: Any, tools: list[Callable[..., Any]], task: react_tck.Task) -> dspy.Module:
        """Return the module of a signature, tools and the options of the task."""
        raise NotImplementedError

    def heard(self) -> Sequence[react_tck.Notice]:
        """Return what dspy has told its callbacks."""
        return self.connected.heard

    def make_result(self, prediction: dspy.Prediction) -> react_tck.Done:
        """Return what a call came to."""
        return bridge.make_result(self._task, prediction, self.own)


class ReActSubject(ModuleSubject):
    """What `dspy.ReAct` and `dspy.ReActV2` have in common.

    They take no adapter of their own, so `module-adapter` isn't declared.
    """

    kind: ClassVar[type[dspy.Module]]

    def make_module(self, signature: Any, tools: list[Callable[..., Any]], task: react_tck.Task) -> dspy.Module:
        """Return a module of the class's kind, with the step limit of the task."""
        limits = {} if task.max_steps is None else {"max_iters": task.max_steps}
        return self.kind(signature, tools, **limits)

    def call(
        self, inputs: dict[str, Any], max_steps: int | None = None, history: Any = None, adapter: str | None = None
    ) -> react_tck.Done:
        """Call the module synchronously, with the limit, history and adapter of this call."""
        return self.make_result(self.connected.call_module(inputs, history, adapter, max_steps))

    async def acall(
        self, inputs: dict[str, Any], max_steps: int | None = None, history: Any = None, adapter: str | None = None
    ) -> react_tck.Done:
        """Call it in the event loop that runs."""
        return self.make_result(await self.connected.acall_module(inputs, history, adapter, max_steps))

    def dump(self) -> Any:
        """Return the module's state as JSON, as dspy saves it."""
        return self.connected.dump()

    def load(self, state: Any) -> None:
        """Load a state that `dump` gave into the module."""
        self.connected.load(state)
