"""`react-tck fuzz SUBJECT`: episodes nobody wrote."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from react_tck.catalogue.registry import load_registry
from react_tck.cli.arguments import SubjectCommand, open_subject, silence_output
from react_tck.cli.mistakes import Mistake, report_mistake
from react_tck.cli.workers import OpenedWorkers, WorkerOptions, workers_options
from react_tck.fakes.strategies import PROFILES, Reach, list_claimed
from react_tck.files import CannotWrite, make_folder
from react_tck.fuzz.campaign import Campaign, HarnessBrokenIn
from react_tck.fuzz.findings import make_finding, write_finding
from react_tck.fuzz.parser_search import ParserCampaign, introduce_parser
from react_tck.fuzz.playing import introduce_subject
from react_tck.fuzz.shards import EXAMPLES, Budget, GivenSubject, NamedSubject, SearchScope, Sighting, Source
from react_tck.fuzz.state import CampaignState
from react_tck.fuzz.witnesses import find_accused
from react_tck.model.manifest import Manifest
from react_tck.model.report import Finding
from react_tck.model.signature import AnnotationError, parse_arrow
from react_tck.play.parsing import Schemas
from react_tck.processes.workers.workers import Work, Workers, ignore_beat
from react_tck.reports.fuzz import (
    SearchProgress,
    Teller,
    conclude_search,
    show_corpus,
    show_finding,
    show_in_play,
    show_parser_findings,
)
from react_tck.reports.printing import escape_line, terminal
from react_tck.results.bug_report import quote_subject
from react_tck.results.exit_status import Exit
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.config import is_config, read_config

_POSITIVE = click.IntRange(min=1)
_PATH = click.Path(path_type=Path)
_ALL = "all"
#: Where findings are kept.
_FOLDER = Path(".react-tck")


def _parse_ids(_: click.Context, __: click.Parameter, said: str | None) -> frozenset[str]:
    """Ids of requirements, apart by commas."""
    ids = frozenset(id_.strip() for id_ in (said or "").split(",") if id_.strip())
    if unknown := sorted(ids - load_registry().by_id.keys()):
        raise click.BadParameter(f"there is no requirement {', '.join(unknown)}")
    return ids


def _parse_fields(_: click.Context, __: click.Parameter, said: str | None) -> Schemas | None:
    """Return the schemas of fields, written as in an arrow signature."""
    if said is None:
        return None
    try:
        fields = parse_arrow(f"-> {said}").outputs
    except AnnotationError as error:
        raise click.BadParameter(f"{error}; write fields as 'answer, count: int, tags: list[str]'") from error
    names = [field.name for field in fields]
    wrong = next((name for name in names if not name.isidentifier() or names.count(name) > 1), None)
    if wrong is not None or not names:
        raise click.BadParameter(
            f"{wrong or said!r} is no name of a field, or stands twice; write 'answer, count: int'"
        )
    return {field.name: field.json_schema for field in fields}


@click.command(cls=SubjectCommand)
@click.option("--examples", type=_POSITIVE, metavar="N", help=f"how many (default {EXAMPLES})")
@click.option("--seconds", type=_POSITIVE, metavar="S", help="for so long, instead")
@click.option("--seed", type=int, default=0, metavar="N", help="search other examples (default 0)")
@click.option("--target", type=click.Choice(("loop", "parser", "both")), default="loop", help="what (default loop)")
@click.option(
    "--profile",
    type=click.Choice((*PROFILES, _ALL)),
    default=_ALL,
    help="episodes of this profile (default all that the subject claims)",
)
@click.option(
    "--fields", callback=_parse_fields, metavar="FIELDS", help="what a parser is asked for: 'answer, count: int'"
)
@click.option("--except", "known", callback=_parse_ids, metavar="ID[,ID...]", help="requirements known to be violated")
@click.option("--most", type=_POSITIVE, metavar="N", help="stop after N findings")
@click.option("--state", "folder", type=_PATH, metavar="DIR", help="keep all here, and go on with what is kept")
@workers_options
def command(
    subject: str,
    examples: int | None,
    seconds: int | None,
    seed: int,
    target: str,
    profile: str,
    fields: Schemas | None,
    known: frozenset[str],
    most: int | None,
    folder: Path | None,
    worker_options: WorkerOptions,
) -> int:
    """Search for violations with episodes nobody wrote, tell what is found, keep it."""
    if examples and seconds:
        raise click.UsageError("Give --examples or --seconds, not both.")
    if fields and target == "loop":
        raise click.UsageError("--fields are what a parser is asked for: give --target parser, or both.")
    if target != "loop" and folder:
        raise click.UsageError("--state goes with --target loop.")
    console = terminal(sys.stdout)
    budget = Budget(examples or EXAMPLES, seconds, seed)
    statuses = []
    with worker_options.open_for_subject(subject) as opened:
        if target != "parser":
            with _open_source(subject, opened, introduce_subject) as (source, manifest):
                scope = SearchScope(_select_profiles(manifest, profile), known, most)
                state = CampaignState(folder, subject, manifest, seed, scope) if folder else None
                search = Undertaking(subject, manifest, budget, scope, source, opened.workers, state)
                statuses.append(_run_campaign(search, console))
        if target != "loop":
            with _open_source(subject, opened, introduce_parser) as (source, manifest):
                texts = ParserUndertaking(manifest, budget, fields, source, opened.workers)
                statuses.append(_run_parser_campaign(texts, console))
    return max(statuses)


@dataclass(frozen=True)
class Undertaking:
    """All that a campaign is about."""

    name: str
    manifest: Manifest
    budget: Budget
    scope: SearchScope
    source: Source
    workers: Workers
    state: CampaignState | None


@dataclass(frozen=True)
class ParserUndertaking:
    """All that a search for texts is about; they are of these fields, or of those that the manifest tells of."""

    manifest: Manifest
    budget: Budget
    fields: Schemas | None
    source: Source
    workers: Workers


@contextmanager
def _open_source(name: str, opened: OpenedWorkers, who: Work[Source, Manifest]) -> Iterator[tuple[Source, Manifest]]:
    """Where workers get the subject from, and who it is; this process has it only if nobody else does the work."""
    if opened.is_here:
        with open_subject(name) as subject:
            yield GivenSubject(subject), who(GivenSubject(subject), ignore_beat)
    else:
        source = NamedSubject(opened.subject, read_config(Path(name)) if is_config(name) else None)
        yield source, next(opened.workers.map(who, [source]))


def _select_profiles(manifest: Manifest, wanted: str) -> tuple[str, ...]:
    """Return the profiles that are searched.

    Raises:
        Mistake: if the subject doesn't claim the one that is wanted.
    """
    claims = list_claimed(Reach.of(manifest))
    if wanted not in (*claims, _ALL):
        raise Mistake(f"{manifest.name} doesn't claim the profile {wanted!r}; it claims {', '.join(claims)}.")
    return claims if wanted == _ALL else (wanted,)


def _run_campaign(search: Undertaking, console: Console) -> int:
    make_folder(_FOLDER)
    kept: list[Finding] = []
    lost: CannotWrite | None = None
    lines = terminal(sys.stderr)
    unshrunk: set[Path] = set()

    def keep_at_once(found: Sighting) -> str:
        finding = make_finding(search.manifest, found.episode, found.breaches)
        unshrunk.add(_find_path(finding))
        return "" if _keep_finding(finding) else str(_find_path(finding))

    with console.status("") as status, silence_output():
        progress = SearchProgress(Teller(status, lines), search.budget.count, search.workers, keep_at_once)
        campaign = Campaign(
            search.source,
            search.budget,
            progress,
            search.scope,
            workers=search.workers,
            state=search.state,
            find_accused=lambda episode: find_accused(episode, search.manifest),
        )
        try:
            for found in campaign.find_violations():
                finding = make_finding(search.manifest, found.sighting.episode, found.sighting.breaches)
                lost = _keep_finding(finding) or lost
                kept.append(finding)
                shown = found.sighting.played, found.sighting.record
                show_finding(console, finding, shown, found.sighting.breaches, search.name, _find_path(finding))
        except HarnessBrokenIn as error:
            finding = make_finding(search.manifest, error.episode, ())
            unkept = _keep_finding(finding)
            again = unkept or f"see it again: react-tck replay {_find_path(finding)} {quote_subject(search.name)}"
            raise HarnessBroken(f"{error}\n{again}") from error
    who = escape_line(f"{search.manifest.name} {search.manifest.version}")
    if campaign.replayed:
        show_corpus(console, campaign.replayed, campaign.changed)
    show_in_play(console, campaign.in_play, campaign.examples, search.scope)
    console.print(conclude_search(campaign.examples, kept, who, is_interrupted=campaign.is_interrupted))
    for path in () if campaign.is_interrupted else unshrunk - {_find_path(each) for each in kept}:
        with suppress(OSError):
            path.unlink()
    if campaign.acquitted:
        ids = ", ".join(sorted(campaign.acquitted))
        console.print(f"not told: violations of {ids} that agents which are right show too, by a fault of the kit's")
    if lost:
        report_mistake(lost)
    if campaign.is_interrupted:
        return Exit.INTERRUPTED
    return Exit.NOT_CONFORMANT if kept else Exit.CONFORMANT


def _find_path(finding: Finding) -> Path:
    """Return where a finding is kept."""
    return _FOLDER / f"{finding.name}.json"


def _keep_finding(finding: Finding) -> CannotWrite | None:
    """Keep it; why that can't be done, otherwise."""
    try:
        write_finding(finding, _FOLDER)
    except CannotWrite as error:
        return error
    return None


def _run_parser_campaign(search: ParserUndertaking, console: Console) -> int:
    """Texts nobody wrote, for the subject's parser alone."""
    lines = terminal(sys.stderr)
    with console.status("") as status:
        teller = Teller(status, lines)
        campaign = ParserCampaign(
            search.source,
            search.budget,
            manifest=search.manifest,
            schemas=search.fields,
            workers=search.workers,
            progress=lambda shown, found: teller.tell(f"{shown} texts, {found} found"),
        )
        findings = campaign.find_differences()
    who = escape_line(f"{search.manifest.name} {search.manifest.version}")
    show_parser_findings(console, findings, campaign.shown, who, is_interrupted=campaign.is_interrupted)
    if campaign.is_interrupted:
        return Exit.INTERRUPTED
    broken = any(finding.sort == "broken" for finding in findings)
    return Exit.NOT_CONFORMANT if broken else Exit.CONFORMANT
