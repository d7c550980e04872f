"""Fuzzes a parser: round trips of odd fields, texts near the grammar, and the difference to our own parser.

The texts are cut into shards, which workers show the parser; what is found is the same whoever the workers are.
"""

import html
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, NamedTuple

from pydantic import JsonValue

from react_tck.catalogue.manifests import manifest_of
from react_tck.dialects import find_dialect
from react_tck.dialects.fields import ParseError
from react_tck.dialects.markup import begins_mark, has_markup
from react_tck.fakes.corpus import make_fields, near_reply
from react_tck.fuzz.shards import Budget, Shard, Source
from react_tck.model.base import JsonObject
from react_tck.model.manifest import Manifest
from react_tck.model.protocol import Parsed, Parsing
from react_tck.play.parsing import (
    ParserReading,
    Schemas,
    field_sets,
    neither_fields_nor_typed_error,
    not_as_written,
    read_back,
    read_text,
)
from react_tck.processes.workers.workers import Beat, Serial, TaskSilent, Workers, ignore_beat
from react_tck.record.values import arrives_intact
from react_tck.subjects.api import HarnessBroken, Parser, Subject
from react_tck.subjects.catalogue import UnknownSubject

Sort = Literal["broken", "choice"]


class Difference(NamedTuple):
    """One difference between a parser and the requirements, or our parser: of which sort, its class, its details."""

    sort: Sort
    kind: str
    detail: str


@dataclass(frozen=True)
class ParserFinding:
    """A class of differences: how often it was met, and the shortest text that shows it."""

    sort: Sort
    #: None for what no requirement is about.
    requirement_id: str | None
    dialect: str
    kind: str
    text: str
    detail: str
    schemas: Mapping[str, JsonObject]
    count: int = 1


_WORD = re.compile(r"\w+")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\.")


def compare_readings(parsing: Parsing, found: Parsed) -> Difference | None:
    """Return the difference between the parser's reading of a text and ours, if there is any."""
    ours = _parse_ourselves(parsing)
    if found.fields is None:
        return None if ours is None else Difference("choice", "refuses what our parser reads", str(ours))
    if ours is None:
        return _judge_refused_reply(parsing, found.fields)
    names = (name for name, value in ours.items() if not _is_same(parsing, name, value, found.fields.get(name)))
    name = next(names, None)
    return None if name is None else _classify_difference(parsing, name, ours[name], found.fields.get(name))


def _parse_ourselves(parsing: Parsing) -> JsonObject | None:
    try:
        return find_dialect(parsing.dialect).parse_reply(parsing.reply, parsing.fields)
    except ParseError:
        return None


def _is_same(parsing: Parsing, name: str, value: JsonValue, other: JsonValue) -> bool:
    return arrives_intact(value, other, parsing.fields[name])


def _judge_refused_reply(parsing: Parsing, fields: JsonObject) -> Difference:
    """Return a reply that we refuse: what was read of it must at least stand in it."""
    text = parsing.reply.content or ""
    unnamed = next((name for name in fields if name.lower() not in text.lower()), None)
    if unnamed is not None:
        return Difference("broken", "makes fields up", f"{unnamed!r} isn't named in the text")
    words = frozenset(_WORD.findall(f"{text} {html.unescape(text)} {_replace_escapes(text)}"))
    texts = (value for value in fields.values() if isinstance(value, str))
    invented = next((word for value in texts for word in _WORD.findall(value) if word not in words), None)
    if invented is not None and invented not in "".join(words):
        return Difference("broken", "makes fields up", f"{invented!r} doesn't stand in the text")
    return Difference("choice", "reads what our parser refuses", str(fields))


def _classify_difference(parsing: Parsing, name: str, ours: JsonValue, theirs: JsonValue) -> Difference:
    shown = f"{name}: {ours!r} became {theirs!r}"
    if not isinstance(ours, str) or not isinstance(theirs, str):
        return Difference("broken", "gives another value", shown)
    if ours.split() == theirs.split():
        return Difference("choice", "changes blank space", shown)
    if begins_mark(parsing.dialect, ours) or begins_mark(parsing.dialect, theirs):
        return Difference("choice", "reads other marks", shown)
    return Difference("broken", "loses text" if theirs in ours else "gives another value", shown)


def _replace_escapes(text: str) -> str:
    return _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)) if escape[1] else " ", text)


