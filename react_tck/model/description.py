"""What an instance says of itself when it is inspected (UDS-003)."""

from react_tck.model.base import Value


class Fields(Value):
    """A signature's field names and instructions."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    instructions: str = ""


class Description(Value):
    """The tools with their descriptions, built-in ones included, and the signatures by the names they have."""

    tools: dict[str, str]
    signatures: dict[str, Fields]
