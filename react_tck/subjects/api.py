"""The subject in process: the operations of docs/PROTOCOL.md as a Python protocol."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

from pydantic import JsonValue

from react_tck.adapter.results import Notice
from react_tck.adapter.tools import Decorate, TaskTool
from react_tck.adapter.values import Caller
from react_tck.fakes.journal import Faults
from react_tck.fakes.tools import KitTool
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Options, Resumption
from react_tck.model.lm import Completion, LMRequest
from react_tck.model.manifest import Description, Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.protocol import Endpoint, Parsed, Parsing
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool


class ConstructionError(Exception):
    """The subject refuses the case's signature, tools or options; the message is the subject's own."""


class OperationRefused(Exception):
    """The subject fails an operation that has no outcome: status, describe, dump, load. The message is its own."""


Answer = TypeVar("Answer")


class HarnessBroken(Exception):
    """The harness did something no outcome describes: it raised, ended, hung, or broke the protocol."""


class TimedOut(HarnessBroken):
    """The harness did not come back in time."""


def _ignore_stray(_: str) -> None:
    """Do nothing: the default where nobody records requests that lead nowhere."""


@contextmanager
def expecting_exceptions(*spared: type[BaseException]) -> Iterator[None]:
    """Take what no caller expects, such as pytest's own skip, for a broken harness.

    Raises:
        HarnessBroken: for whatever isn't an `Exception`, unless it is spared.
    """
    try:
        yield
    except BaseException as error:
        if isinstance(error, (Exception, *spared)):
            raise
        raise HarnessBroken(
            f"{type(error).__name__} came out of the subject: {error}\nNo caller expects that; what a subject raises "
            "is an `Exception`"
        ) from error


@dataclass(frozen=True)
class Endpoints:
    """What a subject acts through: the kit's LM, and the kit's tools in the order of the case."""

    lm: Callable[[LMRequest], Completion]
    tools: tuple[KitTool, ...]
    #: Where the LM is served already, if it is.
    endpoint: Endpoint | None = None
    #: Where a subject in this process shows what objects it is handed (ISO-003).
    caller: Caller = field(default_factory=Caller)
    #: What makes of a tool's function in this process one that waits for other calls first; and what the answer to a
    #: tool's run over HTTP waits for (ISO-002).
    decorate_tool: Decorate = lambda function: function
    hold: Callable[[], Awaitable[None]] | None = None
    #: Told of requests that lead nowhere, while the episode's lane is open.
    stray: Callable[[str], None] = _ignore_stray
    #: Told what the harness does after an answer of this episode, unasked. Where nobody reads the record again, it
    #: costs the next episode instead.
    broke: Callable[[str], None] | None = None
    faults: Faults = field(default_factory=Faults)

    @property
    def task_tools(self) -> tuple[TaskTool, ...]:
        """The tools as an agent in this process gets them."""
        return tuple(TaskTool(kit.tool.model_dump(), kit.answer_run, self.decorate_tool) for kit in self.tools)


@runtime_checkable
class Separate(Protocol):
    """A subject in a process of its own, of which more may come after its answer."""

    def await_unasked(self) -> None:
        """Wait a little for what comes after the latest answer; the episode of that answer is told."""


class Instance(Protocol):
    """A ReAct module constructed for one case; it can be called more than once."""

    def call(self, invocation: Invocation) -> Outcome:
        """Call it once. What the subject raises is an outcome too, with status `error`."""


@runtime_checkable
class AsyncInstance(Protocol):
    """An instance that can be awaited among others, with the capabilities `async` and `concurrent-calls`."""

    async def acall(self, invocation: Invocation) -> Outcome:
        """Call it once, in the event loop that runs."""


@runtime_checkable
class ConcurrentInstance(Protocol):
    """An instance behind a wire that can be called by many at once (capability `concurrent-calls`)."""

    def calls(self, invocations: Sequence[Invocation]) -> Sequence[Outcome]:
        """Make the calls, all under way at the same time."""


@runtime_checkable
class Resumable(Protocol):
    """What an instance can do whose subject declares `confirmation`."""

    def resume(self, suspension: JsonObject, resumption: Resumption) -> Outcome:
        """Go on with the suspended call. `suspension` is what an outcome of this or another instance told."""

    def status(self, confirmation_id: str) -> str:
        """Return what became of a confirmation. Raises OperationRefused."""


@runtime_checkable
class Inspectable(Protocol):
    """What an instance can do whose subject declares `inspection`."""

    def describe(self) -> Description:
        """Its tools and signatures. Raises OperationRefused."""


@runtime_checkable
class Portable(Protocol):
    """An instance whose program can be saved, and loaded into another one (capability `save-load`)."""

    def dump(self) -> JsonValue:
        """Return the state of the instance's program as JSON, which `load` of another instance takes."""

    def load(self, state: JsonValue) -> None:
        """Take over what was saved."""


@runtime_checkable
class Observable(Protocol):
    """An instance whose framework tells callbacks what it does (capability `callbacks`)."""

    @property
    def heard(self) -> Sequence[Notice]:
        """What a callback of the framework's has been told so far; nothing unless the options ask for one."""


class Subject(Protocol):
    """The ReAct implementation under test, seen from the kit."""

    def initialize(self) -> Manifest:
        """Who it is and what it can do. No library of the subject's needs to be imported for it."""

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        """Build an instance.

        Raises:
            ConstructionError: if the subject refuses.
        """


@runtime_checkable
class Parser(Protocol):
    """What a subject with the capability `parse` can do besides."""

    def parse(self, parsing: Parsing) -> Parsed:
        """Read a reply. What the subject's parser raises is a result too, whatever its type."""

    def clock(self) -> float:
        """Seconds, of the clock that tells how long it takes: of this process alone where it reads in this one."""


#: Told of what a subject in this process raises, before it becomes an outcome: by whoever asks for the place.
raising: ContextVar[Callable[[Exception], object]] = ContextVar("raising", default=lambda _: None)


@runtime_checkable
class Overheard(Protocol):
    """A subject whose process writes on a standard error of its own."""

    @property
    def stderr(self) -> str:
        """The end of what it has written there."""


@runtime_checkable
class Placed(Protocol):
    """A subject that somebody has written in this process's language."""

    @property
    def place(self) -> str:
        """File and line of what is called."""


def run_operation(operation: Callable[[], Answer]) -> Answer:
    """Return what an operation without an outcome gives.

    Raises:
        OperationRefused: if the subject raises instead.
    """
    try:
        return operation()
    except (OperationRefused, HarnessBroken):
        raise
    except Exception as error:
        raise OperationRefused(f"{type(error).__name__}: {error}") from error
