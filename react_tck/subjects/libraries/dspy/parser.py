"""dspy's adapters as parsers, one a dialect."""

import json
from functools import lru_cache
from typing import Any

import dspy

from react_tck.fakes.annotations import annotation_of
from react_tck.model.parsing import Parsing
from react_tck.subjects.libraries.dspy import bridge


def read(parsing: Parsing) -> dict[str, Any]:
    """What the adapter of the dialect makes of the reply.

    Raises:
        AdapterParseError: if it refuses the reply; anything else that it raises.
    """
    adapter = bridge.adapter(parsing.dialect)
    assert adapter is not None
    found: dict[str, Any] = adapter.parse(_signature(json.dumps(parsing.fields)), parsing.reply.content or "")
    return found


# The same few signatures are parsed for thousands of times.
@lru_cache(maxsize=256)
def _signature(schemas: str) -> Any:
    fields = {name: (annotation_of(schema), dspy.OutputField()) for name, schema in json.loads(schemas).items()}
    return dspy.Signature({"question": (str, dspy.InputField()), **fields}, "Answer the question.")
