"""What a test has the scripted LM say to whatever an agent asks, reply by reply."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, PositiveInt, field_validator, model_validator

from react_tck.model.base import JsonObject, Value
from react_tck.model.intent import Answer, BadArgs, Calls, CallTool, Fault, FaultName, Raw, Reply
from react_tck.model.lm import TokenUsage

#: A status that a provider may fail with.
Status = Literal[400, 401, 403, 429, 500]
#: The failures of a provider by the status it would send.
STATUSES: Mapping[int, FaultName] = {
    400: "bad-request",
    401: "unauthorized",
    403: "forbidden",
    429: "rate-limit",
    500: "server-error",
}
FAILURES: tuple[FaultName, ...] = get_args(FaultName)
_KINDS = ("says", "calls", "answers", "fails", "garbles")


class Calling(Value):
    """The call of a tool."""

    tool: str
    args: JsonObject = Field(default_factory=dict)


class Garbling(Value):
    """The call of a tool with args written exactly so."""

    tool: str
    args: str


def _require_one_kind(schema: JsonObject) -> None:
    """So that an editor objects where we do."""
    schema["oneOf"] = [{"required": [kind]} for kind in _KINDS]


class Cue(Value, json_schema_extra=_require_one_kind):
    """One reply, of one of five kinds; to whom it is given, and how often."""

    says: Annotated[str | None, Field(description="A text.")] = None
    calls: Annotated[
        tuple[Calling, ...] | None,
        Field(description="Calls of tools, in one turn.", json_schema_extra={"minItems": 1}),
    ] = None
    answers: Annotated[
        JsonObject | None,
        Field(description="Values by name: as a JSON object; as the call of the one tool that a request demands."),
    ] = None
    fails: Annotated[
        Status | FaultName | None, Field(description="A provider's failure: the status that is sent, or its name.")
    ] = None
    garbles: Annotated[
        Garbling | None, Field(description="The call of a tool with args that are no JSON, or not what it takes.")
    ] = None
    when: Annotated[
        str | None,
        Field(description="Only to a request whose messages have this text among them; else to whichever comes."),
    ] = None
    times: Annotated[
        PositiveInt | Literal["always"],
        Field(description="How often it is given. `always` is the default: where no other reply is for a request."),
    ] = 1
    usage: Annotated[
        TokenUsage | None, Field(description="The tokens that the reply says it has cost; else they are counted.")
    ] = None

    @field_validator("fails", mode="before")
    @classmethod
    def _check_failure(cls, failure: object) -> object:
        known = (*STATUSES, *FAILURES)
        if failure is not None and (failure not in known or isinstance(failure, float)):
            raise ValueError(f"there is no failure {failure!r}; there are {', '.join(map(str, known))}")
        return failure

    @field_validator("times", mode="before")
    @classmethod
    def _check_times(cls, times: object) -> object:
        if times != "always" and (type(times) is not int or times < 1):
            raise ValueError(f'a reply can\'t be given {times!r} times; it can 1, 2, 3 … times, or "always"')
        return times

    @model_validator(mode="after")
    def _check_single_reply(self) -> Self:
        given = [kind for kind in _KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"a reply has one of {', '.join(_KINDS)}; this has {' and '.join(given) or 'none'}")
        if self.calls == ():
            raise ValueError("a reply that calls has at least one call, such as {'tool': 'add', 'args': {'a': 2}}")
        if self.fails is not None and self.usage is not None:
            raise ValueError("a failure costs nothing: take `usage` away, or `fails`")
        return self

    @property
    def is_repeated(self) -> bool:
        """Whether it is given again and again."""
        return self.times == "always"

    @property
    def reply(self) -> Reply:
        """The reply as the scripted LM plays it: an intent, a raw text, or a failure."""
        if self.calls is not None:
            calls = tuple(CallTool(tool=call.tool, args=call.args) for call in self.calls)
            return calls[0] if len(calls) == 1 else Calls(calls=calls)
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
    editor_schema: Annotated[
        str | None, Field(alias="$schema", description="Where editors find this schema; nobody else reads it.")
    ] = None
