"""`react-tck demo`: test a small agent with one bug, and say what to type next."""

import click
from rich.text import Text

from react_tck.catalogue.selection import Selection
from react_tck.cli.commands.run import report_of
from react_tck.reports.printing import terminal
from react_tck.reports.progress import RowCount
from react_tck.reports.terminal import show_report
from react_tck.results.exit_status import Exit

_SUBJECT = "python:react_tck.demo:Helpful"
#: What takes a second or two.
_TAGS = "@LOOP-001 or @LOOP-002 or @LOOP-003 or @LOOP-004 or @LOOP-005 or @EXT-002 or @TRJ-002 or @ERR-001"
_NEXT = (
    ("its code", "python -c 'import react_tck.demo as d; print(d.__file__)'"),
    ("what is demanded, and who says so", "react-tck explain ERR-001"),
    ("all that is asked of it", f"react-tck run {_SUBJECT} --profile all"),
    ("an adapter for your own agent", "react-tck init python   (or elixir, go, node, ruby, rust)"),
)


@click.command()
def command() -> int:
    """Test a ReAct of forty lines with one bug: no model, no network, nothing to install besides."""
    console = terminal()
    with RowCount() as count:
        report = report_of(_SUBJECT, Selection(profile="all", tags=_TAGS), count, is_in_process=True)
    show_report(report, console, _SUBJECT, details=1)
    console.print(Text("\nwhat to type next:", style="bold"))
    width = max(len(what) for what, _ in _NEXT)
    for what, words in _NEXT:
        console.print(Text(f"  {what:<{width}}  {words}"))
    return Exit.CONFORMANT