#: One example in so many is a round trip.
_ROUND_TRIPS = 3
#: Examples from one word that it goes on to the next; the first comes before all of them.
BEAT = 50
#: A text that takes more attempts is short enough.
_ATTEMPTS = 2000

#: Classes of differences, by dialect and kind.
Found = dict[tuple[str, str], ParserFinding]


@dataclass(frozen=True)
class TextSearchSettings:
    """What all tasks of a search have in common."""

    source: Source
    manifest: Manifest
    #: What is asked for, unless it is what the manifest lets ask for.
    schemas: Schemas | None = None
    #: When the time is over, by the clock; None where there is enough.
    until: float | None = None


@dataclass(frozen=True)
class ToShow:
    """A shard of texts to be shown."""

    settings: TextSearchSettings
    shard: Shard


@dataclass(frozen=True)
class Shown:
    """How many texts of a shard were shown before the time was over, and what was found in them."""

    examples: int
    found: Found


@dataclass(frozen=True)
class ToShorten:
    """A finding whose text is to be made shorter."""

    settings: TextSearchSettings
    finding: ParserFinding


def introduce_parser(source: Source, _: Beat) -> Manifest:
    """Who the parser is; raises what `manifest_of` raises, and `UnknownSubject` if there is none."""
    with source.open_subject() as subject:
        manifest = manifest_of(subject)
        if "parse" not in manifest.capabilities or not isinstance(subject, Parser):
            raise UnknownSubject(f"{manifest.name} does not declare 'parse': there is no parser to fuzz.")
        return manifest


def show_texts(task: ToShow, beat: Beat) -> Shown:
    """Show the parser the texts of a shard."""
    found: Found = {}
    examples = 0
    with task.settings.source.open_subject() as subject:
        beat()
        for findings in yield_findings(task.settings, require_parser(subject), task.shard):
            for finding in findings:
                merge_finding(found, finding)
            examples += 1
            if examples % BEAT == 0:
                beat()
    return Shown(examples, found)


def shorten_finding(task: ToShorten, beat: Beat) -> ParserFinding:
    """Made shorter for as long as the same is found; what was written can't be changed with its text."""
    best = finding = task.finding
    if finding.requirement_id == "PRS-001":
        return finding
    with task.settings.source.open_subject() as subject:
        parser = require_parser(subject)

        def shows_it(text: str) -> bool:
            nonlocal best
            beat()
            reading = read_text(parser, finding.dialect, text, finding.schemas)
            same = next((f for f in _judge_reading(reading, task.settings.manifest) if f.kind == finding.kind), None)
            best = replace(same, count=finding.count) if same else best
            return same is not None

        shorten_text(finding.text, shows_it)
    return best


def require_parser(subject: Subject) -> Parser:
    """Return the subject, of which `introduce_parser` has seen that it is one."""
    assert isinstance(subject, Parser)
    return subject


def yield_findings(settings: TextSearchSettings, parser: Parser, shard: Shard) -> Iterator[list[ParserFinding]]:
    """Yield what is found in each text of a shard, until the time is over."""
    dialects = list(filter(has_markup, settings.manifest.dialects))
    for number in range(shard.start, shard.start + shard.examples):
        if settings.until is not None and time.time() > settings.until:
            return
        random = Random(f"{shard.seed}:{number}")
        dialect = random.choice(dialects)
        schemas = settings.schemas or random.choice(field_sets(settings.manifest, dialect))
        if number % _ROUND_TRIPS == 0:
            reading = read_back(parser, dialect, make_fields(random, dialect, schemas), schemas)
        else:
            reading = read_text(parser, dialect, near_reply(random, dialect, schemas), schemas)
        yield list(_judge_reading(reading, settings.manifest))


def merge_finding(found: Found, finding: ParserFinding) -> None:
    """Add a finding that comes after those that are there: the shortest text is kept, the first of several."""
    key = finding.dialect, finding.kind
    known = found.get(key)
    if known is None:
        found[key] = finding
    else:
        shorter = min(known, finding, key=lambda one: len(one.text))
        found[key] = replace(shorter, count=known.count + finding.count)


