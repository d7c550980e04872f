"""What workers do in a search for texts: show the parser a shard of them, make one that was found shorter."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from react_tck.catalogue.manifests import manifest_of
from react_tck.dialects.markup import has_markup
from react_tck.fakes.corpus import make_fields, near_reply
from react_tck.fuzz.parser.differential import Difference, ParserFinding, compare_readings
from react_tck.fuzz.shards import Shard, Source
from react_tck.model.manifest import Manifest
from react_tck.play.parsing.properties import (
    ParserReading,
    neither_fields_nor_typed_error,
    not_as_written,
    read_back,
    read_text,
)
from react_tck.play.parsing.texts import Schemas, field_sets
from react_tck.processes.workers.workers import Beat
from react_tck.subjects.api import Parser, Subject
from react_tck.subjects.catalogue import UnknownSubject

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
