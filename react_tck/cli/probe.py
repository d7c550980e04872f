"""`react-tck probe SUBJECT`: what does it do where the sources leave a choice?"""

import sys
from argparse import Namespace

from rich.console import Console
from rich.text import Text

from react_tck.cli import running
from react_tck.reports.safe import printable
from react_tck.subjects.catalogue import close, resolve
from react_tck.suite.conformance import Exit
from react_tck.suite.probe import Probed, probe


def main(arguments: Namespace) -> int:
    """Find the choices out by experiment; print the manifest to paste."""
    return running.guarded(lambda: _probe(running.subject_name(arguments)))


def _probe(subject_name: str) -> int:
    sys.path.insert(0, "")
    subject = resolve(subject_name)
    try:
        probed = probe(subject)
    finally:
        close(subject)
    _show(probed, Console(highlight=False, soft_wrap=True))
    return Exit.NOT_CONFORMANT if any(probed.contradictions) else Exit.CONFORMANT


def _show(probed: Probed, console: Console) -> None:
    for name, variant in probed.manifest.choices.items():
        console.print(Text(f"{name:<24} {printable(variant)}"))
    console.print(Text("\nthe manifest, as it was seen:", style="bold"))
    console.print(Text(printable(probed.manifest.model_dump_json(indent=2))))
    for contradiction in probed.contradictions:
        console.print(Text(printable(contradiction), style="bold red"))
