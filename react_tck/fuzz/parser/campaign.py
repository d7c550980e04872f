"""Fuzzes a parser: round trips of odd fields, texts near the grammar, and the difference to our own parser."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from react_tck.dialects.markup import has_markup
from react_tck.fakes.corpus import fields, near_reply
from react_tck.fuzz.parser.differential import Difference, ParserFinding, compare
from react_tck.model.manifest import Manifest
from react_tck.play.parsing.properties import (
    ParserReading,
    neither_fields_nor_typed_error,
    not_as_written,
    read_back,
    read_text,
)
from react_tck.play.parsing.texts import Schemas, field_sets
from react_tck.subjects.api import Parser

#: Told how many examples have been shown, and how many classes of differences were found.
Progress = Callable[[int, int], None]

#: One example in so many is a round trip.
_ROUND_TRIPS = 3
#: Examples between two words about the progress.
_BEAT = 500


@dataclass
class ParserCampaign:
    """One search: so many examples, or, where that is given, so many seconds. The same seed shows the same texts."""

    parser: Parser
    manifest: Manifest
    examples: int = 10_000
    seed: int = 0
    seconds: float | None = None
    progress: Progress = field(default=lambda _, __: None)
    #: What is asked for, unless it is what the manifest lets ask for.
    schemas: Schemas | None = None
    #: How many examples were shown.
    shown: int = 0

    def findings(self) -> Sequence[ParserFinding]:
        """All classes of differences, those that break a requirement first, each with a text as short as it gets."""
        found: dict[tuple[str, str], ParserFinding] = {}
        for number in self._numbers():
            for finding in self._example(number):
                self._keep(found, finding)
            self.shown = number + 1
            if self.shown % _BEAT == 0:
                self.progress(self.shown, len(found))
        return [self._shrunk(finding) for finding in sorted(found.values(), key=lambda f: (f.sort, f.dialect, f.kind))]

    def first(self) -> tuple[int, str] | None:
        """The first example that breaks a requirement, counted from 1, and that requirement."""
        for number in self._numbers():
            for finding in self._example(number):
                if finding.sort == "broken" and finding.requirement_id:
                    return number + 1, finding.requirement_id
        return None

    def _numbers(self) -> Iterator[int]:
        end = None if self.seconds is None else time.monotonic() + self.seconds
        number = 0
        while number < self.examples if end is None else time.monotonic() < end:
            yield number
            number += 1

    def _example(self, number: int) -> Iterator[ParserFinding]:
        random = Random(f"{self.seed}:{number}")
        dialect = random.choice(list(filter(has_markup, self.manifest.dialects)))
        schemas = self.schemas or random.choice(field_sets(self.manifest, dialect))
        if number % _ROUND_TRIPS == 0:
            reading = read_back(self.parser, dialect, fields(random, dialect, schemas), schemas)
        else:
            reading = read_text(self.parser, dialect, near_reply(random, dialect, schemas), schemas)
        yield from self._judged(reading)

    def _judged(self, reading: ParserReading) -> Iterator[ParserFinding]:
        if reading.written is not None and (violation := not_as_written(reading)):
            error = reading.parsed.error
            kind = f"refuses it with {error.type}" if error else "reads another value than was written"
            yield _finding(reading, "PRS-001", Difference("broken", kind, str(violation)))
        if violation := neither_fields_nor_typed_error(reading, self.manifest):
            yield _finding(reading, "PRS-002", Difference("broken", _crash(reading), str(violation)))
        elif difference := compare(reading.parsing, reading.parsed):
            yield _finding(reading, "PRS-002" if difference.sort == "broken" else None, difference)

    def _keep(self, found: dict[tuple[str, str], ParserFinding], finding: ParserFinding) -> None:
        key = finding.dialect, finding.kind
        known = found.get(key)
        if known is None:
            found[key] = finding
        else:
            shorter = min(known, finding, key=lambda one: len(one.text))
            found[key] = replace(shorter, count=known.count + 1)

    def _shrunk(self, finding: ParserFinding) -> ParserFinding:
        """Made shorter for as long as the same is found; what was written can't be changed with its text."""
        if finding.requirement_id == "PRS-001":
            return finding
        best = finding

        def shows_it(text: str) -> bool:
            nonlocal best
            again = self._reading_of(text, finding)
            same = next((f for f in self._judged(again) if f.kind == finding.kind), None)
            best = replace(same, count=finding.count) if same else best
            return same is not None

        shortest(finding.text, shows_it)
        return best

    def _reading_of(self, text: str, finding: ParserFinding) -> ParserReading:
        return read_text(self.parser, finding.dialect, text, finding.schemas)


def _finding(reading: ParserReading, requirement_id: str | None, difference: Difference) -> ParserFinding:
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


def _crash(reading: ParserReading) -> str:
    error = reading.parsed.error
    return f"raises {error.type}" if error else "gives other fields than were asked for"


#: A text that takes more attempts is short enough.
_ATTEMPTS = 2000


def shortest(text: str, shows_it: Callable[[str], bool]) -> str:
    """The text without every piece that can be left out: halves first, then quarters, down to single characters."""
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
