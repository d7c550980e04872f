"""What users of an original's class can name, computed from what is installed, and whether ours has it."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import dspy
import dspy.predict.react
import dspy.predict.react_v2
import dspy_react_machina.exceptions
import udspy.confirmation
import udspy.module.react
from dspy_react_machina import ReActMachina

from react_tck import reference
from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct
from tests.programs import of_udspy, of_udspy_confirmed, of_udspy_streamed
from tests.programs.adding import add


@dataclass(frozen=True)
class Original:
    """A class, ours for it, and the modules whose other classes and functions its users import."""

    theirs: type[Any]
    ours: type[Any]
    modules: tuple[ModuleType, ...] = ()
    signature: Any = "question -> answer"
    #: What both inherit from dspy, and which therefore is the same.
    shared: type[Any] = object
    #: Programs that run with ours and go on using names of theirs, written `library.name`.
    programs: tuple[ModuleType, ...] = ()

    def names(self) -> set[str]:
        """Its parameters (`name=`), attributes and methods, and what else its module has for users."""
        made, shared = self.made(self.theirs), self.shared()
        parameters = {f"{name}=" for name in _parameters(self.theirs)}
        attributes = {*dir(made)} - {*dir(shared)}
        return {name for name in (*parameters, *attributes, *self._beside()) if not name.startswith("_")}

    def has(self, name: str) -> bool:
        """Whether ours has what theirs has by this name."""
        if name.endswith("="):
            return name.removesuffix("=") in _parameters(self.ours)
        if name in self._beside():
            return hasattr(reference, name) or self._is_used(name)
        return name in dir(self.made(self.ours))

    def made(self, agent: Callable[..., Any]) -> Any:
        """An agent that can add."""
        return agent(self.signature, tools=[add])

    def _is_used(self, name: str) -> bool:
        library = self.theirs.__module__.partition(".")[0]
        used = re.compile(rf"\b{library}\.(\w+\.)*{name}\b")
        return any(used.search(inspect.getsource(module)) for module in self.programs)

    def _beside(self) -> set[str]:
        own = (name for module in self.modules for name, value in vars(module).items() if _is_own(module, value))
        return {name for name in own if name != self.theirs.__name__}


def _parameters(agent: type[Any]) -> set[str]:
    """What its constructor takes, and what a call takes by names of its own, inputs aside."""
    made = inspect.signature(agent.__init__).parameters
    called = (p for p in inspect.signature(agent.forward).parameters.values() if p.kind is not p.VAR_KEYWORD)
    return {*made, *(parameter.name for parameter in called)} - {"self"}


def _is_own(module: ModuleType, value: Any) -> bool:
    """Whether it is a class or function of the module's own."""
    return (inspect.isclass(value) or inspect.isfunction(value)) and value.__module__ == module.__name__


_UDSPYS = (of_udspy, of_udspy_confirmed, of_udspy_streamed)

ORIGINALS = (
    Original(dspy.ReAct, ReAct, (dspy.predict.react,), shared=dspy.Module),
    Original(dspy.ReActV2, TranscriptReAct, (dspy.predict.react_v2,), shared=dspy.Module),
    Original(ReActMachina, ConversationReAct, (dspy_react_machina.exceptions,), shared=dspy.Module),
    Original(udspy.ReAct, UdspyReAct, (udspy.module.react, udspy.confirmation), programs=_UDSPYS),
)
