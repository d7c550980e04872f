"""`react-tck harness SUBJECT`: an in-process subject behind the protocol, as a harness of its own."""

from argparse import Namespace

from react_tck.cli import running
from react_tck.subjects.catalogue import resolve
from react_tck.subjects.stdio.harness import serve


def main(arguments: Namespace) -> int:
    """Serve until standard input ends."""
    return running.guarded(lambda: _serve(arguments.subject))


def _serve(subject_name: str) -> int:
    serve(resolve(subject_name))
    return 0
