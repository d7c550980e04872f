"""`react-tck check -- COMMAND`: is the harness connected as it should be?"""

from argparse import Namespace

from rich.console import Console
from rich.text import Text

from react_tck.cli import running
from react_tck.reports.safe import printable
from react_tck.subjects.catalogue import close, resolve
from react_tck.suite.check import Checked, check_harness
from react_tck.suite.conformance import Exit


def main(arguments: Namespace) -> int:
    """Check the harness, tell what is wrong and what to write."""
    return running.guarded(lambda: _check(running.subject_name(arguments)))


def _check(subject_name: str) -> int:
    console = Console(highlight=False, soft_wrap=True)
    subject = resolve(subject_name)
    try:
        findings = [_told(finding, console) for finding in check_harness(subject)]
    finally:
        close(subject)
    problems = sum(1 for finding in findings if finding.problem)
    if problems:
        console.print(f"[bold red]{problems} of {len(findings)} checks failed[/]")
        return Exit.HARNESS_BROKEN
    console.print(f"[bold green]all {len(findings)} checks passed[/]; go on with `react-tck run`")
    return Exit.CONFORMANT


def _told(finding: Checked, console: Console) -> Checked:
    if not finding.problem:
        console.print(f"[green]ok[/]      {finding.name}")
        return finding
    console.print(Text(f"FAILED  {finding.name}", style="bold red"))
    console.print(Text(printable(f"{finding.problem}\nwhat to write: {finding.advice}")))
    return finding
