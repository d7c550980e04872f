"""The requirement registry: `features/requirements.toml`, read and checked."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from pydantic import ValidationError

from react_tck.model.base import Value, read_number
from react_tck.model.requirement import Choice, Requirement, Specification
from react_tck.texts import UnreadableText, read_toml

DEFAULT_PATH = Path(__file__).parents[1] / "features" / "requirements.toml"

_ROOT_KEYS = ("revision", "sources", "requirement", "choice")
_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")

Row = TypeVar("Row", bound=Value)


class RegistryError(Exception):
    """The registry is broken: the file, the line where it is known, what is there and what would be right."""

    def __init__(self, file: Path, line: int | None, message: str) -> None:
        self.file = file
        self.line = line
        self.message = message
        super().__init__(f"{file}:{line}: {message}" if line is not None else f"{file}: {message}")


@dataclass(frozen=True)
class Registry:
    """All requirements, choices and sources of one requirement-set revision."""

    path: Path
    revision: int
    sources: Mapping[str, str]
    requirements: tuple[Requirement, ...]
    choices: tuple[Choice, ...]
    #: The line each requirement's row begins at.
    lines: Mapping[str, int]

    @cached_property
    def by_id(self) -> Mapping[str, Requirement]:
        """Every requirement under its id, in the order of the file."""
        return MappingProxyType({requirement.id: requirement for requirement in self.requirements})

    def as_of(self, revision: int) -> "Registry":
        """Return the requirements of an earlier revision.

        >>> from react_tck.catalogue.registry import load_registry
        >>> [revision for revision in (1, 2, 3) if "LOOP-011" in load_registry().as_of(revision).by_id]
        [3]
        """
        rows = tuple(then for row in self.requirements if (then := row.as_of(revision)))
        return replace(self, revision=revision, requirements=rows)

    def bind_requirements(self, claims: Collection[Specification], capabilities: Collection[str]) -> "Registry":
        """Return the requirements as they bind a subject that claims and declares these."""
        rows = tuple(row.resolve_ground(claims, capabilities) for row in self.requirements)
        return replace(self, requirements=rows)

    @cached_property
    def areas(self) -> frozenset[str]:
        """The areas of the requirements: the letters that their ids begin with, such as `LOOP`."""
        return frozenset(requirement.area for requirement in self.requirements)

    def with_own(self, requirements: Iterable[Requirement]) -> "Registry":
        """Return the requirements, and somebody's own after them."""
        return replace(self, requirements=(*self.requirements, *requirements))

    def whole_of(self, id_: str) -> str:
        """Return the id, or, where this revision hasn't it yet, that of the requirement it was a part of then."""
        row = None if id_ in self.by_id else load_registry().by_id.get(id_)
        return self.whole_of(row.split_from) if row and row.split_from else id_

    @cached_property
    def by_profile(self) -> Mapping[str, tuple[Requirement, ...]]:
        """The requirements of each profile, both in the order of the file."""
        profiles = dict.fromkeys(requirement.profile for requirement in self.requirements)
        return MappingProxyType(
            {name: tuple(row for row in self.requirements if row.profile == name) for name in profiles}
        )

    @cached_property
    def choices_by_name(self) -> Mapping[str, Choice]:
        """Every choice under its name."""
        return MappingProxyType({choice.name: choice for choice in self.choices})


def load_registry(path: Path | None = None) -> Registry:
    """Read the registry at `path`, or the shipped one (read once a process).

    >>> from react_tck.catalogue.registry import load_registry
    >>> found = load_registry().by_id["LOOP-001"]
    >>> found.profile, found.level, found.area
    ('core', 'MUST', 'LOOP')

    Raises:
        RegistryError: if the file is broken.
    """
    return _load_shipped() if path is None else _RegistryReader(path).read_registry()


@cache
def requirements_of(revision: int | None) -> Registry:
    """Return the shipped registry as of a revision; None stands for the newest."""
    return _load_shipped() if revision is None else _load_shipped().as_of(revision)


@lru_cache(maxsize=1)
def _load_shipped() -> Registry:
    return _RegistryReader(DEFAULT_PATH).read_registry()


