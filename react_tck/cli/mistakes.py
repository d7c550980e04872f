"""What goes wrong, told in a paragraph and a status: the user's mistakes, the harness's and the kit's."""

import sys
import traceback
from collections.abc import Callable

import click

from react_tck.catalogue.feature_files import FeatureError
from react_tck.catalogue.kill_matrix import KillMatrixError
from react_tck.catalogue.linter import OwnFeaturesWrong
from react_tck.catalogue.registry import RegistryError
from react_tck.catalogue.selection import NothingSelected
from react_tck.engine.run import KitBroken
from react_tck.fakes.server.server import LoopbackMissing
from react_tck.files import CannotRead, CannotWrite
from react_tck.fuzz.findings import CannotFreeze, UnreadableFinding
from react_tck.fuzz.gherkin import Untellable
from react_tck.fuzz.state import UnreadableState
from react_tck.gate.baseline import BaselineError
from react_tck.processes.interruption import Interrupted
from react_tck.processes.workers.workers import TaskSilent, WorkersLost
from react_tck.reports.printing import print_text
from react_tck.results.exit_status import OF_SIGNALS, Exit
from react_tck.results.ledger import Unbalanced
from react_tck.scripts import NoScript
from react_tck.steps.phrases import UnknownPhrase
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import UnknownSubject
from react_tck.subjects.config import ConfigError
from react_tck.unit_tests.due import Untold
from react_tck.unit_tests.failures import NothingFails

_BUG = "this is a bug of the kit, not of the subject"


class Mistake(Exception):
    """The command line asks for what can't be done; the message says why, and what can."""


def report_mistake(error: BaseException) -> Exit:
    """Say what went wrong, and give the status; of what nobody foresaw, also where."""
    match error:
        case click.Abort() | KeyboardInterrupt():
            said, status = "interrupted", Exit.INTERRUPTED
        case Interrupted():
            said, status = str(error), OF_SIGNALS[error.name]
        case _:
            said, status = _assign_blame(error)
    print_text(f"react-tck: {said}", sys.stderr)
    return status


def _assign_blame(error: BaseException) -> tuple[str, Exit]:
    match error:
        case _ if isinstance(error, (Mistake, *USAGE)):
            return str(error), Exit.USAGE
        case _ if isinstance(error, BROKEN):
            return str(error), Exit.HARNESS_BROKEN
        case _ if isinstance(error, KIT):
            return f"{_BUG}: {error}", Exit.KIT_BUG
    traceback.print_exception(error)
    return f"{_BUG}: {type(error).__name__}: {error}", Exit.KIT_BUG


def write_and_conclude(verdict: Exit, write: Callable[[], object]) -> Exit:
    """Return the verdict's status once something is written; if that fails, it is told: nothing is conformant."""
    try:
        write()
    except CannotWrite as error:
        status = report_mistake(error)
        return verdict or status
    return verdict


#: Of who asked.
USAGE = (
    *(BaselineError, CannotFreeze, CannotRead, CannotWrite, ConfigError, NoScript, NothingFails),
    *(NothingSelected, UnknownSubject, UnreadableFinding, UnreadableState, Untellable, UnknownPhrase, Untold),
    *(OwnFeaturesWrong, WorkersLost),
)
#: Of the kit.
KIT = (KitBroken, Unbalanced, FeatureError, RegistryError, KillMatrixError)
#: Of the harness, or of the machine it is on.
BROKEN = (HarnessBroken, LoopbackMissing, TaskSilent)
