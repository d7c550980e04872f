"""A tool as the subject is told of it, and how the kit's own implementation of it behaves."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from react_tck.model.base import JsonObject, Value


class Tool(Value):
    """Name, description and the JSON Schema of the arguments object."""

    name: str
    description: str
    parameters: JsonObject
    #: Python subjects are given a coroutine function (TOOL-004).
    is_async: bool = False
    #: How a Python subject gets it: TOOL-004 ranges over these. One that is declared takes args of any name, and its
    #: schema alone says which.
    callable_form: Literal["function", "method", "object", "declared"] = "function"

    #: Whether it may run only after a person has confirmed the call (CNF-001).
    confirm: bool = False

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of its arguments, in declared order."""
        properties = self.parameters.get("properties")
        return tuple(properties) if isinstance(properties, dict) else ()

    @property
    def defaults(self) -> JsonObject:
        """The defaults of those of its arguments that have one."""
        properties = self.parameters.get("properties")
        schemas = properties if isinstance(properties, dict) else {}
        declared = {name: schema for name, schema in schemas.items() if isinstance(schema, dict)}
        return {name: schema["default"] for name, schema in declared.items() if "default" in schema}

    @property
    def is_declared(self) -> bool:
        """Whether nothing but its schema says what args it takes."""
        return self.callable_form == "declared"

    @property
    def is_open(self) -> bool:
        """Whether it takes args of any other name too."""
        return self.parameters.get("additionalProperties", False) is not False


def is_typed(schema: JsonValue) -> bool:
    """Tell whether the schema of a parameter says what its values are; a default alone doesn't."""
    return isinstance(schema, dict) and not {"type", "enum", "anyOf"}.isdisjoint(schema)


class Returns(Value):
    """The tool's run returns this JSON value."""

    kind: Literal["returns"] = "returns"
    value: JsonValue


class ReturnsOddity(Value):
    """Returns something JSON can't hold (TOOL-003), or what has to be consumed or awaited first (TOOL-006)."""

    kind: Literal["oddity"] = "oddity"
    oddity: Literal["bytes", "object", "set", "nan", "generator", "iterator", "async generator", "coroutine"]

    @property
    def is_deferred(self) -> bool:
        """Whether it is no value before it has been consumed or awaited."""
        return self.oddity in ("generator", "iterator", "async generator", "coroutine")


class Raises(Value):
    """Raises an ordinary exception with this message (ERR-007)."""

    kind: Literal["raises"] = "raises"
    message: str


class Asks(Value):
    """Asks a person this: it raises what suspends a call of the subject's (CNF-016)."""

    kind: Literal["asks"] = "asks"
    question: str


class Interrupts(Value):
    """Is interrupted from outside while it runs, as by Ctrl-C or by the cancellation of its task (ERR-015)."""

    kind: Literal["interrupts"] = "interrupts"
    by: Literal["KeyboardInterrupt", "CancelledError"]


class Mutates(Value):
    """Changes the arguments it was given and, afterwards, the value it returned (TRJ-006)."""

    kind: Literal["mutates"] = "mutates"


class Reads(Value):
    """Returns what it reads in its args: in Python a field of a model by its attribute (TOOL-009)."""

    kind: Literal["reads"] = "reads"


class Performs(Value):
    """Does what a function of a team's own does (`react_tck.tool`)."""

    kind: Literal["performs"] = "performs"


class Reports(Value):
    """The default: a text that names the tool, the run and the episode's nonce."""

    kind: Literal["reports"] = "reports"


Behaviour = Annotated[
    Returns | ReturnsOddity | Raises | Asks | Interrupts | Mutates | Reads | Performs | Reports,
    Field(discriminator="kind"),
]
