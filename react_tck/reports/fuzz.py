"""What the fuzzer does and finds, as a person reads it."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.status import Status
from rich.text import Text

from react_tck.catalogue.registry import load_registry
from react_tck.fuzz.gherkin import Untellable, write_scenario
from react_tck.fuzz.parser_search import ParserFinding
from react_tck.fuzz.shards import Breach, SearchScope, Sighting
from react_tck.judges.in_play import RULES
from react_tck.model.episode import Episode
from react_tck.model.record import Record
from react_tck.model.report import Finding
from react_tck.processes.workers.workers import Workers
from react_tck.record.transcript import write_transcript
from react_tck.reports.printing import escape_text
from react_tck.results.bug_report import quote_subject

#: Examples after which the line is written again.
_OFTEN = 10


#: Seconds between two lines, where no line can change.
_SELDOM = 10.0


class Teller:
    """Says what a search does: in one line that changes, or, where none can, in a line of its own now and then."""

    def __init__(self, status: Status, lines: Console) -> None:
        self._status, self._lines = status, lines
        self._told = time.monotonic()

    def tell(self, said: str) -> None:
        """Say it where there is a terminal; elsewhere only if nothing has been said for a while."""
        if self._status.console.is_terminal:
            self._status.update(said)
        elif time.monotonic() - self._told >= _SELDOM:
            self.tell_at_once(said)

    def tell_for_good(self, said: str) -> None:
        """Say it in a line that stays."""
        self._lines.print(said)

    def tell_at_once(self, said: str) -> None:
        """Say it wherever that may be."""
        self._told = time.monotonic()
        if self._status.console.is_terminal:
            self._status.update(said)
        else:
            self._lines.print(said)


class SearchProgress:
    """How far a search is, as a person reads it."""

    def __init__(
        self, teller: Teller, shards: int | None, workers: Workers, keep: Callable[[Sighting], str] = lambda _: ""
    ) -> None:
        self._teller = teller
        #: Keeps what is found, and says where.
        self._keep = keep
        self._shards = "" if shards is None else f" of {shards}"
        self._workers = f", {workers.count} workers" if workers.count > 1 else ""
        self._begun = time.monotonic()

    def show_progress(self, shards: int, examples: int, findings: int) -> None:
        """Show how far the search is."""
        if examples % _OFTEN == 0:
            found = f", {findings} requirements violated" if findings else ""
            rate = examples / max(time.monotonic() - self._begun, 1)
            self._teller.tell(
                f"{shards}{self._shards} shards, {examples} examples, {rate:.0f} a second{found}{self._workers}"
            )

    def show_found(self, ids: str, sighting: Sighting) -> None:
        """Show what is found as soon as it is, and where it is kept."""
        kept = self._keep(sighting)
        self._teller.tell_for_good(f"{ids} violated in example {sighting.example}{kept and f', kept as {kept}'}")

    def show_shrinking(self, requirement_id: str, attempts: int) -> None:
        """Show that a finding is being made smaller."""
        self._teller.tell(f"{requirement_id} is violated; making the example smaller, attempt {attempts}")

    def show_choosing(self, examples: int) -> None:
        """Show what is done once all examples have been judged."""
        self._teller.tell_at_once(f"all {examples} examples are judged; choosing the episodes that the corpus keeps")


def show_finding(
    console: Console,
    finding: Finding,
    played: tuple[Episode, Record],
    breaches: Mapping[str, Breach],
    subject_name: str,
    path: Path,
) -> None:
    """Show a finding as a bug report, with the scenario and the commands that show it again."""
    for requirement_id, breach in breaches.items():
        requirement = load_registry().by_id[requirement_id]
        console.print(Rule(f"{requirement_id} violated", style="red", align="left"))
        console.print(f"{requirement.label}: {requirement.plain_sentence}\n")
        console.print(Text(escape_text(breach.text)))
        console.print()
    episode, record = played
    at = next(iter(breaches.values())).find_event(record)
    console.print(Text(escape_text(write_transcript(episode, record, at))))
    console.print("\nas a scenario:\n")
    console.print(Text(escape_text(_format_scenario(finding))))
    console.print(f"\nreproduce: react-tck replay {path} {quote_subject(subject_name)}")
    console.print(f"keep:      react-tck replay {path} --freeze '...'\n")


def show_corpus(console: Console, replayed: int, changed: int) -> None:
    """How many episodes of earlier campaigns were played first, and whether they went as they did."""
    how = f"{changed} of them otherwise than before, so every shard is played anew" if changed else "all as before"
    console.print(f"corpus: {replayed} episodes replayed, {how}\n")


def show_in_play(console: Console, in_play: Counter[str], examples: int, scope: SearchScope) -> None:
    """How often each requirement of the profiles was in play, and those that nothing was searched for."""
    wanted = [id_ for profile in (*scope.profiles, "sanitizer") for id_ in _list_ids(profile) if id_ not in scope.known]
    judged = [id_ for id_ in wanted if id_ in RULES]
    played = "  ".join(f"{id_}:{in_play[id_]}" for id_ in judged if in_play[id_])
    never = ", ".join(id_ for id_ in judged if not in_play[id_])
    console.print(f"in play, of {examples} examples: {played}", soft_wrap=False)
    if never:
        console.print(Text.assemble(("never in play, so not tested:", "yellow"), f" {never}"), soft_wrap=False)
    if scope.known:
        console.print(f"known to be violated, so not told: {', '.join(sorted(scope.known))}", soft_wrap=False)
    others = ", ".join(id_ for id_ in wanted if id_ not in RULES)
    console.print(f"judged by scenarios only: {others}\n", soft_wrap=False)


def _list_ids(profile: str) -> list[str]:
    rows = load_registry().by_profile[profile]
    return [row.id for row in rows if not row.excluded]


def conclude_search(examples: int, findings: Sequence[Finding], who: str, *, is_interrupted: bool) -> Text:
    """Return a campaign's result in a sentence: how many examples it played, which requirements they violate."""
    stopped = "interrupted after " if is_interrupted else ""
    if not findings:
        return Text(f"{who}: {stopped}{examples} examples, nothing found", style="bold green")
    ids = ", ".join(dict.fromkeys(id_ for finding in findings for id_ in finding.requirements))
    return Text(f"{who}: {stopped}{examples} examples, {len(findings)} findings: {ids}", style="bold red")


