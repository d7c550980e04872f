"""`react-tck fuzz SUBJECT`: episodes nobody wrote."""

import sys
from pathlib import Path

import click
from rich.console import Console

from react_tck.cli.arguments import SubjectCommand, resolved, silenced
from react_tck.cli.mistakes import Mistake, told
from react_tck.fakes.strategies import PROFILES, Reach, claimed
from react_tck.files import CannotWrite, make_folder
from react_tck.fuzz.findings import finding_of, keep
from react_tck.fuzz.loop import EXAMPLES, BrokenIn, Budget, Campaign, Quarry
from react_tck.fuzz.parser.campaign import ParserCampaign
from react_tck.model.report import Finding
from react_tck.model.signature import AnnotationError, parse_arrow
from react_tck.play.parsing.texts import Schemas
from react_tck.reports.fuzz import SearchProgress, conclusion, show_finding, show_in_play, show_parser_findings
from react_tck.reports.printing import on_one_line, terminal
from react_tck.subjects.api import HarnessBroken, Parser, Subject
from react_tck.subjects.catalogue import UnknownSubject
from react_tck.suite.exit_status import Exit
from react_tck.suite.manifests import manifest_of
from react_tck.suite.registry import load_registry

_POSITIVE = click.IntRange(min=1)
_ALL = "all"


def _ids(_: click.Context, __: click.Parameter, said: str | None) -> frozenset[str]:
    """Ids of requirements, apart by commas."""
    ids = frozenset(id_.strip() for id_ in (said or "").split(",") if id_.strip())
    if unknown := sorted(ids - load_registry().by_id.keys()):
        raise click.BadParameter(f"there is no requirement {', '.join(unknown)}")
    return ids


def _fields(_: click.Context, __: click.Parameter, said: str | None) -> Schemas | None:
    """The schemas of fields, written as in an arrow signature."""
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
@click.option("--fields", callback=_fields, metavar="FIELDS", help="what a parser is asked for: 'answer, count: int'")
@click.option("--except", "known", callback=_ids, metavar="ID[,ID...]", help="requirements known to be violated")
@click.option("--most", type=_POSITIVE, metavar="N", help="stop after N findings")
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
) -> int:
    """Search for violations with episodes nobody wrote, tell what is found, keep it."""
    if examples and seconds:
        raise click.UsageError("Give --examples or --seconds, not both.")
    if fields and target == "loop":
        raise click.UsageError("--fields are what a parser is asked for: give --target parser, or both.")
    console = terminal(sys.stdout)
    budget = Budget(examples or EXAMPLES, seconds, seed)
    statuses = []
    with resolved(subject) as fuzzed:
        if target != "parser":
            quarry = Quarry(_profiles(fuzzed, profile), known, most)
            statuses.append(_campaign(fuzzed, subject, budget, quarry, console))
        if target != "loop":
            statuses.append(_parser_campaign(fuzzed, budget, fields, console))
    return max(statuses)


def _profiles(subject: Subject, wanted: str) -> tuple[str, ...]:
    """The profiles that are searched.

    Raises:
        Mistake: if the subject doesn't claim the one that is wanted.
    """
    manifest = manifest_of(subject)
    claims = claimed(Reach.of(manifest))
    if wanted not in (*claims, _ALL):
        raise Mistake(f"{manifest.name} doesn't claim the profile {wanted!r}; it claims {', '.join(claims)}.")
    return claims if wanted == _ALL else (wanted,)


def _campaign(subject: Subject, name: str, budget: Budget, quarry: Quarry, console: Console) -> int:
    manifest = manifest_of(subject)
    make_folder(Path())
    kept: list[Finding] = []
    lost: CannotWrite | None = None
    with console.status("") as status, silenced():
        campaign = Campaign(subject, budget, SearchProgress(status), quarry)
        try:
            for smallest in campaign.findings():
                finding = finding_of(manifest, smallest.episode, smallest.violations)
                lost = lost or _unkept(finding)
                kept.append(finding)
                show_finding(console, finding, smallest.evidence, smallest.violations, name)
        except BrokenIn as error:
            finding = finding_of(manifest, error.episode, ())
            unkept = _unkept(finding)
            again = unkept or f"see it again: react-tck replay {finding.name}.json {name}"
            raise HarnessBroken(f"{error}\n{again}") from error
    who = on_one_line(f"{manifest.name} {manifest.version}")
    show_in_play(console, campaign.in_play, campaign.examples, quarry)
    console.print(conclusion(campaign.examples, kept, who, is_interrupted=campaign.is_interrupted))
    if lost:
        told(lost)
    if campaign.is_interrupted:
        return Exit.INTERRUPTED
    return Exit.NOT_CONFORMANT if kept else Exit.CONFORMANT


def _unkept(finding: Finding) -> CannotWrite | None:
    """Keep it; why that can't be done, otherwise."""
    try:
        keep(finding, Path())
    except CannotWrite as error:
        return error
    return None


def _parser_campaign(subject: Subject, budget: Budget, fields: Schemas | None, console: Console) -> int:
    """Texts nobody wrote, for the subject's parser alone; of these fields, or of those that a manifest tells of."""
    manifest = manifest_of(subject)
    if "parse" not in manifest.capabilities or not isinstance(subject, Parser):
        raise UnknownSubject(f"{manifest.name} does not declare 'parse': there is no parser to fuzz.")
    with console.status("") as status:
        campaign = ParserCampaign(
            subject,
            manifest,
            budget.examples,
            budget.seed,
            budget.seconds,
            lambda shown, found: status.update(f"{shown} texts, {found} found"),
            fields,
        )
        findings = campaign.findings()
    show_parser_findings(console, findings, campaign.shown, on_one_line(f"{manifest.name} {manifest.version}"))
    broken = any(finding.sort == "broken" for finding in findings)
    return Exit.NOT_CONFORMANT if broken else Exit.CONFORMANT
