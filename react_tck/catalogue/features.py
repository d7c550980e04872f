"""The features as values: every scenario of every `.feature` file, and the rows it is played in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast, get_args

from react_tck.catalogue.feature_files import DEFAULT_ROOT, FeatureError, list_feature_files, read_document
from react_tck.model.base import read_number
from react_tck.model.requirement import ID_PATTERN, LEVEL_TAGS, SINCE_PATTERN, Profile
from react_tck.variations.change import Combination

if TYPE_CHECKING:
    from gherkin.parser_types import Background, Examples, Feature, Rule, Scenario, Step, TableRow, Tag
    from gherkin.pickles.compiler import GherkinDocumentWithURI, Pickle, PickleArgumentDataTable, PickleStep

StepType = Literal["given", "when", "then"]
Cells = tuple[str, ...]

PROFILES: tuple[Profile, ...] = get_args(Profile)
_STEP_TYPES: Mapping[str, StepType] = {"Context": "given", "Action": "when", "Outcome": "then"}


@dataclass(frozen=True)
class StepInfo:
    """One step: its type known, its table attached."""

    keyword: str
    type: StepType
    text: str
    line: int
    table: tuple[Cells, ...] = ()
    docstring_line: int | None = None
    from_background: bool = False


@dataclass(frozen=True)
class RowInfo:
    """One run of a scenario."""

    title: str
    #: With the values filled in.
    steps: tuple[StepInfo, ...]
    #: A line of examples, each value with its column; nothing for a scenario that is no outline.
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ExamplesInfo:
    """One `Examples:` table of an outline."""

    line: int
    columns: Cells
    rows: tuple[Cells, ...]
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
    #: One for a scenario, one for each line of examples for an outline; `title [value, value]` tells those apart.
    rows: tuple[RowInfo, ...] = ()

    @cached_property
    def profile(self) -> Profile:
        """The profile it is tagged with; `core` if with none."""
        return next((profile for profile in PROFILES if profile in self.tags), "core")

    @property
    def is_own(self) -> bool:
        """Whether somebody has written it about their own agent: it isn't one of the kit's."""
        return DEFAULT_ROOT.resolve() not in self.path.resolve().parents

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
    def level_tags(self) -> tuple[str, ...]:
        """All level tags, which are for readers: the runner takes the registry's; the linter wants exactly one."""
        return tuple(tag for tag in self.tags if tag in LEVEL_TAGS)

    @property
    def since(self) -> int | None:
        """The revision in which it came, if it is newer than its requirement."""
        return next(
            (read_number(tag.removeprefix("since-")) for tag in self.tags if SINCE_PATTERN.fullmatch(tag)), None
        )

    @cached_property
    def row_titles(self) -> tuple[str, ...]:
        """The titles of its rows, in order."""
        return tuple(row.title for row in self.rows)


@dataclass(frozen=True)
class ScenarioRow:
    """A row of a scenario, as it is or under one variation or several at once."""

    scenario: ScenarioInfo
    row: RowInfo
    variation: Combination | None = None

    @property
    def title(self) -> str:
        """The row's title, unique among the features of a run: `title {async}` under a variation."""
        return f"{self.row.title} {{{self.variation_name}}}" if self.variation else self.row.title

    @property
    def variation_name(self) -> str:
        """Of the variations that it is played under; empty for the row as it is."""
        return self.variation.name if self.variation else ""

    @property
    def requirement_id(self) -> str:
        """Of the requirement that the scenario is of; empty if it has none."""
        return self.scenario.requirement_id or ""


def load_features(root: Path | None = None) -> tuple[ScenarioInfo, ...]:
    """Return all scenarios under `root`, the kit's own by default, in path and line order.

    >>> from react_tck.catalogue.features import load_features
    >>> found = next(each for each in load_features() if each.title == "ReAct selects and executes a tool")
    >>> found.requirement_id, found.profile, [step.type for step in found.steps][-1]
    ('LOOP-001', 'core', 'then')

    Raises:
        FeatureError: at the first file that can't be read.
    """
    return _load_files(list_feature_files(root))


def find_row(path: Path, line: int, values: tuple[str, ...]) -> ScenarioRow | None:
    """Return the row with these values of examples, of the scenario at that line of the file; None if there is none."""
    for scenario in _load_files((path,)):
        if scenario.line == line:
            for row in scenario.rows:
                if tuple(value for _, value in row.values) == values:
                    return ScenarioRow(scenario, row)
    return None


@cache
def _load_files(files: tuple[Path, ...]) -> tuple[ScenarioInfo, ...]:
    return tuple(scenario for path in files for scenario in load_feature(path))


def load_feature(path: Path, text: str | None = None) -> tuple[ScenarioInfo, ...]:
    """Return the scenarios of one file, in line order; or of the text, as if the file held it.

    Raises:
        FeatureError: if it isn't Gherkin, or holds no feature.
    """
    document = read_document(path, text)
    if "feature" not in document:
        raise FeatureError(path, 1, "the file has no Feature:")
    return tuple(_FeatureReader(path, document).read_scenarios())


