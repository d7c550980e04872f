"""How many attacks there are, table by table; docs/ROBUSTNESS.md says it, and the tests named here try each of them."""

from collections.abc import Mapping

from tests.cli.test_in_ci import COMMAND_LINES, UNCLOSED
from tests.cli.test_init import FOLDERS
from tests.cli.test_runners_log import PIECES, RUNNERS, SAYINGS, WAYS, WORDS
from tests.cli.test_serve_recorded import UPSTREAMS
from tests.fakes.test_recording_proxy import BROKEN_PROVIDERS, CONCEALED, MOVED, SECRETS, UNKEPT, WRONG_RECORDINGS
from tests.project.test_foreign_texts import EPISODES, READERS, TEXTS
from tests.zoo.attacks import ATTACKS
from tests.zoo.fates import FATES
from tests.zoo.hostile_files import FILES
from tests.zoo.in_process import KINDS
from tests.zoo.interrupts import INTERRUPTS
from tests.zoo.outputs import OUTPUTS
from tests.zoo.test_doors import DOORS
from tests.zoo.test_interrupts import CARRIED_OUT, IMPORTED, SENT
from tests.zoo.test_stdio import NAMES, VALUES

#: What is attacked, the test that does it, and in how many ways.
ATTACKED: Mapping[tuple[str, str], int] = {
    ("the process of a Python subject", "tests/zoo/test_in_process.py"): len(KINDS),
    ("the wire", "tests/zoo/test_stdio.py"): len(FATES),
    ("the doors of an episode and of `serve`, with a script and with a recording", "tests/zoo/test_doors.py"): (
        len(ATTACKS) * (len(DOORS) + 1)
    ),
    ("a recording: secrets, in four kinds of bodies", "tests/fakes/test_recording_proxy.py"): len(SECRETS) * 4,
    ("a recording: providers, redirects, bodies, files", "tests/fakes/test_recording_proxy.py"): (
        len(BROKEN_PROVIDERS) + len(MOVED) + len(WRONG_RECORDINGS) + len(CONCEALED) + len(UNKEPT)
    ),
    ("a recording: addresses of providers", "tests/cli/test_serve_recorded.py"): len(UPSTREAMS),
    ("files that are read", "tests/zoo/test_hostile_files.py"): len(FILES),
    ("texts within values, and transcripts", "tests/project/test_foreign_texts.py"): (
        len(TEXTS) * len(READERS) + len(EPISODES)
    ),
    ("outputs", "tests/zoo/test_outputs.py"): len(OUTPUTS),
    ("commands at work, by signals", "tests/zoo/test_interrupts.py"): len(INTERRUPTS),
    ("commands that begin or end, by signals", "tests/zoo/test_interrupts.py"): (
        (len(IMPORTED) + len(CARRIED_OUT) + 2) * len(SENT)
    ),
    ("a runner's log", "tests/cli/test_runners_log.py"): (
        len(SAYINGS) * (len(RUNNERS) + len(WORDS)) + len(PIECES) * len(WAYS) * 2
    ),
    ("the action's command line", "tests/cli/test_in_ci.py"): len(COMMAND_LINES) + len(UNCLOSED),
    ("the folder of `init`'s workflow", "tests/cli/test_init.py"): len(FOLDERS),
    ("the values of variables", "tests/zoo/test_stdio.py"): len(VALUES) * len(NAMES),
}
