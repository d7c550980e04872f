"""`react-tck check -- COMMAND`: is the harness connected as it should be?"""

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import SubjectCommand, resolved
from react_tck.reports.printing import printable
from react_tck.suite.check import CheckResult, check_harness
from react_tck.suite.exit_status import Exit


@click.command(cls=SubjectCommand)
def command(subject: str) -> int:
    """Check a harness's wire before any scenario: what is wrong, and what to write."""
    console = Console(highlight=False, soft_wrap=True)
    with resolved(subject) as connected:
        results = [_told(result, console) for result in check_harness(connected)]
    problems = sum(1 for result in results if result.problem)
    if problems:
        console.print(f"[bold red]{problems} of {len(results)} checks failed[/]")
        return Exit.HARNESS_BROKEN
    console.print(f"[bold green]all {len(results)} checks passed[/]; go on with `react-tck run`")
    return Exit.CONFORMANT


def _told(result: CheckResult, console: Console) -> CheckResult:
    if not result.problem:
        console.print(f"[green]ok[/]      {result.name}")
        return result
    console.print(Text(f"FAILED  {result.name}", style="bold red"))
    console.print(Text(printable(f"{result.problem}\nwhat to write: {result.advice}")))
    return result
