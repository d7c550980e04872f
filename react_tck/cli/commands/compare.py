"""`react-tck compare BEFORE AFTER`: what has changed from one report to another."""

from pathlib import Path

import click

from react_tck.cli.earlier_reports import read_report
from react_tck.cli.mistakes import Mistake
from react_tck.gate.compared import compare_reports
from react_tck.reports.comparison import show_changes
from react_tck.reports.printing import terminal
from react_tck.results.exit_status import Exit

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("before", type=_PATH, metavar="BEFORE.json")
@click.argument("after_", type=_PATH, metavar="AFTER.json")
def command(before: Path, after_: Path) -> int:
    """Show what has changed from one report to another: two releases, two ports, before and after a change.

    The second is held against the baseline that the first would write. Status 1 if anything is worse: it fails and
    didn't, fails otherwise, or isn't judged any more. What only one of the two played counts for nothing.
    """
    found = compare_reports(read_report(before), read_report(after_))
    if not found.shared_rows:
        raise Mistake(f"{before} and {after_} have no scenario in common that was played; there is nothing to compare.")
    show_changes(found, terminal())
    return Exit.NOT_CONFORMANT if found.worse else Exit.CONFORMANT