class _FeatureReader:
    """Turns gherkin's dictionaries into values, handing down what scenarios inherit."""

    def __init__(self, path: Path, document: "GherkinDocumentWithURI") -> None:
        from gherkin.pickles.compiler import Compiler

        self.path = path
        self.feature: Feature = document["feature"]
        self.pickles: dict[str, list[Pickle]] = {}
        for pickle in Compiler().compile(document):
            self.pickles.setdefault(pickle["astNodeIds"][0], []).append(pickle)

    def read_scenarios(self) -> Iterator[ScenarioInfo]:
        yield from self._read_children(self.feature, None, (), ())

    def _read_children(
        self, parent: "Feature | Rule", rule: str | None, tags: Cells, steps: tuple[StepInfo, ...]
    ) -> Iterator[ScenarioInfo]:
        tags += _tag_names(parent["tags"])
        for child in cast(list[dict[str, object]], parent["children"]):
            if "background" in child:
                steps += self._read_steps(cast("Background", child["background"])["steps"], from_background=True)
            elif "rule" in child:
                nested = cast("Rule", child["rule"])
                yield from self._read_children(nested, nested["name"], tags, steps)
            else:
                yield self._read_scenario(cast("Scenario", child["scenario"]), rule, tags, steps)

    def _read_scenario(
        self, scenario: "Scenario", rule: str | None, tags: Cells, steps: tuple[StepInfo, ...]
    ) -> ScenarioInfo:
        examples = tuple(_build_examples(table) for table in scenario["examples"])
        is_outline = bool(examples) or scenario["keyword"] in ("Scenario Outline", "Scenario Template")
        steps += self._read_steps(scenario["steps"])
        lines = [tuple(zip(table.columns, row, strict=True)) for table in examples for row in table.rows]
        return ScenarioInfo(
            path=self.path,
            line=scenario["location"]["line"],
            feature=self.feature["name"],
            rule=rule,
            title=scenario["name"],
            description=scenario["description"],
            tags=tuple(dict.fromkeys(tags + _tag_names(scenario["tags"]))),
            steps=steps,
            is_outline=is_outline,
            examples=examples,
            rows=tuple(
                RowInfo(row_title(scenario["name"], values), _fill_in_steps(steps, pickle["steps"]), values)
                for values, pickle in zip(
                    lines if is_outline else [()], self.pickles.get(scenario["id"], []), strict=False
                )
            ),
        )

    def _read_steps(self, steps: "list[Step]", from_background: bool = False) -> tuple[StepInfo, ...]:
        current: StepType | None = None
        result = []
        for step in steps:
            current = _STEP_TYPES.get(step["keywordType"], current)
            if current is None:
                raise self._conjunction_error(step)
            result.append(_build_step(step, current, from_background))
        return tuple(result)

    def _conjunction_error(self, step: "Step") -> FeatureError:
        message = f"the first step begins with {step['keyword'].strip()}; begin with Given, When or Then"
        return FeatureError(self.path, step["location"]["line"], message)


def row_title(title: str, values: Sequence[tuple[str, str]]) -> str:
    """Return the title of a scenario's row; the values of a line of examples tell the rows of an outline apart."""
    return f"{title} [{', '.join(value for _, value in values)}]" if values else title


def _fill_in_steps(steps: tuple[StepInfo, ...], pickled: "list[PickleStep]") -> tuple[StepInfo, ...]:
    """Return the steps with the texts and tables that gherkin has filled in for a line of examples."""
    return tuple(
        replace(step, text=filled["text"], table=_read_pickled_table(filled))
        for step, filled in zip(steps, pickled, strict=False)
    )


def _read_pickled_table(step: "PickleStep") -> tuple[Cells, ...]:
    argument = cast("Mapping[str, PickleArgumentDataTable]", step.get("argument", {}))
    rows = argument["dataTable"]["rows"] if "dataTable" in argument else []
    return tuple(tuple(cell["value"] for cell in row["cells"]) for row in rows)


def _build_step(step: "Step", type_: StepType, from_background: bool) -> StepInfo:
    table, docstring = step.get("dataTable"), step.get("docString")
    return StepInfo(
        keyword=step["keyword"].strip(),
        type=type_,
        text=step["text"],
        line=step["location"]["line"],
        table=tuple(_read_cells(row) for row in table["rows"]) if table else (),
        docstring_line=docstring["location"]["line"] if docstring else None,
        from_background=from_background,
    )


def _build_examples(table: "Examples") -> ExamplesInfo:
    # Absent where there are no rows at all, whatever gherkin's TypedDict says.
    header = cast("Mapping[str, TableRow]", table).get("tableHeader")
    return ExamplesInfo(
        line=table["location"]["line"],
        columns=_read_cells(header) if header else (),
        rows=tuple(_read_cells(row) for row in table["tableBody"]),
        tags=_tag_names(table["tags"]),
    )


def _read_cells(row: "TableRow") -> Cells:
    return tuple(cell["value"] for cell in row["cells"])


def _tag_names(tags: "list[Tag]") -> Cells:
    return tuple(tag["name"].removeprefix("@") for tag in tags)
