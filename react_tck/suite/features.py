"""The features as values: every scenario of every `.feature` file, as gherkin means it.

Steps of the feature's and the rule's background come first, `And` takes the type of the step before it, `<name>` is
filled in from the examples.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from react_tck.model.requirement import ID_PATTERN, SINCE_PATTERN, Level
from react_tck.steps.definitions import StepType
from react_tck.suite.feature_files import DEFAULT_ROOT, FeatureError, document

if TYPE_CHECKING:
    from gherkin.parser_types import Background, Examples, Feature, Rule, Scenario, Step, TableRow, Tag

Row = tuple[str, ...]

_STEP_TYPES: Mapping[str, StepType] = {"Context": "given", "Action": "when", "Outcome": "then"}
_LEVEL_TAGS: Mapping[str, Level] = {level.lower(): level for level in get_args(Level)}
_PLACEHOLDER = re.compile(r"<(.+?)>")


@dataclass(frozen=True)
class StepInfo:
    """One step as it is executed: its type known, its table attached."""

    keyword: str
    type: StepType
    text: str
    line: int
    table: tuple[Row, ...] = ()
    docstring_line: int | None = None
    from_background: bool = False

    @property
    def placeholders(self) -> tuple[str, ...]:
        """The `<name>`s in text and table."""
        return placeholders(self.text, *(cell for row in self.table for cell in row))

    def filled_in(self, values: Mapping[str, str]) -> "StepInfo":
        """This step with the placeholders replaced that have a value."""
        table = tuple(tuple(_filled_in(cell, values) for cell in row) for row in self.table)
        return replace(self, text=_filled_in(self.text, values), table=table)


@dataclass(frozen=True)
class ExamplesInfo:
    """One `Examples:` table of an outline."""

    line: int
    columns: Row
    rows: tuple[Row, ...]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScenarioInfo:
    """One scenario or outline, with the tags and background steps it inherits."""

    path: Path
    line: int
    feature: str
    rule: str | None
    title: str
    description: str
    #: Without the `@`: the feature's, the rule's, then its own; each once.
    tags: tuple[str, ...]
    steps: tuple[StepInfo, ...]
    is_outline: bool = False
    examples: tuple[ExamplesInfo, ...] = ()

    @property
    def profile(self) -> str:
        """The folder the file lies in."""
        return self.path.parent.name

    @property
    def area(self) -> str:
        """The file it is in, without its ending."""
        return self.path.stem

    @property
    def requirement_ids(self) -> tuple[str, ...]:
        """All tags that are requirement ids; the linter wants exactly one."""
        return tuple(tag for tag in self.tags if ID_PATTERN.fullmatch(tag))

    @cached_property
    def requirement_id(self) -> str | None:
        """The requirement it is bound to."""
        return next(iter(self.requirement_ids), None)

    @property
    def levels(self) -> tuple[Level, ...]:
        """All level tags; the linter wants exactly one."""
        return tuple(_LEVEL_TAGS[tag] for tag in self.tags if tag in _LEVEL_TAGS)

    @property
    def level(self) -> Level | None:
        """The level it is tagged with, for readers; the runner takes the registry's."""
        return next(iter(self.levels), None)

    @property
    def since(self) -> int | None:
        """The revision in which it came, if it is newer than its requirement."""
        return next((int(tag.removeprefix("since-")) for tag in self.tags if SINCE_PATTERN.fullmatch(tag)), None)

    @cached_property
    def run_titles(self) -> tuple[str, ...]:
        """The title of every run; an outline's rows are told apart by their values."""
        if not self.is_outline:
            return (self.title,)
        return tuple(f"{self.title} [{', '.join(row)}]" for table in self.examples for row in table.rows)

    def expanded(self) -> Iterator[tuple[StepInfo, ...]]:
        """The steps of every run: one for a scenario, one per examples row for an outline."""
        if not self.is_outline:
            yield self.steps
        for table in self.examples:
            for row in table.rows:
                values = dict(zip(table.columns, row, strict=True))
                yield tuple(step.filled_in(values) for step in self.steps)

    def runs(self) -> Iterator[tuple[str, tuple[StepInfo, ...]]]:
        """The title and the steps of every run."""
        return zip(self.run_titles, self.expanded(), strict=True)


def placeholders(*texts: str) -> tuple[str, ...]:
    """The `<name>`s in some texts, each once, in order."""
    return tuple(dict.fromkeys(name for text in texts for name in _PLACEHOLDER.findall(text)))


