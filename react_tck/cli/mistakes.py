"""What goes wrong, told in a paragraph and a status: the user's mistakes, the harness's and the kit's."""

import sys
import traceback
from collections.abc import Callable

import click

from react_tck.files import CannotRead, CannotWrite
from react_tck.fuzz.findings import CannotFreeze, UnreadableFinding
from react_tck.fuzz.gherkin import Untellable
from react_tck.fuzz.state import UnreadableState
from react_tck.gate.baseline import BaselineError
from react_tck.reports.printing import printable
from react_tck.scripts import NoScript
from react_tck.steps.phrases import UnknownPhrase
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import UnknownSubject
from react_tck.subjects.config import ConfigError
from react_tck.suite.exit_status import OF_SIGNALS, Exit
from react_tck.suite.features import FeatureError
from react_tck.suite.interruption import Interrupted
from react_tck.suite.kill_matrix import KillMatrixError
from react_tck.suite.ledger import Unbalanced
from react_tck.suite.registry import RegistryError
from react_tck.suite.run import KitBroken
from react_tck.suite.selection import NothingSelected
from react_tck.suite.workers.workers import Silent, WorkersLost
from react_tck.unit_tests.due import Untold
from react_tck.unit_tests.failures import NothingFails

_BUG = "this is a bug of the kit, not of the subject"


class Mistake(Exception):
    """The command line asks for what can't be done; the message says why, and what can."""


_USAGE = (
    *(Mistake, BaselineError, CannotFreeze, CannotRead, CannotWrite, ConfigError, NoScript, NothingFails),
    *(NothingSelected, UnknownSubject, UnreadableFinding, UnreadableState, Untellable, UnknownPhrase, Untold),
    WorkersLost,
)
_KIT = (KitBroken, Unbalanced, FeatureError, RegistryError, KillMatrixError)


def told(error: BaseException) -> Exit:
    """Say what went wrong, and give the status; of what nobody foresaw, also where."""
    match error:
        case click.Abort():
            said, status = "interrupted", Exit.INTERRUPTED
        case Interrupted():
            said, status = str(error), OF_SIGNALS[error.name]
        case HarnessBroken() | Silent():
            said, status = str(error), Exit.HARNESS_BROKEN
        case _ if isinstance(error, _USAGE):
            said, status = str(error), Exit.USAGE
        case _ if isinstance(error, _KIT):
            said, status = f"{_BUG}: {error}", Exit.KIT_BUG
        case _:
            traceback.print_exception(error)
            said, status = f"{_BUG}: {type(error).__name__}: {error}", Exit.KIT_BUG
    print(printable(f"react-tck: {said}"), file=sys.stderr)
    return status


def after(verdict: Exit, write: Callable[[], object]) -> Exit:
    """The verdict's status once something has been written; if that fails, it is told, and nothing is conformant."""
    try:
        write()
    except CannotWrite as error:
        status = told(error)
        return verdict or status
    return verdict
