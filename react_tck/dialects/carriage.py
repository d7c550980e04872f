"""What a dialect can carry: marks can't be escaped in every one, and blank space around a value is nobody's.

A value that it can't carry is none that a parser could give back (PRS-001).
"""

import json
import re
from collections.abc import Callable, Mapping

from pydantic import JsonValue

#: Whoever reads line by line takes such a line for a mark.
_CHAT_MARK = re.compile(r"^\s*\[\[ ## ", re.MULTILINE)
_LABEL = re.compile(r"^\s*\w+\s*:", re.MULTILINE)
#: XML 1.0 has no other characters, and turns carriage returns into line feeds.
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_UNICODE = re.compile("[\ud800-\udfff]")


def carries(dialect: str, value: JsonValue) -> bool:
    """Whether a value survives being written as a field in this dialect and read again."""
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _NO_UNICODE.search(written) is None and _CARRIES[dialect](value, written)


def begins_mark(dialect: str, text: str) -> bool:
    """Whether a line of the text may be taken for a mark of the dialect."""
    mark = {"chat": _CHAT_MARK, "machina": _CHAT_MARK, "label": _LABEL}.get(dialect)
    return mark is not None and mark.search(_lines(text)) is not None


def _quoted(_: JsonValue, __: str) -> bool:
    return True


def _chat(value: JsonValue, written: str) -> bool:
    return _is_stripped(value) and not begins_mark("chat", written)


def _xml(value: JsonValue, written: str) -> bool:
    return _is_stripped(value) and _NO_XML.search(written) is None


def _label(value: JsonValue, written: str) -> bool:
    return _is_stripped(value) and not begins_mark("label", written)


def _is_stripped(value: JsonValue) -> bool:
    return not isinstance(value, str) or value == value.strip()


def _lines(written: str) -> str:
    """With every character on which some language breaks a line as a line feed."""
    return "\n".join(written.splitlines())


_CARRIES: Mapping[str, Callable[[JsonValue, str], bool]] = {
    "json": _quoted,
    "native": _quoted,
    "chat": _chat,
    "machina": _chat,
    "xml": _xml,
    "label": _label,
}