def _judge_reading(reading: ParserReading, manifest: Manifest) -> Iterator[ParserFinding]:
    if reading.written is not None and (violation := not_as_written(reading)):
        error = reading.parsed.error
        kind = f"refuses it with {error.type}" if error else "reads another value than was written"
        yield _make_finding(reading, "PRS-001", Difference("broken", kind, str(violation)))
    if violation := neither_fields_nor_typed_error(reading, manifest):
        yield _make_finding(reading, "PRS-002", Difference("broken", _describe_crash(reading), str(violation)))
    elif difference := compare_readings(reading.parsing, reading.parsed):
        yield _make_finding(reading, "PRS-002" if difference.sort == "broken" else None, difference)


def _make_finding(reading: ParserReading, requirement_id: str | None, difference: Difference) -> ParserFinding:
    parsing = reading.parsing
    return ParserFinding(
        sort=difference.sort,
        requirement_id=requirement_id,
        dialect=parsing.dialect,
        kind=difference.kind,
        text=parsing.reply.content or "",
        schemas=parsing.fields,
        detail=difference.detail,
    )


def _describe_crash(reading: ParserReading) -> str:
    error = reading.parsed.error
    return f"raises {error.type}" if error else "gives other fields than were asked for"


def shorten_text(text: str, shows_it: Callable[[str], bool]) -> str:
    """Return the text without all that can be left out: halves first, quarters, down to single characters."""
    size, attempts = max(len(text) // 2, 1), 0
    while attempts < _ATTEMPTS:
        at, before = 0, len(text)
        while at < len(text) and attempts < _ATTEMPTS:
            attempts += 1
            shorter = text[:at] + text[at + size :]
            if shows_it(shorter):
                text = shorter
            else:
                at += size
        if size == 1 and len(text) == before:
            break
        size = max(size // 2, 1)
    return text


#: Told how many examples have been shown, and how many classes of differences were found.
Progress = Callable[[int, int], None]


class ParserCampaign:
    """One search. The same seed shows the same texts."""

    def __init__(
        self,
        source: Source,
        budget: Budget,
        *,
        manifest: Manifest | None = None,
        schemas: Schemas | None = None,
        workers: Workers | None = None,
        progress: Progress = lambda _, __: None,
    ) -> None:
        self._budget = budget
        self._workers: Workers = workers or Serial()
        self._progress = progress
        until = None if budget.seconds is None else budget.begun + budget.seconds
        self._settings = TextSearchSettings(source, manifest or introduce_parser(source, ignore_beat), schemas, until)
        #: How many examples were shown.
        self.shown = 0
        #: Whether somebody pressed Ctrl-C.
        self.is_interrupted = False

    def find_differences(self) -> Sequence[ParserFinding]:
        """All classes of differences, those that break a requirement first, each with a text as short as it gets.

        Raises:
            HarnessBroken: if the parser hangs.
            WorkersLost: if the workers are lost.
        """
        found: Found = {}
        try:
            self._search_texts(found)
        except KeyboardInterrupt:
            self.is_interrupted = True
        kept = sorted(found.values(), key=lambda f: (f.sort, f.dialect, f.kind))
        return kept if self.is_interrupted else self._shorten_findings(kept)

    def find_first(self) -> tuple[int, str] | None:
        """Return the first example that breaks a requirement, counted from 1, and that requirement."""
        with self._settings.source.open_subject() as subject:
            for shard in self._budget.yield_shards():
                for number, findings in enumerate(
                    yield_findings(self._settings, require_parser(subject), shard), shard.start + 1
                ):
                    for finding in findings:
                        if finding.sort == "broken" and finding.requirement_id:
                            return number, finding.requirement_id
        return None

    def _search_texts(self, found: Found) -> None:
        tasks = (ToShow(self._settings, shard) for shard in self._budget.yield_shards())
        try:
            for shown in self._workers.map(show_texts, tasks):
                for finding in shown.found.values():
                    merge_finding(found, finding)
                self.shown += shown.examples
                self._progress(self.shown, len(found))
        except TaskSilent as error:
            first = self.shown + max(0, error.beats - 1) * BEAT + 1
            said = (
                f"one of the texts {first} to {first + BEAT - 1} hasn't been read in {error.seconds:g} seconds, twice"
            )
            raise HarnessBroken(f"the parser hangs: {said}") from error

    def _shorten_findings(self, found: Sequence[ParserFinding]) -> Sequence[ParserFinding]:
        shortened = list(found)
        tasks = (ToShorten(self._settings, finding) for finding in found)
        try:
            for number, finding in enumerate(self._workers.map(shorten_finding, tasks)):
                shortened[number] = finding
        except KeyboardInterrupt:
            self.is_interrupted = True
        return shortened