def feature_files(root: Path | None = None) -> tuple[Path, ...]:
    """All `.feature` files under `root` (the shipped ones by default), in the order of their paths."""
    base = DEFAULT_ROOT if root is None else root
    return tuple(sorted(base.rglob("*.feature"), key=lambda path: path.relative_to(base).parts))


def load_features(root: Path | None = None) -> tuple[ScenarioInfo, ...]:
    """All scenarios under `root`, in path and line order; the first unreadable file is a `FeatureError`."""
    return _of(feature_files(root))


@cache
def _of(files: tuple[Path, ...]) -> tuple[ScenarioInfo, ...]:
    return tuple(scenario for path in files for scenario in load_feature(path))


def load_feature(path: Path, text: str | None = None) -> tuple[ScenarioInfo, ...]:
    """The scenarios of one file, in line order; or of the text, as if the file held it."""
    feature = document(path, text).get("feature")
    if feature is None:
        raise FeatureError(path, 1, "the file has no Feature:")
    return tuple(_FeatureReader(path, feature).scenarios())


class _FeatureReader:
    """Turns gherkin's dictionaries into values, handing down what scenarios inherit."""

    def __init__(self, path: Path, feature: "Feature") -> None:
        self.path = path
        self.feature = feature

    def scenarios(self) -> Iterator[ScenarioInfo]:
        yield from self._children(self.feature, None, (), ())

    def _children(
        self, parent: "Feature | Rule", rule: str | None, tags: Row, steps: tuple[StepInfo, ...]
    ) -> Iterator[ScenarioInfo]:
        tags += _tag_names(parent["tags"])
        for child in cast(list[dict[str, object]], parent["children"]):
            if "background" in child:
                steps += self._steps(cast("Background", child["background"])["steps"], from_background=True)
            elif "rule" in child:
                nested = cast("Rule", child["rule"])
                yield from self._children(nested, nested["name"], tags, steps)
            else:
                yield self._scenario(cast("Scenario", child["scenario"]), rule, tags, steps)

    def _scenario(self, scenario: "Scenario", rule: str | None, tags: Row, steps: tuple[StepInfo, ...]) -> ScenarioInfo:
        examples = tuple(_examples(table) for table in scenario["examples"])
        return ScenarioInfo(
            path=self.path,
            line=scenario["location"]["line"],
            feature=self.feature["name"],
            rule=rule,
            title=scenario["name"],
            description=scenario["description"],
            tags=tuple(dict.fromkeys(tags + _tag_names(scenario["tags"]))),
            steps=steps + self._steps(scenario["steps"]),
            is_outline=bool(examples) or scenario["keyword"] in ("Scenario Outline", "Scenario Template"),
            examples=examples,
        )

    def _steps(self, steps: "list[Step]", from_background: bool = False) -> tuple[StepInfo, ...]:
        current: StepType | None = None
        result = []
        for step in steps:
            current = _STEP_TYPES.get(step["keywordType"], current)
            if current is None:
                raise self._conjunction_error(step)
            result.append(_step(step, current, from_background))
        return tuple(result)

    def _conjunction_error(self, step: "Step") -> FeatureError:
        message = f"the first step begins with {step['keyword'].strip()}; begin with Given, When or Then"
        return FeatureError(self.path, step["location"]["line"], message)


def _step(step: "Step", type_: StepType, from_background: bool) -> StepInfo:
    table, docstring = step.get("dataTable"), step.get("docString")
    return StepInfo(
        keyword=step["keyword"].strip(),
        type=type_,
        text=step["text"],
        line=step["location"]["line"],
        table=tuple(_cells(row) for row in table["rows"]) if table else (),
        docstring_line=docstring["location"]["line"] if docstring else None,
        from_background=from_background,
    )


def _examples(table: "Examples") -> ExamplesInfo:
    # Absent where there are no rows at all, whatever gherkin's TypedDict says.
    header = cast("Mapping[str, TableRow]", table).get("tableHeader")
    return ExamplesInfo(
        line=table["location"]["line"],
        columns=_cells(header) if header else (),
        rows=tuple(_cells(row) for row in table["tableBody"]),
        tags=_tag_names(table["tags"]),
    )


def _cells(row: "TableRow") -> Row:
    return tuple(cell["value"] for cell in row["cells"])


def _tag_names(tags: "list[Tag]") -> Row:
    return tuple(tag["name"].removeprefix("@") for tag in tags)


def _filled_in(text: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)
