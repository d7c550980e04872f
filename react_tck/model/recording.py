"""What was said between a program and a provider, kept to be said again."""

from pydantic import JsonValue

from react_tck.model.base import Value


class Exchange(Value):
    """A request and the reply to it; of its headers nothing is kept but the kind of the reply."""

    method: str
    #: Below the base URL, such as `/chat/completions`.
    path: str
    #: The body, as JSON; None for an empty one.
    request: JsonValue = None
    status: int
    content_type: str
    #: The body as it came; of a stream, all its events.
    reply: str


class Recording(Value):
    """Exchanges in the order in which they were made."""

    exchanges: tuple[Exchange, ...]
