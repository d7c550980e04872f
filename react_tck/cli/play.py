"""`react-tck play ID [-- COMMAND]`: a requirement's scenarios with a harness under a debugger, without timeouts."""

import math
import sys
from argparse import Namespace
from collections.abc import Callable

from rich.console import Console

from react_tck.cli import running
from react_tck.reports.terminal import Progress, show
from react_tck.subjects.catalogue import harness_name
from react_tck.subjects.stdio import StdioSubject, Timeouts, started
from react_tck.subjects.stdio.process import Pasted
from react_tck.subjects.stdio.rpc import Channel
from react_tck.suite.conformance import exit_status
from react_tck.suite.run import Run
from react_tck.suite.selection import Selection

_FOREVER = Timeouts(initialize=math.inf, construct=math.inf, call=math.inf)


def main(arguments: Namespace) -> int:
    """Play, then judge."""
    return running.guarded(lambda: _play(arguments))


def _play(arguments: Namespace) -> int:
    console = Console(highlight=False, soft_wrap=True)
    chosen = Selection(profile="all", tags=f"@{arguments.id.upper()}", title=arguments.title)
    subject = StdioSubject(_start(arguments.harness), _FOREVER)
    try:
        report = Run(subject, _name(arguments.harness), chosen, replays=False).report(Progress(console))
    finally:
        subject.close()
    show(report, console)
    return exit_status(report)


def _start(command: list[str]) -> Callable[[], Channel]:
    return started(command) if command else lambda: Pasted(sys.stdin, sys.stdout)


def _name(command: list[str]) -> str:
    return harness_name(command) if command else "-- YOUR HARNESS"
