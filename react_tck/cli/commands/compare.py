"""`react-tck compare BEFORE AFTER`: what has changed from one report to another."""

from json import dumps
from pathlib import Path

import click

from react_tck.cli.earlier_reports import read_report
from react_tck.cli.mistakes import Mistake, write_and_conclude
from react_tck.files import check_writable
from react_tck.files import write as write_text
from react_tck.reports.changes import show_changes
from react_tck.reports.printing import terminal
from react_tck.reports.regressions import compare_reports
from react_tck.results.exit_status import Exit

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("before", type=_PATH, metavar="BEFORE.json")
@click.argument("after_", type=_PATH, metavar="AFTER.json")
@click.option("--json", "file", type=_PATH, metavar="FILE", help="also write the comparison as JSON")
def command(before: Path, after_: Path, file: Path | None) -> int:
    """Show what has changed from one report to another: two releases, two ports, before and after a change.

    Status 1 if there is a regression: a scenario that passed and now fails or errs, or a MUST that isn't judged any
    more. What only one of the two played counts for nothing.
    """
    if file:
        check_writable(file)
    found = compare_reports(read_report(before), read_report(after_))
    if not found.in_both:
        raise Mistake(f"{before} and {after_} have no scenario in common that was played; there is nothing to compare.")
    show_changes(found, terminal())
    verdict = Exit.NOT_CONFORMANT if found.is_regression else Exit.CONFORMANT
    if file is None:
        return verdict
    text = f"{dumps(found.model_dump(mode='json'), indent=2, ensure_ascii=False)}\n"
    return write_and_conclude(verdict, lambda: write_text(file, text))
