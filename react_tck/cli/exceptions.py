"""Whose mistake an exception is that comes out of a command; only `mistakes` needs to know, once there is one."""

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
from react_tck.processes.workers.workers import TaskSilent, WorkersLost
from react_tck.results.ledger import Unbalanced
from react_tck.scripts import NoScript
from react_tck.steps.phrases import UnknownPhrase
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import UnknownSubject
from react_tck.subjects.config import ConfigError
from react_tck.unit_tests.due import Untold
from react_tck.unit_tests.failures import NothingFails

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
