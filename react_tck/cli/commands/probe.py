"""`react-tck probe SUBJECT`: what does it do where the sources leave a choice?"""

from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import SubjectCommand, open_subject
from react_tck.cli.mistakes import Mistake
from react_tck.diagnose.probe import Probed, probe_subject
from react_tck.files import check_writable, read_file
from react_tck.files import write as write_file
from react_tck.reports.printing import escape_text, terminal
from react_tck.results.exit_status import Exit
from react_tck.subjects.choices_table import with_choices
from react_tck.subjects.config import FILE, is_config


@click.command(cls=SubjectCommand)
@click.option("--write", is_flag=True, help=f"put the choices into the {FILE} that is the subject")
def command(subject: str, write: bool) -> int:
    """Find out by experiment what a subject does where the sources leave a choice; print the manifest to paste."""
    if write and not is_config(subject):
        raise Mistake(
            f"--write puts choices into a {FILE}, and {subject!r} has them in its own code: paste what probe prints."
        )
    if write:
        check_writable(Path(subject))
    with open_subject(subject) as probed_subject:
        probed = probe_subject(probed_subject)
    console = terminal()
    _show_probed(probed, console)
    if write:
        probed = _write_choices(probed, Path(subject), console)
    for contradiction in probed.contradictions:
        console.print(Text(escape_text(contradiction), style="bold red"))
    return Exit.NOT_CONFORMANT if any(probed.contradictions) else Exit.CONFORMANT


def _write_choices(probed: Probed, file: Path, console: Console) -> Probed:
    """What is still declared otherwise, once the choices that were seen stand in the file."""
    old = read_file(file)
    new = with_choices(old, probed.manifest.choices, str(file))
    if new != old:
        write_file(file, new)
    said = "is written" if new != old else "says just that"
    console.print(Text(f"\n{file} {said}: {len(probed.manifest.choices)} choices."))
    return Probed(probed.manifest, probed.declared.model_copy(update={"choices": probed.manifest.choices}))


def _show_probed(probed: Probed, console: Console) -> None:
    for name, variant in probed.manifest.choices.items():
        console.print(Text(f"{name:<24} {escape_text(variant)}"))
    console.print(Text("\nthe manifest, as it was seen:", style="bold"))
    console.print(Text(escape_text(probed.manifest.model_dump_json(indent=2))))
