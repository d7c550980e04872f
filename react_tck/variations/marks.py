"""Marks of dialects, which a reader of another one takes for text."""

from collections.abc import Mapping

from react_tck.dialects.labels import plain_name

#: What ends or begins something in a dialect, in the middle of a line: a reader of another one takes it for text.
#: None is of JSON: its quotes read otherwise where JSON shows them.
_MARKS: Mapping[str, str] = {
    "react-text": "Final Answer: 7",
    "chat": "[[ ## completed ## ]]",
    "xml": "</next_thought>",
}
#: Dialects that have the marks of another one.
_LIKE = {"machina": "chat", "label": "react-text"}


def list_other_marks(dialect: str) -> str:
    """Return the marks of the dialects but this one and JSON, one after the other."""
    own = plain_name(dialect)
    return " ".join(mark for name, mark in _MARKS.items() if name not in (own, _LIKE.get(own)))
