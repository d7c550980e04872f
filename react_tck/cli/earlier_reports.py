"""Reports that were written earlier: read again, or told of with the line that is wrong."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from react_tck.catalogue.registry import load_registry
from react_tck.cli.mistakes import Mistake
from react_tck.files import CannotRead, read_file
from react_tck.model.report import Report
from react_tck.reports.printing import escape_text
from react_tck.texts import UnreadableText, find_line, read_json

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
        line = find_line(text, first["loc"])
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
