"""What goes wrong, told in a paragraph and a status: the user's mistakes, the harness's and the kit's."""

import sys
from pathlib import Path

import click

from react_tck.fuzz.findings import CannotFreeze, UnreadableFinding
from react_tck.fuzz.gherkin import Untellable
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import UnknownSubject
from react_tck.subjects.config import ConfigError
from react_tck.suite.exit_status import Exit
from react_tck.suite.features import FeatureError
from react_tck.suite.kill_matrix import KillMatrixError
from react_tck.suite.ledger import Unbalanced
from react_tck.suite.registry import RegistryError
from react_tck.suite.run import KitBroken
from react_tck.suite.selection import NothingSelected


class Mistake(Exception):
    """The command line asks for what can't be done; the message says why, and what can."""


class CannotWrite(Mistake):
    """A file named by the user can't be written."""


_USAGE = (Mistake, CannotFreeze, ConfigError, NothingSelected, UnknownSubject, UnreadableFinding, Untellable)
_KIT = (KitBroken, Unbalanced, FeatureError, RegistryError, KillMatrixError)


def told(error: BaseException) -> Exit:
    """Say what went wrong, and give the status; what nobody foresaw is raised again."""
    match error:
        case click.Abort():
            who, status = "react-tck: interrupted", Exit.INTERRUPTED
        case HarnessBroken():
            who, status = f"react-tck: {error}", Exit.HARNESS_BROKEN
        case _ if isinstance(error, _USAGE):
            who, status = f"react-tck: {error}", Exit.USAGE
        case _ if isinstance(error, _KIT):
            who, status = f"react-tck: this is a bug of the kit, not of the subject: {error}", Exit.KIT_BUG
        case _:
            raise error
    print(who, file=sys.stderr)
    return status


def write_text(file: Path, text: str) -> None:
    """Write a file that the user has asked for; half a surrogate pair as JSON escapes it.

    Raises:
        CannotWrite: if it can't be written.
    """
    try:
        file.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise CannotWrite(f"The report can't be written to {file}: {error.strerror}.") from error
