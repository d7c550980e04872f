"""Several subjects at once, each in a process of its own: one that breaks leaves the others alone."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from react_tck.cli import running
from react_tck.model.report import Report
from react_tck.runner.features import FeatureError
from react_tck.runner.plugin import Unheard
from react_tck.runner.processes import pool
from react_tck.runner.registry import RegistryError
from react_tck.runner.run import KitBroken
from react_tck.runner.selection import Selection
from react_tck.subjects.protocol import HarnessBroken

#: Subjects that run at the same time: now and then one of them waits for an LM that says nothing.
_AT_ONCE = 3


def outcomes(subjects: Sequence[str], chosen: Selection) -> Iterator[tuple[str, Report | Exception]]:
    """Each subject's report, or why there is none, in the order of the subjects."""
    # A worker's modules are looked for where ours are.
    sys.path.insert(0, "")
    threads = ThreadPoolExecutor(_AT_ONCE)
    try:
        yield from zip(subjects, threads.map(lambda subject: outcome(subject, chosen), subjects), strict=True)
    finally:
        threads.shutdown(cancel_futures=True)


def outcome(subject: str, chosen: Selection) -> Report | Exception:
    """One subject's report, or why there is none."""
    try:
        with pool(1) as worker:
            return worker.submit(_report, subject, chosen).result()
    except BrokenProcessPool:
        return HarnessBroken(f"{subject} ended the process it ran in: `react-tck run {subject}` shows where.")
    except Exception as error:
        return error


def _report(subject: str, chosen: Selection) -> Report:
    """Runs in a process of its own."""
    try:
        return running.report(subject, chosen, 0, Unheard())
    except (FeatureError, RegistryError) as error:
        # These can't be carried from one process to another.
        raise KitBroken(str(error)) from error
