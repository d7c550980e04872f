"""`react-tck smoke SUBJECT`: is it connected at all?"""

from argparse import Namespace

from rich.console import Console

from react_tck.cli import running
from react_tck.reports.terminal import Progress, show
from react_tck.suite.conformance import exit_status
from react_tck.suite.selection import Selection


def main(arguments: Namespace) -> int:
    """Run the scenarios tagged @smoke."""
    return running.guarded(lambda: _smoke(running.subject_name(arguments)))


def _smoke(subject_name: str) -> int:
    console = Console(highlight=False, soft_wrap=True)
    report = running.report(subject_name, Selection(tags="@smoke"), 0, Progress(console))
    show(report, console)
    return exit_status(report)
