"""`react-tck matrix SUBJECT…`: several subjects, one table."""

from argparse import Namespace
from pathlib import Path

from rich.console import Console

from react_tck.cli import running
from react_tck.model.report import Report
from react_tck.reports import comparison
from react_tck.reports.tables import by_area
from react_tck.reports.terminal import Progress, conclusion
from react_tck.runner.conformance import exit_status
from react_tck.runner.selection import Selection


def main(arguments: Namespace) -> int:
    """Run them all, compare them; the first one's result is the exit status."""
    return running.guarded(lambda: _matrix(arguments.subjects, arguments.out))


def _matrix(subjects: list[str], out: str | None) -> int:
    if out:
        Path(out).mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False, soft_wrap=True)
    reports = [_report(subject, out, console) for subject in subjects]
    console.print(comparison.requirements(reports))
    console.print()
    console.print(comparison.choices(reports))
    for report in reports:
        console.print()
        console.print(by_area(report.requirements))
        console.print(conclusion(report))
    return exit_status(reports[0])


def _report(subject: str, out: str | None, console: Console) -> Report:
    console.print(f"[bold]{subject}[/]: ", end="")
    report = running.report(subject, Selection(), 0, Progress(console))
    console.print("\n")
    if out:
        running.write(report, Path(out) / f"{_file_name(subject)}.json")
    return report


def _file_name(subject: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in subject)
