"""What a test has the scripted LM say to whatever an agent asks, reply by reply."""

from collections.abc import Mapping
from re import Pattern
from typing import Annotated, Literal, Self, get_args

from pydantic import (
    BeforeValidator,
    Field,
    JsonValue,
    PlainSerializer,
    PositiveFloat,
    PositiveInt,
    field_validator,
    model_validator,
)

from react_tck.model.base import JsonObject, Value
from react_tck.model.intent import Answer, BadArgs, Calls, CallTool, Fault, FaultName, Raw, Reply
from react_tck.model.lm import Completion, LMRequest, Role, TokenUsage

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
#: What real providers do in their streams, and a client of OpenAI's does well to bear: comments between events, CRLF
#: at the end of lines, a last chunk with usage and without choices that nobody asked for, a first chunk without choices
#: and an empty one after it, blank text before calls or marks; the id of a call in each of its deltas, calls without an
#: index or all with the same, and the arguments of several calls in turns.
Quirk = Literal[
    "comments",
    "crlf",
    "usage-chunk",
    "empty-first",
    "blank-text",
    "repeated-id",
    "no-index",
    "same-index",
    "interleaved",
]
QUIRKS: frozenset[Quirk] = frozenset(get_args(Quirk))
_KINDS = ("says", "calls", "answers", "fails", "garbles", "refuses", "filters")
#: Two kinds that make one reply.
_TOGETHER = ("says", "calls")


class Calling(Value):
    """The call of a tool."""

    tool: str
    args: JsonObject = Field(default_factory=dict)


class Garbling(Value):
    """The call of a tool with args written exactly so."""

    tool: str
    args: str


class Condition(Value):
    """What a request is to be like; all that is said of it."""

    text: Annotated[str | None, Field(description="A text that its messages have among them.")] = None
    matches: Annotated[Pattern[str] | None, Field(description="A regular expression, found in its messages.")] = None
    role: Annotated[
        Role | None, Field(description="Of whose messages both are said: `system`, `user`, `assistant`, `tool`.")
    ] = None
    model: Annotated[str | None, Field(description="The model that is asked.")] = None
    tool: Annotated[str | None, Field(description="A tool that is offered.")] = None
    turn: Annotated[
        PositiveInt | None,
        Field(description="Which of the model's turns it asks for; the first has no reply before it."),
    ] = None
    after: Annotated[str | None, Field(description="The tool whose result it brings.")] = None

    def is_met(self, request: LMRequest) -> bool:
        """Tell whether a request is like that."""
        roles = ("system", "developer") if self.role == "system" else (self.role,)
        said = (each for each in request.messages if each.role in roles)
        read = "\n".join(each.content or "" for each in said) if self.role else request.text
        turns = [number for number, each in enumerate(request.messages, start=1) if each.role == "assistant"]
        results = {each.tool_call_id for each in request.messages[turns[-1] if turns else 0 :] if each.role == "tool"}
        answered = {call.name for each in request.messages for call in each.tool_calls if call.id in results}
        return (
            (self.text or "") in read
            and (self.matches is None or self.matches.search(read) is not None)
            and self.model in (request.model, None)
            and self.tool in (*(offer.name for offer in request.tools), None)
            and self.turn in (len(turns) + 1, None)
            and self.after in (*answered, None)
        )

    def __str__(self) -> str:
        said = self.model_dump(mode="json", exclude_none=True)
        return " ".join(repr(each) if name == "text" else f"{name}={each!r}" for name, each in said.items())


def _read_condition(said: object) -> object:
    return said if isinstance(said, Mapping | Condition | None) else {"text": said}


def _write_condition(condition: Condition | None) -> str | Condition | None:
    is_text = condition and condition.model_fields_set == {"text"}
    return condition.text if condition and is_text else condition


def _require_one_kind(schema: JsonObject) -> None:
    """So that an editor objects where we do."""
    alone: list[JsonValue] = [{"required": [kind]} for kind in _KINDS if kind not in _TOGETHER]
    schema["oneOf"] = [{"anyOf": [{"required": [kind]} for kind in _TOGETHER]}, *alone]


