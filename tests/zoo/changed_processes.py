"""Python subjects that leave their process changed, or something behind in it."""

import asyncio
import builtins
import contextlib
import json
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from react_tck.model.outcome import Outcome
from tests.zoo.kinds import errs, violates
from tests.zoo.lost_processes import spin

# It leaves its process changed.


@errs("`os.environ.clear()`", "environment variables are gone: ")
def clears_environment(_: Outcome) -> None:
    os.environ.clear()


@errs("changes a variable of the environment", "environment variables have other values: PATH")
def changes_path(_: Outcome) -> None:
    os.environ["PATH"] = ""


@errs("changes the working directory", "the working directory is /")
def changes_directory(_: Outcome) -> None:
    os.chdir("/")


@errs("deletes the directory it has changed to", "the working directory is (deleted)")
def deletes_directory(_: Outcome) -> None:
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    Path(folder).rmdir()


@errs("`os.umask(0o777)`", "the mask of new files' modes is 0o777")
def changes_umask(_: Outcome) -> None:
    os.umask(0o777)


@errs("sets the recursion limit to a few more than there are", "the recursion limit is ")
def lowers_recursion_limit(_: Outcome) -> None:
    limit = 1
    while True:
        with contextlib.suppress(RecursionError):
            return sys.setrecursionlimit(limit)
        limit += 1


@errs("closes `sys.stdout`", "other or closed standard streams: stdout")
def closes_stdout(_: Outcome) -> None:
    sys.stdout.close()


@errs("`sys.stderr = None`", "other or closed standard streams: stderr")
def loses_stderr(_: Outcome) -> None:
    sys.stderr = None


@errs("closes descriptor 1", "descriptors that aren't its own were closed: 1")
def closes_descriptor_1(_: Outcome) -> None:
    os.close(1)


@errs("closes descriptor 2 and opens a file", "descriptors that aren't its own were closed: 2")
def takes_descriptor_2(_: Outcome) -> None:
    os.close(2)
    os.open(os.devnull, os.O_WRONLY)


@errs("closes all descriptors, as daemons do", "it had closed descriptors that aren't its own")
def closes_all_descriptors(_: Outcome) -> None:
    os.closerange(0, 4096)


@errs("ignores SIGINT", "other handlers of signals: SIGINT")
def ignores_sigint(_: Outcome) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@errs("leaves a timer set", "a timer is set: True")
def leaves_a_timer(_: Outcome) -> None:
    signal.setitimer(signal.ITIMER_REAL, 1000)


@errs("replaces `open`", "other built-in functions: open")
def replaces_open(_: Outcome) -> None:
    builtins.open = None  # type: ignore[assignment]


@errs("replaces `json.dumps`", "other functions of the standard library: json.dumps")
def replaces_json_dumps(_: Outcome) -> None:
    json.dumps = None  # type: ignore[assignment]


@errs("freezes the clock", "other functions of the standard library: time.monotonic, time.time")
def freezes_the_clock(_: Outcome) -> None:
    time.time = time.monotonic = lambda: 0.0


@errs("unloads the kit's modules", "modules of the kit were unloaded: ")
def unloads_modules(_: Outcome) -> None:
    for name in [name for name in sys.modules if name.startswith("react_tck.judges")]:
        del sys.modules[name]


@errs("lowers the limit of open files", "other limits of resources: RLIMIT_NOFILE")
def lowers_limit_of_files(_: Outcome) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, most))


@errs("limits the digits of whole numbers", "the limit of digits of whole numbers is 640")
def few_digits(_: Outcome) -> None:
    sys.set_int_max_str_digits(640)


# It leaves something behind.


@violates("SAN-012", "leaves a thread that never ends", "one in run_forever (base_events.py)")
def leaves_a_thread(_: Outcome) -> None:
    threading.Thread(target=asyncio.new_event_loop().run_forever).start()


@errs("leaves a daemon that spins", "keep a processor busy: one in spin (lost_processes.py)")
def leaves_a_busy_daemon(_: Outcome) -> None:
    threading.Thread(target=spin, daemon=True).start()


@errs("forks, and both go on", "forked its process, and let both go on")
def forks(_: Outcome) -> None:
    os.fork()
