"""What mutants share that mend replies before they are read, in the dialect `chat`."""

import re
from typing import Any

import dspy

from react_tck.reference.react import ReAct

_MARKER = re.compile(r"^\[\[ ## (\w+) ## \]\][^\S\n]*$", re.MULTILINE)
COMPLETED = "completed"

#: A field's name and the text under its marker.
Section = tuple[str, str]


class Mending(ReAct):
    """Mends what the LM says before it is read; `_mended` says how, given the fields that were asked for."""

    def _reading_adapter(self, predictor: Any) -> dspy.Adapter:
        adapter = super()._reading_adapter(predictor)
        read = adapter.parse

        def parse(signature: Any, completion: str) -> Any:
            return read(signature, self._mended(completion, list(signature.output_fields)))

        adapter.parse = parse
        return adapter

    def _mended(self, completion: str, fields: list[str]) -> str:
        raise NotImplementedError


def sections(completion: str) -> list[Section]:
    """The fields of a reply in `chat`, as often as they stand there."""
    pieces = _MARKER.split(completion)
    return [(name, text.strip()) for name, text in zip(pieces[1::2], pieces[2::2], strict=True)]


def joined(parts: list[Section]) -> str:
    """A reply of these fields, with its end where it has none."""
    ended = parts if any(name == COMPLETED for name, _ in parts) else [*parts, (COMPLETED, "")]
    return "\n\n".join(f"[[ ## {name} ## ]]\n{text}" for name, text in ended)
