"""Everything the kit itself observed in one episode, in order."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from react_tck.adapter.results import Notice
from react_tck.model.base import JsonObject, Value
from react_tck.model.case import Resumption
from react_tck.model.intent import Fault, Intent, Reply
from react_tck.model.lm import Ask, Completion, LMRequest
from react_tck.model.outcome import Failure, Outcome


class Called(Value):
    """The kit called the instance."""

    kind: Literal["called"] = "called"
    invocation: int


class Asked(Value):
    """The subject asked the LM; `refusal` says why the kit didn't answer, if it didn't."""

    kind: Literal["asked"] = "asked"
    invocation: int
    request: LMRequest
    ask: Ask | None = None
    intent: Reply | None = None
    #: How often this turn had been asked for before.
    attempt: int = 0
    completion: Completion | None = None
    refusal: str | None = None

    @property
    def is_overflow(self) -> bool:
        """Whether it is told that its prompt doesn't fit."""
        return isinstance(self.intent, Fault) and self.intent.fault == "context-window"

    def list_shown(self, names: Iterable[str]) -> tuple[str, ...]:
        """Which of the tools' names the LM is shown: a library may offer a tool under another one."""
        offered = {offer.name for offer in self.request.tools}
        return tuple(name for name in names if name in offered or not offered)


class ToolRan(Value):
    """The subject ran a tool; `args` as they arrived, `result` or `error` as it left.

    An `odd` result is one that JSON can't hold; it is shown as Python writes it.
    """

    kind: Literal["tool"] = "tool"
    invocation: int
    tool: str
    args: JsonObject
    result: JsonValue = None
    error: str | None = None
    odd: bool = False
    #: What was sent to a tool behind the wire instead of args that are a JSON object; the tool was never reached.
    refused: str | None = None
    #: Whether the run was interrupted from outside: it has neither a result nor an error of its own.
    interrupted: bool = False
    #: Args that aren't of the type the tool's own code was promised, such as a plain mapping for a model.
    misfits: tuple[str, ...] = ()

    @property
    def received_args(self) -> JsonValue:
        """What the tool was to run with: the args, or what was sent instead of them."""
        return self.args if self.refused is None else self.refused

    @property
    def observation(self) -> JsonValue:
        """What the LM is to see of the run: the result, or the error."""
        return self.result if self.error is None else self.error


class PersonAsked(Value):
    """A tool that the subject ran asked a person; it has no result, and is run again once the person has agreed."""

    kind: Literal["person asked"] = "person asked"
    invocation: int
    tool: str
    args: JsonObject
    question: str


class Resumed(Value):
    """The kit resumed the suspended call; what follows is still of that call."""

    kind: Literal["resumed"] = "resumed"
    invocation: int
    resumption: Resumption


class Returned(Value):
    """The call, or its resumption, came back."""

    kind: Literal["returned"] = "returned"
    invocation: int
    outcome: Outcome


class Hung(Value):
    """The call did not come back in time after an LM that said nothing, and that was dropped (ERR-012)."""

    kind: Literal["hung"] = "hung"
    invocation: int
    message: str


class Changed(Value):
    """An object of the caller's isn't what it was when the subject was handed it (ISO-003)."""

    kind: Literal["changed"] = "changed"
    invocation: int
    what: str
    before: JsonValue
    after: JsonValue


class Refused(Value):
    """The subject refused to be constructed from the case."""

    kind: Literal["refused"] = "refused"
    error: Failure


Event = Annotated[
    Called | Asked | ToolRan | PersonAsked | Resumed | Returned | Hung | Changed | Refused, Field(discriminator="kind")
]


class Stray(Value):
    """A request for a path or a tool that there isn't, or one too many; it leads nowhere."""

    invocation: int
    what: str
    #: Whether it came after the outcome.
    late: bool = False


class Record(Value):
    """The events of one episode."""

    case_id: str
    events: tuple[Event, ...] = ()
    #: What went astray. Nothing that the LM or a tool did, so no event of the loop's.
    strays: tuple[Stray, ...] = ()
    #: What the harness did after an answer, when nothing had been asked of it.
    breach: str | None = None
    #: Intents of the script that were never said.
    left_over: tuple[Intent, ...] = ()
    #: What callbacks of the framework's heard; None where none listened.
    heard: tuple[Notice, ...] | None = None

    @property
    def requests(self) -> tuple[Asked, ...]:
        """The LM requests, in order."""
        return tuple(e for e in self.events if isinstance(e, Asked))

    @property
    def tool_runs(self) -> tuple[ToolRan, ...]:
        """The tool runs, in order."""
        return tuple(e for e in self.events if isinstance(e, ToolRan))

    @property
    def asking_tools(self) -> frozenset[str]:
        """The tools that asked a person."""
        return frozenset(e.tool for e in self.events if isinstance(e, PersonAsked))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes, one for every call and resumption that came back."""
        return tuple(e.outcome for e in self.events if isinstance(e, Returned))

    @property
    def call_count(self) -> int:
        """How many calls were made; one that is suspended and resumed has several outcomes."""
        return sum(isinstance(event, Called) for event in self.events)

    @property
    def refusal(self) -> Failure | None:
        """Why construction was refused, if it was."""
        return next((e.error for e in self.events if isinstance(e, Refused)), None)

    def of_call(self, invocation: int) -> "Record":
        """Return the part of the record that belongs to one call."""
        mine = tuple(e for e in self.events if not isinstance(e, Refused) and e.invocation == invocation)
        strays = tuple(stray for stray in self.strays if stray.invocation == invocation)
        return Record(case_id=self.case_id, events=mine, strays=strays)
