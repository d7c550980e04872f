"""Texts of others' read as values, within bounds: JSON, TOML and YAML; whatever one isn't is told in a sentence.

What is read here can be written again: no number is longer than Python writes, nothing nests deeper than anybody
walks, and the aliases of a few lines of YAML don't make a value without end.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from react_tck.model.base import DIGITS

#: The first whole number that Python doesn't write; and how deep values may stand, as pydantic reads JSON.
_TOO_LARGE, _DEPTH = 10**DIGITS, 200
#: Values that an outcome may hold, and that a text of YAML may stand for, those behind its aliases counted each time.
_VALUES = 100_000
#: A key of TOML that names over a hundred tables; of 20,000 tomllib would read for minutes.
_LONG_KEY = re.compile(
    r"""(?:^|[{,])[ \t]*+\[{0,2}+[ \t]*+(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""", re.MULTILINE
)
#: What stands between the values of a JSON text.
_BETWEEN = re.compile(r"[\s,:]*")
#: Where a value stands in others, from outside in, as pydantic says it.
Place = tuple[int | str, ...]


class UnreadableText(ValueError):
    """The text can't be read as what it is to be; the message says why, and `line` where, if that is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def read_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        UnreadableText: if it is none, or too large in a number or in its depth.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableText(f"this is not JSON: {error.msg}", error.lineno) from error
    except ValueError as error:
        raise UnreadableText(f"this is not JSON: {error}") from error
    except RecursionError as error:
        raise UnreadableText("this is nested too deeply") from error
    return check_bounds(value)


def read_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises:
        UnreadableText: if it is none, or too large in a number, in its depth or in the parts of a key.
    """
    if found := _LONG_KEY.search(text):
        line = text.count("\n", 0, found.end()) + 1
        raise UnreadableText(f"line {line} has a key of more than 100 parts", line)
    try:
        tables = tomllib.loads(text)
    except ValueError as error:  # of a number of 5,000 digits, tomllib says no more than that
        raise UnreadableText(f"this is not TOML: {error}") from error
    except RecursionError as error:
        raise UnreadableText("this is nested too deeply") from error
    check_bounds(tables)
    return tables


def read_yaml(text: str) -> Any:
    """Return the value of a YAML text, to which a key that stands twice in a mapping is a mistake, as YAML itself says.

    Raises:
        UnreadableText: if it is none, or too large in a number, in its depth or by its aliases.
        ImportError: if PyYAML isn't installed.
    """
    import yaml

    try:
        value = yaml.load(text, _make_loader(yaml))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise UnreadableText(f"this is not YAML: {getattr(error, 'problem', error)}{where}") from error
    except RecursionError as error:
        raise UnreadableText("this is nested too deeply to be read as YAML") from error
    except (ValueError, OverflowError) as error:  # of a number of 5,000 digits, or a 31st of February
        raise UnreadableText(f"this is not YAML: {error}") from error
    return check_bounds(value)


def find_excess(value: object, *, is_counted: bool = False) -> str:
    """Return what of a value is more than anybody reads, its values counted or not; nothing if all is well."""
    waiting: list[tuple[object, int]] = [(value, 0)]
    found = 0
    while waiting:
        each, depth = waiting.pop()
        found += 1
        if is_counted and found + len(waiting) > _VALUES:
            return f"more than {_VALUES} values"
        if isinstance(each, int) and abs(each) >= _TOO_LARGE:
            return f"a whole number of {each.bit_length()} bits, which has more digits than can be read"
        inner = _list_inner(each)
        if inner and depth == _DEPTH:
            return f"values more than {_DEPTH} deep"
        waiting += [(below, depth + 1) for below in inner]
    return ""


def check_bounds(value: Any) -> Any:
    """Return the value itself.

    Raises:
        UnreadableText: if something of it is more than anybody reads.
    """
    if excess := find_excess(value):
        raise UnreadableText(f"this holds {excess}")
    return value


def find_line(text: str, place: Place) -> int:
    """Return the line of a JSON text in which the value at this place begins, or what is nearest around it."""
    at = _find_next(text, 0)
    for part in place:
        at = dict(_list_members(text, at)).get(part, at) if text[at] in "{[" else at
    return text.count("\n", 0, at) + 1


def _list_inner(value: object) -> list[object]:
    match value:
        case dict():
            return [*value.keys(), *value.values()]
        case list() | tuple():
            return list(value)
        case BaseModel():
            return list(vars(value).values())
    return []


def _make_loader(yaml: Any) -> Any:
    """Return a loader that counts what a text stands for before it makes anything of it."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        def compose_document(self) -> Any:
            node = super().compose_document()
            _count_values(yaml, node, {})
            return node

        def compose_mapping_node(self, anchor: Any) -> Any:
            node, seen = super().compose_mapping_node(anchor), set()
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise yaml.MarkedYAMLError(problem="a key is a text", problem_mark=key.start_mark)
                name = (key.tag, key.value)
                if name in seen:
                    twice = f"the key {key.value!r} stands twice in one object"
                    raise yaml.MarkedYAMLError(problem=twice, problem_mark=key.start_mark)
                seen.add(name)
            return node

    return Loader


def _count_values(yaml: Any, node: Any, counted: dict[int, int]) -> int:
    """Return how many values a node stands for. Raises MarkedYAMLError if they are too many, or it stands in itself."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in counted:
        counted[id(node)] = 0  # as long as it is being counted
        inner = [each for pair in node.value for each in pair] if isinstance(node, yaml.MappingNode) else node.value
        counted[id(node)] = 1 + sum(_count_values(yaml, each, counted) for each in inner)
    if not 0 < counted[id(node)] <= _VALUES:
        wrong = f"its aliases make more than {_VALUES} values" if counted[id(node)] else "an alias stands in itself"
        raise yaml.MarkedYAMLError(problem=wrong, problem_mark=node.start_mark)
    return counted[id(node)]


def _list_members(text: str, at: int) -> Iterator[tuple[int | str, int]]:
    """Yield the key or number of each value of an object or array that begins here, and where the value begins."""
    is_object, number, decode = text[at] == "{", 0, json.JSONDecoder().raw_decode
    at = _find_next(text, at + 1)
    while text[at] not in "}]":
        key, begin = decode(text, at) if is_object else (number, at)
        begin = _find_next(text, begin)
        yield key, begin
        at, number = _find_next(text, decode(text, begin)[1]), number + 1


def _find_next(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return found.end() if found else at
