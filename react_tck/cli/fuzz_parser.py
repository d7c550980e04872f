"""`react-tck fuzz SUBJECT --target parser`: texts nobody wrote, for the subject's parser alone."""

from rich.console import Console

from react_tck.fuzz.parser.campaign import ParserCampaign
from react_tck.reports.fuzz import show_parser_findings
from react_tck.subjects.api import Parser, Subject
from react_tck.subjects.catalogue import UnknownSubject
from react_tck.suite.conformance import Exit


def fuzz_parser(subject: Subject, console: Console, *, examples: int, seconds: float | None, seed: int) -> Exit:
    """Fuzz, and tell what is found.

    Raises:
        UnknownSubject: if the subject has no parser to be fuzzed.
    """
    manifest = subject.initialize()
    if "parse" not in manifest.capabilities or not isinstance(subject, Parser):
        raise UnknownSubject(f"{manifest.name} does not declare 'parse': there is no parser to fuzz.")
    with console.status("") as status:
        campaign = ParserCampaign(
            subject,
            manifest,
            examples,
            seed,
            seconds,
            lambda shown, found: status.update(f"{shown} texts, {found} found"),
        )
        findings = campaign.findings()
    show_parser_findings(console, findings, campaign.shown, f"{manifest.name} {manifest.version}")
    broken = any(finding.sort == "broken" for finding in findings)
    return Exit.NOT_CONFORMANT if broken else Exit.CONFORMANT