class Cue(Value, json_schema_extra=_require_one_kind):
    """One reply, of one kind, or a text with calls; to whom it is given, how often, and in which manner."""

    says: Annotated[str | None, Field(description="A text.")] = None
    calls: Annotated[
        tuple[Calling, ...] | None,
        Field(
            description="Calls of tools, in one turn; with `says`, beside that text.", json_schema_extra={"minItems": 1}
        ),
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
    refuses: Annotated[str | None, Field(description="The model refuses, in these words.")] = None
    filters: Annotated[str | None, Field(description="A text that the provider's content filter cuts off here.")] = None
    thinks: Annotated[
        str | None, Field(description="What the model thinks before it replies, where the request is for that.")
    ] = None
    when: Annotated[
        Condition | None,
        BeforeValidator(_read_condition),
        PlainSerializer(_write_condition),
        Field(
            description="Only to a request like that, or with this text among its messages; else to whichever comes."
        ),
    ] = None
    until: Annotated[
        str | None,
        Field(
            description="Once it is its turn, to each request whose messages don't have this text among them: as a "
            "model says the same to who begins anew."
        ),
    ] = None
    times: Annotated[
        PositiveInt | Literal["always"],
        Field(description="How often it is given. `always` is the default: where no other reply is for a request."),
    ] = 1
    usage: Annotated[
        TokenUsage | None, Field(description="The tokens that the reply says it has cost; else they are counted.")
    ] = None
    tokens_per_second: Annotated[
        PositiveFloat | None,
        Field(description="Its pace, if it has one. Four characters are a token."),
    ] = None
    streams: Annotated[
        tuple[Quirk, ...],
        Field(description="How it is streamed, as some providers do and OpenAI doesn't, where a stream is asked for."),
    ] = ()
    on_purpose: Annotated[
        bool, Field(description="Whether it is meant that a tool is called which isn't offered, or doesn't take that.")
    ] = False

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
        if len(given) != 1 and given != list(_TOGETHER):
            raise ValueError(f"a reply has one of {', '.join(_KINDS)}; this has {' and '.join(given) or 'none'}")
        if self.calls == ():
            raise ValueError("a reply that calls has at least one call, such as {'tool': 'add', 'args': {'a': 2}}")
        if self.until is not None and self.times != 1:
            raise ValueError("`until` says how often it is given: take `times` away")
        if self.fails is not None and self.usage is not None:
            raise ValueError("a failure costs nothing: take `usage` away, or `fails`")
        if self.fails is not None and self.tokens_per_second is not None:
            raise ValueError("a failure has no pace: take `tokens_per_second` away, or `fails`")
        if self.fails is not None and self.thinks is not None:
            raise ValueError("a failure comes without a thought: take `thinks` away, or `fails`")
        if self.on_purpose and self.calls is None and self.garbles is None:
            raise ValueError("only a call is made on purpose: take `on_purpose` away, or say what is called")
        return self

    @property
    def is_repeated(self) -> bool:
        """Whether it is given again and again."""
        return self.times == "always"

    @property
    def called_tools(self) -> tuple[str, ...]:
        """The tools that the reply calls."""
        return tuple(call.tool for call in self.calls or ()) + ((self.garbles.tool,) if self.garbles else ())

    @property
    def reply(self) -> Reply:
        """The reply as the scripted LM plays it: an intent, a raw text, or a failure."""
        if self.calls is not None:
            beside = self.says or ""
            if len(self.calls) == 1:
                return CallTool(tool=self.calls[0].tool, args=self.calls[0].args, thought=beside)
            calls = tuple(CallTool(tool=call.tool, args=call.args) for call in self.calls)
            return Calls(calls=calls, thought=beside)
        if self.answers is not None:
            return Answer(outputs=self.answers)
        if self.garbles is not None:
            return BadArgs(tool=self.garbles.tool, text=self.garbles.args)
        if self.fails is not None:
            return Fault(fault=STATUSES[self.fails] if isinstance(self.fails, int) else self.fails)
        return Raw(text=self.says or self.refuses or self.filters or "")

    def shape_completion(self, completion: Completion) -> Completion:
        """Return the completion that it has become, with what only a cue says of it."""
        return CuedCompletion(
            **dict(completion) | {"usage": self.usage},
            is_refusal=self.refuses is not None,
            is_filtered=self.filters is not None,
            tokens_per_second=self.tokens_per_second,
            streams=self.streams,
            thought=self.thinks or "",
        )


class CuedCompletion(Completion):
    """A completion with what only the LM of agents' tests says of one, and no scenario of the kit's."""

    #: Whether its text says why the model refuses.
    is_refusal: bool = False
    #: Whether the provider's content filter has cut it off.
    is_filtered: bool = False
    tokens_per_second: float | None = None
    #: How it is streamed otherwise than OpenAI does.
    streams: tuple[Quirk, ...] = ()
    #: What the model has thought before.
    thought: str = ""


def stream_oddly(completion: Completion) -> Completion:
    """Return the completion, streamed as no two providers do."""
    return CuedCompletion(**dict(completion) | {"streams": tuple(sorted(QUIRKS))})


class CueSheet(Value):
    """Replies in the order in which they are given; the file of `react-tck serve`."""

    replies: tuple[Cue, ...]
    editor_schema: Annotated[
        str | None, Field(alias="$schema", description="Where editors find this schema; nobody else reads it.")
    ] = None
