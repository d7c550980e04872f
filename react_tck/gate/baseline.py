"""`react-tck.baseline.toml`: the failures a subject may have for now, each with what it fails with.

A program writes it, and people add reasons. An entry is a fault: the requirement, what is wrong, the requirement's rows
that fail by it, and, as in ESLint's and PHPStan's lists, how many rows of others do. A failure that is listed with
another fault is no listed failure. Several subjects may share a file; each has its own section.
"""

import json
import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from itertools import groupby, starmap
from pathlib import Path
from typing import Any

from react_tck.catalogue.own_features import is_own_id
from react_tck.catalogue.registry import load_registry
from react_tck.files import CannotRead
from react_tck.files import read_file as read_text
from react_tck.gate.lapses import GateRules, LapseGroup, find_lapses, fold_values, group_lapses
from react_tck.model.base import read_number
from react_tck.model.report import Report, Verdict
from react_tck.subjects.catalogue import is_harness
from react_tck.subjects.config import is_config
from react_tck.texts import UnreadableText, read_toml

#: Read beside `react-tck.toml`, or where the user stands.
FILE = "react-tck.baseline.toml"
_HEAD = """\
# The failures that are accepted for now, each with what it fails with: written by `react-tck baseline --write`.
# It keeps the three keys of an entry that are yours: reason = "...", issue = "https://...", expires = 2027-01-31.
"""
_SECTION = ("profile", "unsupported", "failure")
_KEYS = ("requirement", "fault", "rows", "blocked", "reason", "issue", "expires")
#: A requirement, and how many of its rows fail by the fault of another.
_BLOCKED = re.compile(r"(\S+) ([1-9]\d*)", re.ASCII)
_MARKS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


class BaselineError(ValueError):
    """The file says something it can't mean: the file, the line, and what would be right."""


@dataclass(frozen=True)
class Entry:
    """A fault that is accepted: of a requirement, in some of its rows, and wherever judges see it."""

    requirement: str
    #: Without the values that stood in it.
    fault: str
    rows: tuple[str, ...] = ()
    reason: str = ""
    issue: str = ""
    #: The last day on which it is accepted.
    expires: date | None = None
    #: Other requirements that fail where this fault shows, with how many of their rows do.
    blocked: tuple[tuple[str, int], ...] = ()
    #: Where it stands in the file; 0 where it stands in none.
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Section:
    """What is accepted of one subject, as a run of a whole profile found it."""

    profile: str = ""
    entries: tuple[Entry, ...] = ()
    #: Requirements that aren't judged, for the subject declares not to support what they need.
    unsupported: frozenset[str] = frozenset()


Baseline = Mapping[str, Section]


def file_of(subject: str) -> Path:
    """Return where the baseline of a subject is: beside its configuration file, if that is what names it, else here."""
    return Path(subject).parent / FILE if is_config(subject) else Path(FILE)


def read_baseline(path: Path) -> Baseline:
    """Return the sections of a file, by the subject's name; none if there is no such file.

    >>> from pathlib import Path
    >>> from react_tck.gate.baseline import read_baseline
    >>> for name, section in read_baseline(Path("examples/own_features/react-tck.baseline.toml")).items():
    ...     print(name, section.profile, [(entry.requirement, entry.fault) for entry in section.entries])
    travel all [('TRIP-002', 'Then the tool … ran … times')]

    Raises:
        BaselineError: if it can't be read or understood.
    """
    try:
        text = read_text(path) if path.exists() else ""
    except CannotRead as error:
        raise BaselineError(str(error)) from error
    return parse_baseline(text, str(path))


def parse_baseline(text: str, file: str = FILE) -> Baseline:
    """Return what a text says; `file` is its name in errors.

    Raises:
        BaselineError: if it can't be understood.
    """
    return _BaselineReader(file, text).read_sections()


def format_baseline(baseline: Baseline) -> str:
    """Return the text of a baseline; it reads as the same."""
    return _HEAD + "".join(f"\n{_format_section(name, section)}" for name, section in sorted(baseline.items()))


