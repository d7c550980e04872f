"""What the subject is asked to do. Never what is expected of it."""

from typing import Literal

from pydantic import JsonValue, NonNegativeInt

from react_tck.model.base import JsonObject, Value
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

Mode = Literal["sync", "async"]

#: The systems of S0, S2 and S3; that of S4 has no name of its own.
System = Literal["conversation", "transcript", "udspy"]


class Demos(Value):
    """Demonstrations for the two internal predictors, each a mapping of field name to value (SAV-001)."""

    step: tuple[JsonObject, ...] = ()
    extraction: tuple[JsonObject, ...] = ()


class Options(Value):
    """What the subject is constructed with besides signature and tools; None leaves it to the subject."""

    max_steps: NonNegativeInt | None = None
    #: The dialect of the globally configured adapter (ADP-001).
    adapter: str | None = None
    #: The dialect of the adapter given to this module alone (ADP-002).
    module_adapter: str | None = None
    #: What asks the LM in each state of a conversation (S0).
    predictor: Literal["predict", "chain-of-thought"] | None = None
    #: Which system of the sources is wanted, for a subject that offers several.
    system: System | None = None
    #: Whether the agent may ask the user (CNF-011); None where confirmation isn't the subject's affair.
    clarification: bool | None = None
    #: Whether callbacks of the framework's listen to the calls (OBS-001); None where they aren't the subject's affair.
    callbacks: bool | None = None
    #: None where saving and loading isn't the subject's affair.
    demos: Demos | None = None


class Resumption(Value):
    """What a suspended call is resumed with."""

    response: str
    mode: Mode = "sync"
    #: Given instead of the id of the latest suspension (CNF-012).
    confirmation_id: str | None = None
    #: Whether another instance, built from the same case, takes the suspended call over (CNF-008).
    elsewhere: bool = False


class Invocation(Value):
    """One call of the constructed instance, with all that it is resumed with; together they are one call."""

    inputs: JsonObject
    #: Earlier turns, each a mapping of field name to value (S4+); or the history of an earlier outcome (S0, S2).
    history: tuple[JsonObject, ...] | None = None
    #: The call of this instance, counted from 0, whose history is passed on, if it gave one: in a transcript as the
    #: object that it returned (S2), in a conversation as what its outcome told (S0).
    follows: int | None = None
    max_steps: NonNegativeInt | None = None
    #: The dialect of the globally configured adapter from now on, where it isn't the one of the options (ADP-005).
    adapter: str | None = None
    mode: Mode = "sync"
    #: What another instance suspended this call with, as its outcome told: it is resumed without being called.
    suspension: JsonObject | None = None
    resumptions: tuple[Resumption, ...] = ()

    def find_step_limit(self, options: Options) -> int | None:
        """How many steps it may take: its own limit, else that of the construction; None leaves it to the subject."""
        return self.max_steps if self.max_steps is not None else options.max_steps

    @property
    def outcome_count(self) -> int:
        """How many outcomes it gives if every operation comes back."""
        return (self.suspension is None) + len(self.resumptions)


class Case(Value):
    """One episode's task: construct once, load the state if there is one, call in order."""

    id: str
    signature: Signature
    tools: tuple[Tool, ...] = ()
    options: Options = Options()
    #: What `dump` of another instance gave: a saved program, loaded before the first call (SAV-001, TRN-011).
    state: JsonValue = None
    invocations: tuple[Invocation, ...] = ()
