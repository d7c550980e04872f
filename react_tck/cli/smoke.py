"""`react-tck smoke SUBJECT`: is it connected at all?"""

import click
from rich.console import Console

from react_tck.cli.arguments import SubjectCommand
from react_tck.cli.run import report_of
from react_tck.reports.terminal import Progress, show
from react_tck.suite.exit_status import exit_status
from react_tck.suite.selection import Selection


@click.command(cls=SubjectCommand)
def command(subject: str) -> int:
    """Run the few scenarios that show whether a subject is connected: those tagged @smoke."""
    console = Console(highlight=False, soft_wrap=True)
    report = report_of(subject, Selection(tags="@smoke"), Progress(console))
    show(report, console)
    return exit_status(report)
