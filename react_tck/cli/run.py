"""`react-tck run SUBJECT`."""

from argparse import Namespace
from pathlib import Path

from rich.console import Console

from react_tck.cli import running
from react_tck.reports.terminal import Progress, show
from react_tck.suite.conformance import exit_status


def main(arguments: Namespace) -> int:
    """Run the selected scenarios and report."""
    return running.guarded(lambda: _run(arguments))


def _run(arguments: Namespace) -> int:
    console = Console(highlight=False, soft_wrap=True)
    name = running.subject_name(arguments)
    chosen = running.selection(arguments, name)
    transcripts = Path(arguments.transcript) if arguments.transcript else None
    report = running.report(name, chosen, arguments.seed, Progress(console), transcripts, arguments.processes)
    show(report, console)
    if arguments.json:
        running.write(report, Path(arguments.json))
    return exit_status(report)
