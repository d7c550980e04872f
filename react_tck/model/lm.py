"""Requests to the LM and its completions, in the words of the chat-completions API."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, NonNegativeInt

from react_tck.model.base import JsonObject, Value

Role = Literal["system", "developer", "user", "assistant", "tool"]


class ToolCall(Value):
    """A native tool call; `arguments` is the JSON text the LM wrote."""

    id: str
    name: str
    arguments: str


class Message(Value):
    """One message of a request."""

    role: Role
    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    #: The addresses of the image parts among its content, in order; `content` has the text parts.
    images: tuple[str, ...] = ()


class ToolOffer(Value):
    """A tool offered natively, in the request's `tools`."""

    name: str
    description: str = ""
    parameters: JsonObject = {}
    #: Whether the args of a call fit the parameters for certain.
    strict: bool = False


class LMRequest(Value):
    """One request as it reached the LM."""

    messages: tuple[Message, ...]
    tools: tuple[ToolOffer, ...] = ()
    tool_choice: str | None = None
    response_format: str | None = None
    #: Whether a reply may make several calls.
    parallel_tool_calls: bool = True
    #: The JSON schema that the reply's text has to fit, where one is demanded.
    answer_schema: JsonObject | None = None
    model: str = ""

    @property
    def demanded_fields(self) -> tuple[str, ...]:
        """The fields that the reply's text has to have by its schema, which may itself be a reference."""
        schema = self.answer_schema
        if not schema:
            return ()
        name, defined = str(schema.get("$ref", "")).removeprefix("#/$defs/"), schema.get("$defs")
        inner = defined.get(name) if isinstance(defined, dict) else None
        properties = (inner if isinstance(inner, dict) else schema).get("properties")
        return tuple(properties) if isinstance(properties, dict) else ()

    @property
    def system_text(self) -> str:
        """The text of the system messages."""
        return "\n".join([m.content or "" for m in self.messages if m.role in ("system", "developer")])

    @property
    def text(self) -> str:
        """All that the LM gets to read, tools offered natively included."""
        offers = (f"{t.name}\n{t.description}\n{t.parameters}" for t in self.tools)
        calls = (f"{c.name}\n{c.arguments}" for m in self.messages for c in m.tool_calls)
        return "\n".join([*(m.content or "" for m in self.messages), *offers, *calls])


class TokenUsage(Value):
    """Tokens that a reply says it has cost; what isn't said is counted."""

    prompt_tokens: NonNegativeInt | None = None
    completion_tokens: NonNegativeInt | None = None


class Completion(Value):
    """One reply of the LM: its text, its tool calls, why it ended, and what it cost."""

    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: Literal["stop", "tool_calls", "length"] = "stop"
    usage: TokenUsage | None = None


class Ask(Value):
    """What a request asks for: the phase, in which dialect, and which fields in which order."""

    phase: Literal["step", "extraction"]
    dialect: str
    fields: tuple[str, ...]
    #: The tool offered that takes the answer; the fields are its parameters.
    answer_tool: str | None = None


JSON = "application/json"
#: What may stand in a header: no other can be slipped in behind it.
CONTENT_TYPE = r"^[A-Za-z0-9][A-Za-z0-9.+-]{0,60}/[A-Za-z0-9][A-Za-z0-9.+-]{0,60}$"
#: Of replies that are the last of their request.
STATUSES = range(200, 600)


class Exchange(Value):
    """A request and the reply to it; of its headers nothing is kept but the kind of the reply."""

    method: Annotated[str, Field(pattern=r"^[A-Z-]{1,20}$")]
    #: Below the base URL, such as `/chat/completions`.
    path: str
    #: The body, as JSON; None for an empty one.
    request: JsonValue = None
    status: Annotated[int, Field(ge=STATUSES.start, lt=STATUSES.stop)]
    content_type: Annotated[str, Field(pattern=CONTENT_TYPE)]
    #: The body as it came; of a stream, all its events.
    reply: str


class Recording(Value):
    """Exchanges in the order in which they were made."""

    exchanges: tuple[Exchange, ...]
