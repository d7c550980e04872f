"""Feature files as gherkin reads them."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from react_tck.files import CannotRead, list_files, read_file

if TYPE_CHECKING:
    from gherkin.errors import CompositeParserException, ParserException
    from gherkin.pickles.compiler import GherkinDocumentWithURI

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


def list_feature_files(root: Path | None = None) -> tuple[Path, ...]:
    """All `.feature` files under `root`, in the order of their paths, or that one file; the shipped ones by default."""
    base = DEFAULT_ROOT if root is None else root
    return list_files(base, "*.feature") if base.is_dir() else (base,)


def read_document(path: Path, text: str | None = None) -> "GherkinDocumentWithURI":
    """Return what gherkin reads in the file; or in the text, as if the file held it.

    Raises:
        FeatureError: if it isn't Gherkin, or no text.
    """
    from gherkin.errors import CompositeParserException, ParserException
    from gherkin.parser import Parser

    try:
        document = Parser().parse(read_file(path) if text is None else text)
    except CannotRead as error:
        raise FeatureError(path, 1, str(error)) from error
    except (CompositeParserException, ParserException) as error:
        raise _syntax_error(path, error) from error
    return {**document, "uri": str(path)}


def _syntax_error(path: Path, error: "CompositeParserException | ParserException") -> FeatureError:
    first, *others = getattr(error, "errors", [error])
    text = re.sub(r"^\(\d+:\d+\): ", "", str(first))
    text = re.sub(r"#\w+", lambda token: _TOKEN_NAMES.get(token[0], token[0]), text)
    more = f" ({len(others)} more after it)" if others else ""
    message = f"this is not Gherkin: {' '.join(text.split())}{more}"
    return FeatureError(path, first.location["line"], message)
