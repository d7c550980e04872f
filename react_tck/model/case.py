"""What the subject is asked to do. Never what is expected of it."""

from typing import Literal

from react_tck.model.base import JsonObject, Value
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

Mode = Literal["sync", "async"]

#: The systems of S0, S2 and S3; that of S4 has no name of its own.
System = Literal["conversation", "transcript", "udspy"]


class Options(Value):
    """What the subject is constructed with besides signature and tools; None leaves it to the subject."""

    max_steps: int | None = None
    #: The dialect of the globally configured adapter (ADP-001).
    adapter: str | None = None
    #: The dialect of the adapter given to this module alone (ADP-002).
    module_adapter: str | None = None
    #: What asks the LM in each state of a conversation (S0).
    predictor: Literal["predict", "chain-of-thought"] | None = None
    #: Which system of the sources is wanted, for a subject that offers several.
    system: System | None = None


class Invocation(Value):
    """One call of the constructed instance."""

    inputs: JsonObject
    #: Earlier turns, each a mapping of field name to value (S4+).
    history: tuple[JsonObject, ...] | None = None
    max_steps: int | None = None
    mode: Mode = "sync"


class Case(Value):
    """One episode's task: construct once, call in order."""

    id: str
    signature: Signature
    tools: tuple[Tool, ...] = ()
    options: Options = Options()
    invocations: tuple[Invocation, ...] = ()
