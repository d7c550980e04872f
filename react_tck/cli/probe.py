"""`react-tck probe SUBJECT`: what does it do where the sources leave a choice?"""

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import SubjectCommand, resolved
from react_tck.reports.printing import printable, terminal
from react_tck.suite.exit_status import Exit
from react_tck.suite.probe import Probed, probe


@click.command(cls=SubjectCommand)
def command(subject: str) -> int:
    """Find out by experiment what a subject does where the sources leave a choice; print the manifest to paste."""
    with resolved(subject) as probed_subject:
        probed = probe(probed_subject)
    _show(probed, terminal())
    return Exit.NOT_CONFORMANT if any(probed.contradictions) else Exit.CONFORMANT


def _show(probed: Probed, console: Console) -> None:
    for name, variant in probed.manifest.choices.items():
        console.print(Text(f"{name:<24} {printable(variant)}"))
    console.print(Text("\nthe manifest, as it was seen:", style="bold"))
    console.print(Text(printable(probed.manifest.model_dump_json(indent=2))))
    for contradiction in probed.contradictions:
        console.print(Text(printable(contradiction), style="bold red"))
