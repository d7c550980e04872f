"""`react-tck freeze FILE --title TEXT`: a finding becomes a scenario."""

from argparse import Namespace
from pathlib import Path

from react_tck.cli import running
from react_tck.cli.quiet import silenced
from react_tck.fuzz.findings import read_finding
from react_tck.fuzz.freeze import freeze
from react_tck.suite.conformance import Exit


def main(arguments: Namespace) -> int:
    """Add the case to the features."""
    return running.guarded(lambda: _freeze(arguments))


def _freeze(arguments: Namespace) -> int:
    finding = read_finding(Path(arguments.file))
    try:
        with silenced():
            path = freeze(finding, arguments.title, arguments.kills)
    except OSError as error:
        raise running.CannotWrite(f"The feature can't be written: {error.strerror}.") from error
    print(f"{finding.name} is the scenario {arguments.title!r} in {path.parent.name}/{path.name}")
    print(f"run it: react-tck run reference --profile {path.parent.name} -k {arguments.title!r}")
    return Exit.CONFORMANT
