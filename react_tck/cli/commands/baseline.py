"""`react-tck baseline SUBJECT`: the failures that are accepted, written down by a run."""

from difflib import unified_diff
from pathlib import Path

import click
from rich.text import Text

from react_tck.cli.arguments import (
    SubjectCommand,
    features_option,
    gate_rules,
    processes_option,
    selection,
    selection_options,
)
from react_tck.cli.commands.run import report_of
from react_tck.files import check_writable, read_file
from react_tck.files import write as write_file
from react_tck.gate.baseline import Section, file_of, format_baseline, read_baseline, section_of
from react_tck.gate.gate import JUDGED
from react_tck.reports.printing import escape_text, terminal
from react_tck.reports.progress import RowCount
from react_tck.reports.verdicts import conclude_run_in_a_line
from react_tck.results.exit_status import Exit, exit_status


@click.command(cls=SubjectCommand)
@selection_options
@features_option
@processes_option
@click.option("--write", is_flag=True, help="write the file; else only what would change is shown")
def command(
    subject: str,
    profile: str | None,
    tags: str | None,
    title: str | None,
    features: Path | None,
    processes: int | None,
    write: bool,
) -> int:
    """Play the profile, or a part of it, and write what fails into react-tck.baseline.toml.

    A file that is there keeps its reasons, its other subjects, and what a part leaves out. Without --write, status 4
    says that it would change.
    """
    file = file_of(subject)
    known, rules = read_baseline(file), gate_rules(subject)
    old = read_file(file) if known else ""
    if write:
        check_writable(file)
    console = terminal()
    chosen = selection(profile, tags, title, subject, features)
    with RowCount() as count:
        report = report_of(subject, chosen, count, processes=processes)
    if (status := exit_status(report)) not in JUDGED:
        console.print(Text(f"{conclude_run_in_a_line(report)}; nothing is written. `react-tck run` tells more."))
        return status
    section = section_of(report, known.get(report.subject.name, Section()), rules)
    new = format_baseline({**known, report.subject.name: section})
    console.print("\n")
    for line in unified_diff(old.splitlines(), new.splitlines(), str(file), str(file), n=1, lineterm=""):
        console.print(Text(escape_text(line)))
    if new == old:
        console.print(Text(f"{file} says just that."))
    elif write:
        write_file(file, new)
        console.print(Text(f"{file} is written: {_describe_counts(section)}."))
    else:
        console.print(Text(f"{file} would change; --write writes it."))
    return Exit.CONFORMANT if write or new == old else Exit.STALE_BASELINE


def _describe_counts(section: Section) -> str:
    blocked = sum(count for entry in section.entries for _, count in entry.blocked)
    rows = sum(len(entry.rows) for entry in section.entries) + blocked
    return f"{rows} failing rows in {len(section.entries)} entries, {len(section.unsupported)} requirements unsupported"
