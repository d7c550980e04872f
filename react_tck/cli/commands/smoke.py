"""`react-tck smoke SUBJECT`: is it connected at all?"""

import click

from react_tck.catalogue.selection import Selection
from react_tck.cli.arguments import SubjectCommand, in_process_option
from react_tck.cli.commands.run import report_of
from react_tck.reports.printing import terminal
from react_tck.reports.terminal import Progress, show_report
from react_tck.results.exit_status import exit_status


@click.command(cls=SubjectCommand)
@in_process_option
def command(subject: str, *, is_in_process: bool) -> int:
    """Run the few scenarios that show whether a subject is connected: those tagged @smoke."""
    console = terminal()
    report = report_of(subject, Selection(tags="@smoke"), Progress(console), is_in_process=is_in_process)
    show_report(report, console)
    return exit_status(report)
