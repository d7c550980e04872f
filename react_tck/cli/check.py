"""`react-tck check -- COMMAND`: is the harness connected as it should be?"""

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import SubjectCommand, resolved
from react_tck.reports.printing import printable, terminal
from react_tck.suite.check import CheckResult, check_harness
from react_tck.suite.exit_status import Exit


@click.command(cls=SubjectCommand)
def command(subject: str) -> int:
    """Check a harness's wire before any scenario: what is wrong, and what to write."""
    console = terminal()
    with resolved(subject) as connected:
        results = [_told(result, console) for result in check_harness(connected)]
    problems = sum(1 for result in results if result.problem)
    if problems:
        console.print(f"{problems} of {len(results)} checks failed", style="bold red")
        return Exit.HARNESS_BROKEN
    console.print(Text.assemble((f"all {len(results)} checks passed", "bold green"), "; go on with `react-tck run`"))
    return Exit.CONFORMANT


def _told(result: CheckResult, console: Console) -> CheckResult:
    if not result.problem:
        console.print(Text.assemble(("ok", "green"), f"      {result.name}"))
        return result
    console.print(Text(f"FAILED  {result.name}", style="bold red"))
    console.print(Text(printable(f"{result.problem}\nwhat to write: {result.advice}")))
    return result
