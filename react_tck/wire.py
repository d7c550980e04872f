"""A class of yours as a harness: a program that speaks the protocol of docs/PROTOCOL.md, for any kit to run."""

from react_tck.subjects.adapted import subject_of
from react_tck.subjects.stdio import harness


def serve(subject: type) -> None:
    """Serve a subject over the protocol, on the standard streams, until standard input ends.

    Write `if __name__ == "__main__": react_tck.wire.serve(Mine)` at the end of a file; `react-tck run -- python
    that_file.py` runs it, in the interpreter and the environment that you name. What the subject prints goes to the
    standard error.

    Args:
        subject: a class that `react_tck.subject` has decorated.

    Raises:
        SubjectError: if it is none.
    """
    harness.serve_subject(subject_of(subject))