def _format_section(name: str, section: Section) -> str:
    lines = [
        f"[{_quote_text(name)}]",
        f"profile = {_quote_text(section.profile)}",
        *_format_ids("unsupported", section.unsupported),
        "",
    ]
    for entry in section.entries:
        own = {"reason": entry.reason, "issue": entry.issue}
        lines += [
            f"[[{_quote_text(name)}.failure]]",
            f"requirement = {_quote_text(entry.requirement)}",
            f"fault = {_quote_text(entry.fault)}",
            *(_format_list("rows", map(_quote_text, entry.rows)) if entry.rows else ()),
            *(_format_ids("blocked", (f"{id_} {count}" for id_, count in entry.blocked)) if entry.blocked else ()),
            *(f"{key} = {_quote_text(value)}" for key, value in own.items() if value),
            *([f"expires = {entry.expires.isoformat()}"] if entry.expires else []),
            "",
        ]
    return "\n".join(lines)


def _format_ids(key: str, values: Iterable[str]) -> list[str]:
    """Return a list with a line for each area of requirements."""
    areas = groupby(sorted(values), key=lambda value: value.rpartition("-")[0])
    return _format_list(key, (", ".join(map(_quote_text, found)) for _, found in areas))


def _format_list(key: str, items: Iterable[str]) -> list[str]:
    """Return a list with a line an item, so that two branches rarely change the same line."""
    lines = [f"  {item}," for item in items]
    return [f"{key} = [", *lines, "]"] if lines else [f"{key} = []"]


def _quote_text(value: str) -> str:
    # What JSON writes for a text TOML reads, but for the one character that only TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


