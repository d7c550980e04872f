"""`react-tck harness SUBJECT`: an in-process subject behind the protocol, as a harness of its own."""

import click

from react_tck.cli.arguments import complete_subject
from react_tck.subjects.catalogue import resolve
from react_tck.subjects.stdio.harness import serve_subject


@click.command()
@click.argument("subject", shell_complete=complete_subject, metavar="SUBJECT")
def command(subject: str) -> int:
    """Serve a Python subject over the protocol, until standard input ends.

    SUBJECT is reference, dspy, udspy … or python:package.module:Class.
    """
    serve_subject(resolve(subject))
    return 0
