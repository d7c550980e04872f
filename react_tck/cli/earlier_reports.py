"""Reports that were written earlier: read again, or told of with the line that is wrong."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from react_tck.catalogue.registry import load_registry
from react_tck.cli.mistakes import Mistake
from react_tck.files import CannotRead, read_file
from react_tck.model.report import Report
from react_tck.reports.printing import escape_text
from react_tck.texts import UnreadableText, read_json

_RIGHT = "give a file that `react-tck run --json FILE` or `react-tck matrix --out DIR` has written"


class UnreadableReport(Mistake):
    """The file holds no report; the message says where, and what would."""


def read_report(path: Path) -> Report:
    """Return the report in a file.

    Raises:
        UnreadableReport: if it can't be read, or holds something else.
    """
    try:
        text = read_file(path)
        # Pydantic's own reader of JSON takes no half of a surrogate pair.
        data = read_json(text)
    except CannotRead as error:
        raise UnreadableReport(f"{error} To compare, {_RIGHT}.") from error
    except UnreadableText as error:
        place = f"{path}:{error.line}" if error.line else path
        raise UnreadableReport(f"{place}: {error}; {_RIGHT}.") from error
    try:
        return Report.model_validate(_escape_values(data))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        said = f"{place}: {first['msg']}" if place else first["msg"]
        line = _find_line(first["loc"], text)
        raise UnreadableReport(f"{path}:{line}: this is no report of this kit: {said}; {_RIGHT}.") from error


def read_comparable_report(path: Path) -> Report:
    """Return the report in a file, to stand beside others of this kit.

    Raises:
        UnreadableReport: if it can't be read, holds something else, or a report of other requirements than this kit's.
    """
    report = read_report(path)
    if [each.id for each in report.requirements] != list(load_registry().by_id):
        raise UnreadableReport(
            f"{path} is a report of other requirements than those of this kit; "
            "`react-tck run --profile all --json FILE` writes it anew."
        )
    return report


def _escape_values(value: Any) -> Any:
    """Return the value with no control character in a text or a name: whatever is printed of it moves no cursor."""
    match value:
        case str():
            return escape_text(value)
        case list():
            return [_escape_values(each) for each in value]
        case dict():
            return {escape_text(key): _escape_values(each) for key, each in value.items()}
    return value


def _find_line(place: Sequence[int | str], text: str) -> int:
    """Return the line of a value, or of the nearest around it, if what is wrong is that it isn't there."""
    at = _skip_space(text, 0)
    for key in place:
        found = _find_member(text, at, key)
        if found is None:
            break
        at = found
    return text.count("\n", 0, at) + 1


def _find_member(text: str, at: int, key: int | str) -> int | None:
    """Return where the value of a key or number begins in the object or list that begins there."""
    decode, number, is_object = json.JSONDecoder().raw_decode, 0, text[at] == "{"
    if not is_object and text[at] != "[":
        return None
    at = _skip_space(text, at + 1)
    while text[at] not in "]}":
        name: int | str = number
        if is_object:
            name, at = decode(text, at)
            at = _skip_space(text, at, ":")
        if name == key:
            return at
        at = _skip_space(text, decode(text, at)[1], ",")
        number += 1
    return None


def _skip_space(text: str, at: int, also: str = "") -> int:
    while at < len(text) and text[at] in f" \t\r\n{also}":
        at += 1
    return at
