"""`react-tck check -- COMMAND`: is the harness connected as it should be?"""

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.subject import SubjectCommand, resolved
from react_tck.reports.safe import printable
from react_tck.suite.check import Finding, check_harness
from react_tck.suite.conformance import Exit


@click.command(cls=SubjectCommand)
def command(subject: str) -> int:
    """Check a harness's wire before any scenario: what is wrong, and what to write."""
    console = Console(highlight=False, soft_wrap=True)
    with resolved(subject) as connected:
        findings = [_told(finding, console) for finding in check_harness(connected)]
    problems = sum(1 for finding in findings if finding.problem)
    if problems:
        console.print(f"[bold red]{problems} of {len(findings)} checks failed[/]")
        return Exit.HARNESS_BROKEN
    console.print(f"[bold green]all {len(findings)} checks passed[/]; go on with `react-tck run`")
    return Exit.CONFORMANT


def _told(finding: Finding, console: Console) -> Finding:
    if not finding.problem:
        console.print(f"[green]ok[/]      {finding.name}")
        return finding
    console.print(Text(f"FAILED  {finding.name}", style="bold red"))
    console.print(Text(printable(f"{finding.problem}\nwhat to write: {finding.advice}")))
    return finding
