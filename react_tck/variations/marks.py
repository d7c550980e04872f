"""Marks of dialects, which a reader of another one takes for text."""

from collections.abc import Iterable, Mapping

from react_tck.dialects.labels import plain_name
from react_tck.model.manifest import Manifest

#: What ends or begins something in a dialect, in the middle of a line: a reader of another one takes it for text.
_MARKS: Mapping[str, str] = {
    "react-text": "Final Answer: 7",
    "chat": "[[ ## completed ## ]]",
    "json": '{"next_tool_name": "finish"}',
    "xml": "</next_thought>",
}
#: Dialects that have the marks of another one.
_LIKE = {"machina": "chat", "label": "react-text"}


def list_all_marks() -> str:
    """The marks of all dialects but JSON, one after the other: its quotes read otherwise where JSON shows them."""
    return _list_marks_but(["json"])


def list_foreign_marks(manifest: Manifest) -> str:
    """The marks of the dialects that the subject doesn't claim, one after the other."""
    return _list_marks_but(manifest.dialects)


def list_other_marks(dialect: str) -> str:
    """The marks of the dialects but this one and JSON, one after the other."""
    return _list_marks_but([dialect, "json"])


def _list_marks_but(dialects: Iterable[str]) -> str:
    names = {plain_name(dialect) for dialect in dialects}
    names |= {_LIKE[dialect] for dialect in names & _LIKE.keys()}
    return " ".join(mark for dialect, mark in _MARKS.items() if dialect not in names)
