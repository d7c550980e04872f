"""Gets ready, when it is imported, what the processes that play mutants share: they are forked from the one that does.

It reads the features, the registry and the step definitions, and starts the process that fresh plays are forked from.
"""

from react_tck.catalogue.features import load_features
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.step_definitions import load_step_definitions
from react_tck.play.fresh_process import start_fork_server
from react_tck.prove.playing import IMPORTED

start_fork_server(IMPORTED)
load_features()
load_registry()
load_step_definitions()
