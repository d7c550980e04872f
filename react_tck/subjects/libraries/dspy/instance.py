"""A module of dspy's, connected to a task and the kit's LM; and subjects that are such a module."""

import json
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from typing import Any, ClassVar

import dspy

import react_tck
from react_tck.subjects.libraries.dspy import bridge
from react_tck.subjects.libraries.dspy.callbacks import Noticing


class Connected:
    """A module under dspy's settings for the kit."""

    def __init__(self, module: dspy.Module, task: react_tck.Task, lm: react_tck.LM) -> None:
        self.module = module
        self._task = task
        self._lm = bridge.language_model(lm, "native" in (task.adapter, task.module_adapter))
        if task.demos is not None:
            bridge.give_demos(module, task.demos.step, task.demos.extraction)
        self._listener = Noticing()
        self._callbacks = [self._listener] if task.callbacks else []

    @property
    def heard(self) -> Sequence[react_tck.Notice]:
        """What dspy has told its callbacks."""
        return tuple(self._listener.heard)

    def settings(self, adapter: str | None = None) -> AbstractContextManager[None]:
        """dspy's settings, with the adapter of this dialect, or of the task's."""
        return bridge.configured(self._lm, adapter or self._task.adapter, self._callbacks)

    def predict(
        self, inputs: Mapping[str, Any], history: Any = None, adapter: str | None = None, max_steps: int | None = None
    ) -> dspy.Prediction:
        """The module's prediction for these inputs, under dspy's settings for the kit."""
        with self.settings(adapter):
            return self.module(**self._arguments(inputs, history), **_limit(max_steps))

    async def apredict(
        self, inputs: Mapping[str, Any], history: Any = None, adapter: str | None = None, max_steps: int | None = None
    ) -> dspy.Prediction:
        """Call it in the event loop that runs."""
        with self.settings(adapter):
            return await self.module.acall(**self._arguments(inputs, history), **_limit(max_steps))

    def dump(self) -> Any:
        """The module's state, as `save` writes it."""
        return json.loads(json.dumps(self.module.dump_state()))

    def load(self, state: Any) -> None:
        """Load the state into the module, as `load` reads it."""
        self.module.load_state(state)

    def _arguments(self, inputs: Mapping[str, Any], history: Any) -> dict[str, Any]:
        arguments = bridge.arguments(self._task, inputs, history)
        self._task.watch("the inputs", arguments)
        return arguments


def _limit(max_steps: int | None) -> dict[str, int]:
    return {} if max_steps is None else {"max_iters": max_steps}


class ModuleSubject:
    """A subject that is a module of dspy's; whoever derives from it says how it is made, and what a call takes."""

    #: What predictions hold besides the user's outputs.
    own: ClassVar[Set[str]] = bridge.OWN

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Make and connect the module."""
        self._task = task
        signature, functions = bridge.signature(task), tools.as_functions()
        task.watch("the signature", signature)
        task.watch("the tools", functions)
        self.connected = Connected(self.made(signature, functions, task), task, lm)

    def made(self, signature: Any, tools: list[Callable[..., Any]], task: react_tck.Task) -> dspy.Module:
        """The module of a signature, tools and the options of the task."""
        raise NotImplementedError

    def heard(self) -> Sequence[react_tck.Notice]:
        """What dspy has told its callbacks."""
        return self.connected.heard

    def done(self, prediction: dspy.Prediction) -> react_tck.Done:
        """What a call came to."""
        return bridge.done(self._task, prediction, self.own)
