"""Several subjects at once, each in processes of its own: one that breaks leaves the others alone."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from react_tck.cli import running
from react_tck.model.report import Report
from react_tck.suite.plugin import Unheard
from react_tck.suite.selection import Selection

#: Subjects that run at the same time, and processes for each: more than there are processors, since some subjects
#: sleep before they ask again, as udspy does.
_AT_ONCE, _PROCESSES = 4, 3


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
        return running.report(subject, chosen, 0, Unheard(), processes=_PROCESSES)
    except Exception as error:
        return error
