"""What was said between a program and a provider, kept to be said again."""

from typing import Annotated

from pydantic import Field, JsonValue

from react_tck.model.base import Value

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
