"""`react-tck check -- COMMAND`: is the harness connected as it should be?"""

from collections.abc import Iterator

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import SubjectCommand, open_subject, silence_output
from react_tck.diagnose.capabilities import list_untried
from react_tck.diagnose.check import CheckResult, check_harness
from react_tck.fakes.server.server import check_loopback
from react_tck.reports.printing import escape_text, terminal
from react_tck.results.exit_status import Exit


@click.command(cls=SubjectCommand)
def command(subject: str) -> int:
    """Check a harness before any scenario: the wire, and each capability once; what is wrong, and what to write."""
    check_loopback()
    console = terminal()
    with open_subject(subject) as connected:
        results = [_show_result(result, console) for result in _check_silently(check_harness(connected))]
        left = () if results[0].problem else list_untried(connected.initialize())
    if left:
        console.print(Text(f"not tried here: {', '.join(left)}; `react-tck run --profile all` does", style="yellow"))
    problems = [result for result in results if result.problem]
    if problems:
        causes = sum(1 for result in problems if not result.as_in)
        of_these = "one cause" if causes == 1 else f"{causes} causes"
        console.print(f"{len(problems)} of {len(results)} checks failed, of {of_these}", style="bold red")
        return Exit.HARNESS_BROKEN
    console.print(Text.assemble((f"all {len(results)} checks passed", "bold green"), "; go on with `react-tck run`"))
    return Exit.CONFORMANT


def _check_silently(results: Iterator[CheckResult]) -> Iterator[CheckResult]:
    """What a subject prints in the meantime is dropped; that of a harness is shown with a failure."""
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
    console.print(Text(f"FAILED  {result.name}" + (f", as {result.as_in}" if result.as_in else ""), style="bold red"))
    if not result.as_in:
        told = filter(None, [result.problem, result.evidence, f"what to write: {result.advice}"])
        console.print(Text(escape_text("\n".join(told))))
    return result