class _BaselineReader:
    """Knows the file's name and its lines, so that every complaint can tell them."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text

    def read_sections(self) -> Baseline:
        for number, line in enumerate(self._text.splitlines(), 1):
            if line.startswith(_MARKS):
                raise self._make_error(
                    number, f"{line[:7]!r} is left of a merge; keep one side, or write the file anew"
                )
        try:
            sections = read_toml(self._text)
        except UnreadableText as error:
            raise self._make_error(None, str(error)) from error
        return {name: self._read_section(name, section) for name, section in sections.items()}

    def _read_section(self, name: str, section: object) -> Section:
        if not isinstance(section, dict):
            raise self._make_error(
                None, f"{name} is a subject's section: write [{_quote_text(name)}] and its keys below"
            )
        for key in section:
            if key not in _SECTION:
                raise self._make_error(
                    self._line_of(key), f"[{_quote_text(name)}] has no key {key!r}; {_suggest_known(key, _SECTION)}"
                )
        profile = section.get("profile")
        if profile not in (profiles := (*load_registry().by_profile, "all")):
            says = f"[{_quote_text(name)}] needs a profile" if profile is None else f"there is no profile {profile!r}"
            raise self._make_error(self._line_of("profile"), f"{says}; {_suggest_known(str(profile or ''), profiles)}")
        failures = section.get("failure", [])
        if not isinstance(failures, list) or not all(isinstance(each, dict) for each in failures):
            raise self._make_error(
                self._line_of("failure"), f"a failure is a table: write [[{_quote_text(name)}.failure]]"
            )
        entries = tuple(starmap(self._read_entry, zip(failures, self._find_headers(name), strict=True)))
        self._check_twice(entries)
        unsupported = self._check_texts(section.get("unsupported", []), "unsupported", self._line_of("unsupported"))
        for id_ in unsupported:
            self._check_requirement(id_, self._line_of(id_))
        return Section(profile, entries, frozenset(unsupported))

    def _read_entry(self, table: Mapping[str, Any], line: int) -> Entry:
        for key in table:
            if key not in _KEYS:
                raise self._make_error(
                    self._line_of(key, line), f"an entry has no key {key!r}; {_suggest_known(key, _KEYS)}"
                )
        for key in ("requirement", "fault"):
            if not isinstance(table.get(key), str) or not table[key]:
                raise self._make_error(line, f'the entry needs a text {key} = "..."')
        self._check_requirement(table["requirement"], self._line_of("requirement", line))
        for key in ("reason", "issue"):
            if not isinstance(table.get(key, ""), str):
                raise self._make_error(self._line_of(key, line), f"{key} = {table[key]!r}; it is a text")
        expires = table.get("expires")
        if expires is not None and type(expires) is not date:
            wrong = f"expires = {expires!r}" if isinstance(expires, str) else f"expires = {expires}"
            raise self._make_error(
                self._line_of("expires", line), f"{wrong}; it is a day, such as expires = 2027-01-31, without quotes"
            )
        rows = self._check_texts(table.get("rows", []), "rows", self._line_of("rows", line))
        blocked = tuple(
            self._read_blocked(each, line) for each in self._check_texts(table.get("blocked", []), "blocked", line)
        )
        fault, reason, issue = fold_values(table["fault"]), table.get("reason", ""), table.get("issue", "")
        return Entry(table["requirement"], fault, rows, reason, issue, expires, blocked, line)

    def _read_blocked(self, text: str, line: int) -> tuple[str, int]:
        said = _BLOCKED.fullmatch(text)
        rows = read_number(said[2]) if said else None
        if said is None or rows is None:
            raise self._make_error(
                self._line_of(text, line),
                f'blocked: {text!r} is no requirement with its number of rows, such as "LOOP-001 3"',
            )
        self._check_requirement(said[1], self._line_of(text, line))
        return said[1], rows

    def _find_headers(self, name: str) -> Iterator[int]:
        """Yield the lines in which the section's entries begin."""
        for number, line in enumerate(self._text.splitlines(), 1):
            with suppress(UnreadableText):  # a line of a list, or of a text
                if line.lstrip().startswith("[[") and name in read_toml(line):
                    yield number

    def _check_twice(self, entries: Sequence[Entry]) -> None:
        seen: dict[tuple[str, str], int] = {}
        for entry in entries:
            for row in entry.rows:
                if known := seen.get((entry.requirement, row)):
                    where = f"line {known} lists it already; a failure is listed once"
                    raise self._make_error(entry.line, f"{entry.requirement}, row {row!r}: {where}")
                seen[entry.requirement, row] = entry.line

    def _check_texts(self, value: object, key: str, line: int | None) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
            raise self._make_error(line, f"{key} = {value!r}; it is a list of texts")
        return tuple(value)

    def _check_requirement(self, id_: str, line: int | None) -> None:
        known = load_registry().by_id
        if id_ not in known and not is_own_id(id_):
            raise self._make_error(line, f"there is no requirement {id_!r}; {_suggest_known(id_, known)}")

    def _line_of(self, word: str, after: int = 1) -> int | None:
        """Return the first line from there on in which a key or a value stands."""
        lines = self._text.splitlines()
        return next((number for number in range(after, len(lines) + 1) if word in lines[number - 1]), None)

    def _make_error(self, line: int | None, message: str) -> BaselineError:
        place = self._file if line is None else f"{self._file}:{line}"
        return BaselineError(f"{place}: {message}{'' if message.endswith('?') else '.'}")


def _suggest_known(wrong: str, known: Mapping[str, object] | Sequence[str]) -> str:
    near = get_close_matches(wrong, known, n=1, cutoff=0.5)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are {', '.join(known)}" if len(known) < 10 else "`react-tck list` shows all"


def section_of(report: Report, known: Section, rules: GateRules) -> Section:
    """Return what a report is accepted with, and what people have written beside what was known.

    Of what a part of a profile leaves out, all is kept that was known.
    """
    counted = [each for each in report.requirements if rules.is_counted(each)]
    unsupported = {each.id for each in counted if each.verdict is Verdict.UNSUPPORTED}
    found = [_make_entry(group, known) for group in group_lapses(find_lapses(report, rules), report)]
    if report.is_whole_profile:
        return Section(report.profile, merge_entries(found), frozenset(unsupported))
    judged = {each.id for each in report.requirements if each.verdict in (Verdict.PASSED, Verdict.FAILED)}
    kept = _keep_unplayed(known, report)
    return Section(
        known.profile or report.profile,
        merge_entries([*kept, *found]),
        frozenset(unsupported | (known.unsupported - judged)),
    )


