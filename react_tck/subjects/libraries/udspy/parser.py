"""udspy's adapter as a parser: reads, and checks what it read, as its `Predict` does."""

import json
from functools import lru_cache
from typing import Any

from react_tck.fakes.annotations import annotation_of
from react_tck.model.parsing import Parsing


def read(parsing: Parsing) -> dict[str, Any]:
    """What the adapter makes of the reply.

    Raises:
        AdapterParseError: if it refuses the reply; anything else that it raises.
    """
    from udspy.adapter import ChatAdapter

    adapter, signature, text = ChatAdapter(), _signature(json.dumps(parsing.fields)), parsing.reply.content or ""
    found: dict[str, Any] = adapter.parse_outputs(signature, text)
    adapter.validate_outputs(signature, found, [], text)
    return found


# The same few signatures are parsed for thousands of times.
@lru_cache(maxsize=256)
def _signature(schemas: str) -> Any:
    from udspy import InputField, OutputField, Signature

    fields = {name: annotation_of(schema) for name, schema in json.loads(schemas).items()}
    members: dict[str, Any] = {"question": InputField(), **{name: OutputField() for name in fields}}
    members |= {"__annotations__": {"question": str, **fields}, "__module__": __name__, "__doc__": "Answer."}
    return type(Signature)("Task", (Signature,), members)
