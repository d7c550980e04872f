"""`react-tck check --choices`: what does a subject do where the sources leave a choice?"""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from react_tck.catalogue.manifests import manifest_of
from react_tck.catalogue.selection import Selection
from react_tck.cli.arguments import open_subject
from react_tck.cli.commands.run import report_of
from react_tck.cli.mistakes import Mistake
from react_tck.diagnose.capabilities import Contradiction, ObservedChoices
from react_tck.files import check_writable, read_file
from react_tck.files import write as write_file
from react_tck.judges.choices.observers import OBSERVERS
from react_tck.model.report import Report
from react_tck.reports.printing import escape_text, terminal
from react_tck.reports.progress import RowCount
from react_tck.results.exit_status import OF_SIGNALS, Exit
from react_tck.subjects.choices_table import find_choice_line, with_choices
from react_tck.subjects.config import FILE, is_config


def tell_choices(subject: str, *, writes: bool) -> int:
    """Play the rows of all profiles, and tell what the subject does where the sources leave a choice; the status.

    Raises:
        Mistake: if the choices are to be written, and the subject has no file for them.
    """
    if writes and not is_config(subject):
        raise Mistake(
            f"--write puts choices into a {FILE}, and {subject!r} has them in its own code: "
            "paste what is printed without it."
        )
    if writes:
        check_writable(Path(subject))
    with open_subject(subject) as opened:
        declared = manifest_of(opened)
    console = terminal()
    with RowCount() as count:
        report = report_of(subject, Selection(profile="all"), count, replays=False)
    observed = ObservedChoices(declared, {name: seen.split("; ") for name, seen in report.choices.items()})
    if report.interrupted:
        _show_found(observed, report, console)
        return OF_SIGNALS[report.interrupted]
    _show_choices(observed, console)
    if writes:
        observed = _write_choices(observed, Path(subject), console)
    contradictions = list(observed.contradictions)
    for each in contradictions:
        told = f"{each.sentence}\n  {_find_place(subject, each)}: {each.line}"
        console.print(Text(escape_text(told), style="bold red"))
    if broken := _describe_breakage(report):
        console.print(Text(escape_text(broken), style="bold red"))
        return Exit.HARNESS_BROKEN
    return Exit.NOT_CONFORMANT if contradictions else Exit.CONFORMANT


def _find_place(subject: str, contradiction: Contradiction) -> str:
    """Return where the line stands that is to be changed."""
    number = find_choice_line(read_file(Path(subject)), contradiction.name) if is_config(subject) else None
    return f"write in the manifest that {subject} gives" if number is None else f"write in {subject}:{number}"


def _describe_breakage(report: Report) -> str:
    """In how many rows the harness broke, and how in the first; empty if it held out."""
    rows = (row for requirement in report.requirements for row in requirement.scenarios)
    first = next((f"{row.fault}: {row.message}" for row in rows if row.verdict == "error"), "")
    return f"the harness broke in {report.ledger.errors} scenarios; in the first: {first}" if first else ""


def _write_choices(observed: ObservedChoices, file: Path, console: Console) -> ObservedChoices:
    """Return what is still declared otherwise, once the choices that were seen stand in the file."""
    old, choices = read_file(file), observed.choices
    new = with_choices(old, choices, str(file))
    if new != old:
        write_file(file, new)
    said = "is written" if new != old else "says just that"
    console.print(Text(f"\n{file} {said}: {len(choices)} choices."))
    declared = observed.declared.model_copy(update={"choices": {**observed.declared.choices, **choices}})
    return ObservedChoices(declared, observed.seen)


def _show_found(observed: ObservedChoices, report: Report, console: Console) -> None:
    """Show what had been seen when the signal came, of which more scenarios might have shown other variants."""
    ledger = report.ledger
    played = f"{ledger.registered - ledger.not_run} of {ledger.registered} scenarios"
    console.print(f"\ninterrupted ({report.interrupted}) after {played}; nothing is written", style="bold red")
    for name, variants in observed.seen.items():
        console.print(Text(f"{name:<24} {escape_text(', or '.join(variants))} so far"))
    if not observed.seen:
        console.print("no choice was seen")


def _show_choices(observed: ObservedChoices, console: Console) -> None:
    console.print("\n")
    for name in OBSERVERS:
        variants = observed.seen.get(name, ["not seen"])
        console.print(Text(f"{name:<24} {escape_text(', or '.join(variants))}"))
    console.print(Text("\nthe manifest, as it was seen:", style="bold"))
    console.print(Text(escape_text(observed.manifest.model_dump_json(indent=2))))