def merge_entries(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """One entry a fault, with the rows and the remarks of all that are of it."""
    merged: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        before = merged.get((entry.requirement, entry.fault))
        merged[entry.requirement, entry.fault] = _merge_two(before, entry) if before else replace(entry, line=0)
    return tuple(merged.values())


def _merge_two(one: Entry, other: Entry) -> Entry:
    """Of a requirement that both block, the larger number: what both count may be the same rows."""
    counts = dict(one.blocked)
    for id_, count in other.blocked:
        counts[id_] = max(count, counts.get(id_, 0))
    rows = tuple(dict.fromkeys((*one.rows, *other.rows)))
    return _add_remarks(replace(one, rows=rows, blocked=tuple(counts.items())), [other])


def _make_entry(group: LapseGroup, known: Section) -> Entry:
    entry = Entry(*group.fault, rows=group.rows, blocked=group.blocked)
    return _add_remarks(entry, [each for each in known.entries if _is_about(each, group)])


def _is_about(entry: Entry, group: LapseGroup) -> bool:
    """Tell whether the entry lists the fault, or something that is explained by it now."""
    faults = {group.fault, *(each.fault for each in group.lapses)}
    rows = {(each.requirement, each.row) for each in group.lapses}
    return (entry.requirement, entry.fault) in faults or any((entry.requirement, row) in rows for row in entry.rows)


def _add_remarks(entry: Entry, others: Iterable[Entry]) -> Entry:
    """Return what people wrote of the others, too; it is accepted until the first of their days."""
    remarked = [entry, *others]
    reasons = dict.fromkeys(each.reason for each in remarked if each.reason)
    issues = [each.issue for each in remarked if each.issue]
    days = [each.expires for each in remarked if each.expires]
    return replace(entry, reason=" ".join(reasons), issue=issues[0] if issues else "", expires=min(days, default=None))


def _keep_unplayed(known: Section, report: Report) -> list[Entry]:
    """Return the entries as far as the report doesn't show that they are no longer true."""
    verdicts = {(each.id, row.title): row.verdict for each in report.requirements for row in each.scenarios}
    kept = []
    for entry in known.entries:
        unplayed = (None, Verdict.NOT_SELECTED, Verdict.NOT_RUN)
        rows = tuple(row for row in entry.rows if verdicts.get((entry.requirement, row)) in unplayed)
        if rows or entry.blocked or not entry.rows:
            kept.append(replace(entry, rows=rows))
    return kept


#: Where the root of a repository is while GitHub's and GitLab's runners work on it.
_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


@dataclass(frozen=True)
class Places:
    """Paths as the user names them, from where the user stands."""

    baseline: Path = Path(FILE)
    #: What can be opened of the subject itself, if it has a file here.
    subject: Path | None = None
    #: Where the user stands, seen from the root of the repository.
    folder: Path = Path()

    def in_repository(self, path: Path) -> str:
        """Return the path as a reviewer's page knows it, with slashes."""
        return posixpath.normpath(posixpath.join(self.folder.as_posix(), path.as_posix()))


def places_of(subject: str, environment: Mapping[str, str]) -> Places:
    """Return the files of a subject; a runner's environment says where its checkout of the repository begins."""
    here = Path.cwd()
    root = Path(next(filter(None, map(environment.get, _ROOTS)), here)).resolve()
    folder = here.relative_to(root) if here.is_relative_to(root) else Path()
    return Places(file_of(subject), _file_of_subject(subject), folder)


def _file_of_subject(subject: str) -> Path | None:
    """Its configuration, its module, or the first word of its command that is a file here."""
    if is_config(subject):
        return Path(subject)
    if subject.startswith("python:"):
        words = [f"{subject.split(':')[1].replace('.', '/')}.py"]
    else:
        words = shlex.split(subject.removeprefix("-- ")) if is_harness(subject) else []
    files = (Path(word) for word in words if not word.startswith("/"))
    return next((file for file in files if file.is_file()), None)