def _format_scenario(finding: Finding) -> str:
    if not finding.requirements:
        return "    (no scenario: it was kept for no requirement)"
    requirement = load_registry().by_id[finding.requirements[0]]
    try:
        return write_scenario(finding.episode, requirement, f"Found by fuzzing, {finding.name}")
    except Untellable as error:
        return f"    (no scenario: {error})"


_SHOWN = 300


def show_parser_findings(
    console: Console, findings: Sequence[ParserFinding], examples: int, who: str, *, is_interrupted: bool = False
) -> None:
    """Every class of differences with the shortest text that shows it, and the sum."""
    for finding in findings:
        for line in _describe_parser_finding(finding):
            console.print(Text(line))
    broken = sum(finding.sort == "broken" for finding in findings)
    choices = len(findings) - broken
    ended = ", interrupted" if is_interrupted else ""
    console.print(Text(f"{who}: {examples} texts{ended}, {broken} ways to break a requirement, {choices} choices"))


def _describe_parser_finding(finding: ParserFinding) -> Iterable[str]:
    what = f"breaks {finding.requirement_id}" if finding.sort == "broken" else "choice"
    yield f"{finding.dialect}, {what}: it {finding.kind} ({finding.count} times)"
    yield f"  text:     {_cut_text(ascii(finding.text))}"
    yield from (f"  {_cut_text(line)}" for line in finding.detail.splitlines())
    yield ""


def _cut_text(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
