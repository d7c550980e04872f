"""Reports that were written earlier: read again, or told of with the line that is wrong."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from react_tck.catalogue.registry import load_registry
from react_tck.cli.mistakes import Mistake
from react_tck.files import CannotRead, read_file
from react_tck.model.base import Value
from react_tck.model.report import Report
from react_tck.reports.history import History, HistoryFile
from react_tck.reports.printing import escape_text
from react_tck.texts import UnreadableText, read_json

V = TypeVar("V", bound=Value)

_RIGHT = "give a file that `react-tck run --json FILE` or `react-tck matrix --out DIR` has written"
_RIGHT_HISTORY = "give a file that `react-tck history LIBRARY VERSION… --json FILE` has written"


class UnreadableReport(Mistake):
    """The file holds no report; the message says where, and what would."""


def read_report(path: Path) -> Report:
    """The report in a file.

    Raises:
        UnreadableReport: if it can't be read, or holds something else.
    """
    return _read_value(path, Report, _RIGHT)


def read_comparable_report(path: Path) -> Report:
    """The report in a file, to stand beside others of this kit.

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


def read_history(path: Path) -> History:
    """The releases of a library in a file.

    Raises:
        UnreadableReport: if it can't be read, holds something else, or reports of requirements that this kit lacks.
    """
    found = _read_value(path, HistoryFile, _RIGHT_HISTORY).history
    told = {each.id for report in found.reports.values() for each in report.requirements}
    if unknown := sorted(told - set(load_registry().by_id)):
        raise UnreadableReport(
            f"{path} tells of {unknown[0]}, which is no requirement of this kit; "
            "`react-tck history LIBRARY VERSION… --json FILE` writes it anew."
        )
    return found


def _read_value(path: Path, model: type[V], right: str) -> V:
    try:
        text = read_file(path)
        # Pydantic's own reader of JSON takes no half of a surrogate pair.
        data = read_json(text)
    except CannotRead as error:
        raise UnreadableReport(f"{error} To compare, {right}.") from error
    except UnreadableText as error:
        place = f"{path}:{error.line}" if error.line else path
        raise UnreadableReport(f"{place}: {error}; {right}.") from error
    try:
        return model.model_validate(_escape_values(data))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        said = f"{place}: {first['msg']}" if place else first["msg"]
        line = _find_line(first["loc"], text)
        what = model.__name__.removesuffix("File").lower()
        raise UnreadableReport(f"{path}:{line}: this is no {what} of this kit: {said}; {right}.") from error


def _escape_values(value: Any) -> Any:
    """The value with no control character in a text or a name: whatever is printed of it moves no cursor."""
    match value:
        case str():
            return escape_text(value)
        case list():
            return [_escape_values(each) for each in value]
        case dict():
            return {escape_text(key): _escape_values(each) for key, each in value.items()}
    return value


def _find_line(place: Sequence[int | str], text: str) -> int:
    """The line of a value, or of the nearest around it, if what is wrong is that it isn't there."""
    at = _skip_space(text, 0)
    for key in place:
        found = _find_member(text, at, key)
        if found is None:
            break
        at = found
    return text.count("\n", 0, at) + 1


def _find_member(text: str, at: int, key: int | str) -> int | None:
    """Where the value of a key or number begins in the object or list that begins there."""
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
