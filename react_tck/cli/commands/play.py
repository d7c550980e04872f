"""`react-tck play ID [-- COMMAND]`: a requirement's scenarios with a harness under a debugger, without timeouts."""

import math
import sys
from collections.abc import Callable

import click

from react_tck.catalogue.selection import Selection
from react_tck.cli.arguments import HarnessCommand
from react_tck.engine.run import Run
from react_tck.reports.printing import terminal
from react_tck.reports.progress import RowCount
from react_tck.reports.terminal import show_report
from react_tck.results.exit_status import exit_status
from react_tck.subjects.catalogue import harness_name
from react_tck.subjects.stdio import StdioSubject, Timeouts, make_starter
from react_tck.subjects.stdio.process import Pasted
from react_tck.subjects.stdio.rpc import Channel

_FOREVER = Timeouts(initialize=math.inf, construct=math.inf, call=math.inf)


@click.command(cls=HarnessCommand)
@click.argument("requirement_id", metavar="ID [-- COMMAND ...]")
@click.option("-k", "title", metavar="TEXT", help="only scenarios whose title contains this")
def command(requirement_id: str, title: str | None, harness: list[str]) -> int:
    """Play a requirement's scenarios with a harness under your debugger, without timeouts, then judge.

    ID is such as LOOP-001. Without a COMMAND, paste what the harness says.
    """
    console = terminal()
    chosen = Selection(profile="all", tags=f"@{requirement_id.upper()}", title=title)
    subject = StdioSubject(_start_harness(harness), _FOREVER)
    name = _name_harness(harness)
    try:
        with RowCount() as count:
            report = Run(subject, name, chosen, replays=False).report(count)
    finally:
        subject.close()
    show_report(report, console, name)
    return exit_status(report)


def _start_harness(command: list[str]) -> Callable[[], Channel]:
    return make_starter(command) if command else lambda: Pasted(sys.stdin, sys.stdout)


def _name_harness(command: list[str]) -> str:
    return harness_name(command) if command else "-- YOUR HARNESS"
