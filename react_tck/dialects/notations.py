"""Args and names as the LM wrote them: what can be read in them with certainty, in JSON or not (ERR-001 to ERR-003)."""

import ast
import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

from react_tck.model.base import JsonObject

_FENCE = re.compile(r"\s*```\w*\s*+((?:\S(?:.*\S)?)?)\s*```\s*", re.DOTALL)
#: What a text in another notation is made of; anything else leaves it open what is meant.
_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)
      | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<number>[-+]?(?:0[xXoObB][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.]))
      | (?P<name>[A-Za-z_]\w*)
      | (?P<mark>[{}\[\],:])""",
    re.VERBOSE | re.DOTALL,
)
_LITERALS = {"True": "true", "False": "false", "None": "null", "true": "true", "false": "false", "null": "null"}
#: JSON that some take for no args, of a tool without parameters (choice `empty-args`).
NEXT_TO_NOTHING = ("[]", "0", "false")
#: No args at all, as an LM may write it; a text that isn't JSON stands in JSON as a string.
_NOTHING = ("", "null", '""')


def is_plain_json(text: str) -> bool:
    """Tell whether the text is JSON, so that nothing has to be repaired to read it; NaN and Infinity are none."""
    try:
        _load_json(text)
    except (ValueError, RecursionError):
        return False
    return True


def is_nothing(text: str) -> bool:
    """Tell whether the args are empty or `null`, which may stand for an object without keys (choice `empty-args`)."""
    return text.strip() in _NOTHING


def bare_name(written: str) -> str:
    """Return the name without the blank space, quotes or backticks around it."""
    return written.strip().strip("\"'`*").strip()


def parse_certain_args(text: str) -> JsonObject | None:
    """Return the object that the text is, or is the JSON text of, or is in another notation; none if that would be a
    guess.

    Of a key that stands twice the last value counts here; which one it is to the subject is a choice.
    """
    if is_nothing(text):
        return {}
    try:
        read = _load_json(text) if is_plain_json(text) else _read_notation(text)
        read = _load_json(read) if isinstance(read, str) else read
    except (ValueError, SyntaxError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def read_both_values(text: str) -> tuple[JsonObject, JsonObject] | None:
    """Return the args by the first and by the last value of a key that stands twice with different ones."""
    try:
        written = text if is_plain_json(text) else _convert_to_json(text)
        last = _load_json(written)
        first = json.loads(written, object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    except (ValueError, SyntaxError, RecursionError):
        return None
    return (first, last) if isinstance(last, dict) and first != last else None


def _read_notation(text: str) -> JsonValue:
    """Return the one value of a text in another notation."""
    read: JsonValue = json.loads(_convert_to_json(text), object_pairs_hook=_merge_pairs)
    return read


def _convert_to_json(text: str) -> str:
    """Return a text in single quotes, Python literals, with a trailing comma, bare keys or a fence, as JSON."""
    fenced = _FENCE.fullmatch(text)
    pieces: list[str] = []
    for piece in _convert_pieces(fenced[1] if fenced else text):
        if piece in ("}", "]") and pieces[-1:] == [","] and pieces[-2:-1] not in ([","], ["{"], ["["]):
            pieces.pop()
        pieces.append(piece)
    return "".join(pieces)


def _convert_pieces(text: str) -> Iterator[str]:
    """Yield the pieces of the text as JSON has them.

    Raises:
        ValueError: if a piece belongs to no notation.
    """
    end = 0
    while end < len(text):
        found = _TOKEN.match(text, end)
        if found is None:
            raise ValueError(f"{text[end:]} can't be read")
        end = found.end()
        match found.lastgroup:
            case "text" | "number":
                yield json.dumps(_read_literal(found[0]))
            case "name":
                is_key = text[end:].lstrip().startswith(":")
                yield json.dumps(found[0]) if is_key else _LITERALS.get(found[0], found[0])
            case "mark":
                yield found[0]


def _read_literal(token: str) -> JsonValue:
    try:
        read: JsonValue = json.loads(token)
    except ValueError:
        read = ast.literal_eval(token)
    return read


def _merge_pairs(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    made = dict(pairs)
    if any(made[name] != value for name, value in pairs):
        raise ValueError("a key stands twice with different values")
    return made


def _load_json(text: str) -> JsonValue:
    read: JsonValue = json.loads(text, parse_constant=_refuse_constant)
    return read


def _refuse_constant(constant: str) -> JsonValue:
    raise ValueError(f"{constant} is no JSON")