class _RegistryReader:
    """Reads one file; knows the file's lines, so that every complaint can name its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = self._read_text()
        self.data = self._parse_toml()

    def read_registry(self) -> Registry:
        self._check_root_keys()
        sources, revision = self._read_sources(), self._read_revision()
        requirements = tuple(self._read_rows("requirement", Requirement))
        choices = tuple(self._read_rows("choice", Choice))
        self._check_unique("requirement", "id", [row.id for row in requirements])
        self._check_unique("choice", "name", [row.name for row in choices])
        lines = dict(zip((row.id for row in requirements), self._row_lines("requirement"), strict=True))
        registry = Registry(
            self.path, revision, MappingProxyType(sources), requirements, choices, MappingProxyType(lines)
        )
        self._check_references(registry)
        return registry

    def _read_text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RegistryError(self.path, None, f"the registry can't be read: {error}") from error

    def _parse_toml(self) -> dict[str, object]:
        try:
            return read_toml(self.text)
        except UnreadableText as error:
            found = _TOML_LINE.search(str(error))
            line = read_number(found[1]) if found else None
            raise RegistryError(self.path, line, str(error)) from error

    def _check_root_keys(self) -> None:
        for key in self.data:
            if key not in _ROOT_KEYS:
                message = f"the registry has no key or table {key!r}; it has {_join_names(_ROOT_KEYS)}"
                raise self._build_error(message, self._first_line(rf"\[*{re.escape(key)}\b"))

    def _read_revision(self) -> int:
        revision = self.data.get("revision")
        if type(revision) is not int or revision < 1:
            message = f"revision is {revision!r}; it is the number of the requirement set, 1 or more"
            raise self._build_error(message, self._first_line(r"revision\b"))
        return revision

    def _read_sources(self) -> dict[str, str]:
        sources = self.data.get("sources")
        if isinstance(sources, dict) and sources:
            return {key: str(title) for key, title in sources.items()}
        message = 'the table [sources] gives each source key its title, like S4 = "004, the specification"'
        raise self._build_error(message, self._first_line(r"\[?sources\b"))

    def _read_rows(self, table: str, model: type[Row]) -> Iterator[Row]:
        rows = self.data.get(table)
        if not isinstance(rows, list) or not rows:
            raise self._build_error(f"there is no [[{table}]] row; a registry without one proves nothing")
        if len(rows) != len(self._row_lines(table)):
            raise self._build_error(f"each {table} is a [[{table}]] table of its own, with its header on a line alone")
        for index, row in enumerate(rows):
            yield self._read_row(table, model, index, row)

    def _read_row(self, table: str, model: type[Row], index: int, row: object) -> Row:
        try:
            return model.model_validate(row)
        except ValidationError as error:
            problem = error.errors()[0]
            key = str(problem["loc"][0]) if problem["loc"] else None
            message = f"{_row_name(table, index, row)}: {_explain_problem(model, key, problem)}"
            raise self._build_error(message, self._key_line(table, index, key)) from error

    def _check_unique(self, table: str, key: str, values: list[str]) -> None:
        for index, value in enumerate(values):
            first = values.index(value)
            if first != index:
                here, there = (self._key_line(table, row, key) for row in (index, first))
                advice = "an id is given once and for all; take the next free one of its area"
                hint = advice if key == "id" else "names are unique"
                raise self._build_error(f"{key} {value!r} is already taken in line {there}; {hint}", here)

    def _check_references(self, registry: Registry) -> None:
        for index, row in enumerate(registry.requirements):
            for key, ground in (("where", row), ("elsewhere", row.elsewhere)):
                if ground and ground.where and ground.source not in registry.sources:
                    known = _join_names(registry.sources)
                    message = f"requirement {row.id}: source {ground.source!r} is not in [sources]; it lists {known}"
                    raise self._build_error(message, self._key_line("requirement", index, key))
            whole = registry.by_id.get(row.split_from or row.id)
            if row.split_from and (whole is None or whole.since >= row.since):
                message = f"requirement {row.id}: split_from = {row.split_from!r}; it names an older requirement"
                raise self._build_error(message, self._key_line("requirement", index, "split_from"))
            for key, number in (("since", row.since), ("retired", row.retired or 0)):
                if number > registry.revision:
                    message = f"requirement {row.id}: {key} = {number}; the revision is {registry.revision}"
                    raise self._build_error(message, self._key_line("requirement", index, key))
            for number in row.was:
                if number >= registry.revision:
                    message = f"requirement {row.id}: was.{number}; the revision is {registry.revision}"
                    raise self._build_error(message, self._key_line("requirement", index, f"was.{number}"))

    def _build_error(self, message: str, line: int | None = None) -> RegistryError:
        return RegistryError(self.path, line, message)

    # tomllib gives no positions, so the lines are found again in the text.

    def _row_lines(self, table: str) -> list[int]:
        header = re.compile(rf"\s*\[\[\s*{table}\s*\]\]")
        return [number for number, line in self._number_lines() if header.match(line)]

    def _key_line(self, table: str, index: int, key: str | None) -> int:
        start = self._row_lines(table)[index]
        wanted = re.compile(rf"\s*{re.escape(key)}\s*[.=]") if key else None
        for number, line in self._number_lines():
            if number > start and line.lstrip().startswith("["):
                break
            if number > start and wanted and wanted.match(line):
                return number
        return start

    def _first_line(self, pattern: str) -> int | None:
        begins = re.compile(rf"\s*{pattern}")
        return next((number for number, line in self._number_lines() if begins.match(line)), None)

    def _number_lines(self) -> Iterable[tuple[int, str]]:
        return enumerate(self.text.splitlines(), start=1)


def _row_name(table: str, index: int, row: object) -> str:
    name = (row.get("id") or row.get("name")) if isinstance(row, dict) else None
    return f"{table} {name}" if name else f"{table} number {index + 1}"


def _explain_problem(model: type[Value], key: str | None, problem: Mapping[str, object]) -> str:
    """Return what is there, and what would be right, from one of pydantic's error dictionaries."""
    match problem["type"]:
        case "missing":
            return f"the key {key!r} is missing"
        case "extra_forbidden":
            return f"there is no key {key!r}; the keys are {_join_names(model.model_fields)}"
    text = str(problem["msg"]).removeprefix("Value error, ")
    return f"{key} = {problem['input']!r}: {text}" if key else text


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(names)
