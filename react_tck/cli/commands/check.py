"""`react-tck check SUBJECT`: is it connected as it should be, and which choices does it make?"""

from collections.abc import Iterator

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import SubjectCommand, open_subject, silence_output
from react_tck.cli.observed_choices import tell_choices
from react_tck.diagnose.check import CheckResult, check_harness, list_untried
from react_tck.fakes.server.server import check_loopback
from react_tck.reports.printing import escape_line, escape_text, terminal
from react_tck.results.exit_status import Exit
from react_tck.subjects.config import FILE


@click.command(cls=SubjectCommand)
@click.option("--choices", "asks_choices", is_flag=True, help="rather play the rows of all profiles, and tell choices")
@click.option("--write", "writes", is_flag=True, help=f"with --choices: put them into the {FILE} that is the subject")
def command(subject: str, *, asks_choices: bool, writes: bool) -> int:
    """Check a subject before any scenario: the wire, and each capability once; what is wrong, and what to write."""
    if writes and not asks_choices:
        click.get_current_context().fail("--write writes choices down; give --choices too.")
    if asks_choices:
        return tell_choices(subject, writes=writes)
    check_loopback()
    console = terminal()
    with open_subject(subject) as connected:
        results = [_show_result(result, console) for result in _check_silently(check_harness(connected))]
        manifest = None if results[0].problem else connected.initialize()
    if manifest and (left := list_untried(manifest)):
        console.print(Text(f"not tried here: {', '.join(left)}; `react-tck run --profile all` does", style="yellow"))
    problems = [result for result in results if result.problem]
    if problems:
        causes = sum(1 for result in problems if not result.as_in)
        of_these = "one cause" if causes == 1 else f"{causes} causes"
        console.print(f"{len(problems)} of {len(results)} checks failed, of {of_these}", style="bold red")
        if all(result.is_of_library for result in problems):
            console.print("it is connected: the library does that; go on with `react-tck run`")
            return Exit.NOT_CONFORMANT
        return Exit.HARNESS_BROKEN
    who = escape_line(f"{manifest.name} {manifest.version}: ") if manifest else ""
    passed = f"{who}all {len(results)} checks passed"
    console.print(Text.assemble((passed, "bold green"), "; go on with `react-tck run`"))
    return Exit.CONFORMANT


def _check_silently(results: Iterator[CheckResult]) -> Iterator[CheckResult]:
    """Drop what a subject prints in the meantime; that of a harness is shown with a failure."""
    while True:
        with silence_output():
            result = next(results, None)
        if result is None:
            return
        yield result


def _show_result(result: CheckResult, console: Console) -> CheckResult:
    if not result.problem:
        console.print(Text.assemble(("ok", "green"), f"      {result.name}"))
        return result
    said = "LIBRARY" if result.is_of_library else "FAILED "
    console.print(Text(f"{said} {result.name}" + (f", as {result.as_in}" if result.as_in else ""), style="bold red"))
    if not result.as_in:
        told = filter(None, [result.problem, result.evidence, f"what to write: {result.advice}"])
        console.print(Text(escape_text("\n".join(told))))
    return result
