"""Feature files as gherkin reads them. That takes as long as playing dozens of rows, so it is kept what it has read.

What is kept of the kit's own features lies where Python keeps what it compiles, and if Python does; by content, and by
the gherkin that has read it.
"""

import json
import re
import sys
from functools import cache
from hashlib import sha256
from importlib.util import cache_from_source, find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pydantic_core import from_json

from react_tck.files import CannotRead, CannotWrite, read, write

if TYPE_CHECKING:
    from gherkin.errors import CompositeParserException, ParserException
    from gherkin.parser_types import GherkinDocument

DEFAULT_ROOT = Path(__file__).parents[1] / "features"

_TOKEN_NAMES = {
    "#EOF": "the end of the file",
    "#BackgroundLine": "Background:",
    "#Comment": "a comment",
    "#DocStringSeparator": "a docstring",
    "#Empty": "an empty line",
    "#ExamplesLine": "Examples:",
    "#FeatureLine": "Feature:",
    "#Language": "a # language line",
    "#Other": "text",
    "#RuleLine": "Rule:",
    "#ScenarioLine": "Scenario:",
    "#StepLine": "a step",
    "#TableRow": "a table row",
    "#TagLine": "tags",
}


class FeatureError(Exception):
    """A feature file can't be read: where, and why, in one paragraph."""

    def __init__(self, file: Path, line: int, message: str) -> None:
        self.file = file
        self.line = line
        self.message = message
        super().__init__(f"{file}:{line}: {message}")


def document(path: Path, text: str | None = None) -> "GherkinDocument":
    """What gherkin reads in the file; or in the text, as if the file held it.

    Raises:
        FeatureError: if it isn't Gherkin, or no text.
    """
    if text is not None or DEFAULT_ROOT not in path.parents:
        return _parsed(path, _text(path) if text is None else text)
    text = _text(path)
    kept, name = _place(path), f"{sha256(text.encode()).hexdigest()} {_gherkin()}"
    if (found := _kept(kept, name)) is not None:
        return found
    made = _parsed(path, text)
    if not sys.dont_write_bytecode:
        _keep(kept, name, made)
    return made


def _parsed(path: Path, text: str) -> "GherkinDocument":
    from gherkin.errors import CompositeParserException, ParserException
    from gherkin.parser import Parser

    try:
        return Parser().parse(text)
    except (CompositeParserException, ParserException) as error:
        raise _syntax_error(path, error) from error


def _place(path: Path) -> Path:
    return Path(cache_from_source(str(path))).with_name(f"{path.name}.json")


@cache
def _gherkin() -> str:
    """Which one is installed, and when it was."""
    spec = find_spec("gherkin")
    origin = Path((spec and spec.origin) or "")
    return f"{origin} {origin.stat().st_mtime_ns}"


def _kept(place: Path, name: str) -> "GherkinDocument | None":
    """What is kept there under that name, if anything."""
    try:
        head, _, kept = read(place).partition("\n")
        return cast("GherkinDocument", from_json(kept)) if head == name else None
    except (CannotRead, ValueError):
        return None


def _keep(place: Path, name: str, made: "GherkinDocument") -> None:
    try:
        place.parent.mkdir(exist_ok=True)
        write(place, f"{name}\n{json.dumps(made)}")
    except (OSError, CannotWrite):  # others may read the kit's files, and not write any
        return


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = path.read_bytes().count(b"\n", 0, error.start) + 1
        raise FeatureError(path, line, "the file is not UTF-8") from error


def _syntax_error(path: Path, error: "CompositeParserException | ParserException") -> FeatureError:
    first, *others = getattr(error, "errors", [error])
    text = re.sub(r"^\(\d+:\d+\): ", "", str(first))
    text = re.sub(r"#\w+", lambda token: _TOKEN_NAMES.get(token[0], token[0]), text)
    more = f" ({len(others)} more after it)" if others else ""
    message = f"this is not Gherkin: {' '.join(text.split())}{more}"
    return FeatureError(path, first.location["line"], message)
