"""What a test has the scripted LM say to whatever an agent asks, reply by reply."""

from collections.abc import Mapping
from typing import Self, get_args

from pydantic import field_validator, model_validator

from react_tck.model.base import JsonObject, Value
from react_tck.model.intent import Answer, BadArgs, Calls, CallTool, Fault, FaultName, Raw, Reply

#: The failures of a provider by the status it would send.
STATUSES: Mapping[int, FaultName] = {
    400: "bad-request",
    401: "unauthorized",
    403: "forbidden",
    429: "rate-limit",
    500: "server-error",
}
FAILURES: tuple[FaultName, ...] = get_args(FaultName)


class Garbling(Value):
    """The call of a tool with args written exactly so."""

    tool: str
    args: str


class Cue(Value):
    """One reply, of one of five kinds; and to whom it is given."""

    #: A text.
    says: str | None = None
    #: Calls of tools, all in one turn.
    calls: tuple[CallTool, ...] | None = None
    #: Values by name, as one JSON object; as the call of a tool if the request demands one.
    answers: JsonObject | None = None
    #: A provider's failure: its name, or the status that is sent.
    fails: FaultName | int | None = None
    #: Args that are no JSON, or not what the tool takes.
    garbles: Garbling | None = None
    #: Only to a request whose messages have this text among them; else to whichever comes.
    when: str | None = None
    #: Whether it is said again and again; what comes after it is never reached, unless it has another condition.
    stays: bool = False

    @field_validator("fails", mode="before")
    @classmethod
    def _is_known(cls, failure: object) -> object:
        known = (*STATUSES, *FAILURES)
        if failure is not None and failure not in known:
            raise ValueError(f"there is no failure {failure!r}; there are {', '.join(map(str, known))}")
        return failure

    @model_validator(mode="after")
    def _is_one_reply(self) -> Self:
        kinds = ("says", "calls", "answers", "fails", "garbles")
        given = [kind for kind in kinds if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"a reply has one of {', '.join(kinds)}; this has {' and '.join(given) or 'none'}")
        return self

    @property
    def reply(self) -> Reply:
        """What is said."""
        if self.calls is not None:
            return self.calls[0] if len(self.calls) == 1 else Calls(calls=self.calls)
        if self.answers is not None:
            return Answer(outputs=self.answers)
        if self.garbles is not None:
            return BadArgs(tool=self.garbles.tool, text=self.garbles.args)
        if self.fails is not None:
            return Fault(fault=STATUSES[self.fails] if isinstance(self.fails, int) else self.fails)
        return Raw(text=self.says or "")


class CueSheet(Value):
    """Replies in the order in which they are given; the file of `react-tck serve`."""

    replies: tuple[Cue, ...]
