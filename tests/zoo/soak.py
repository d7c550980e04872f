"""Rows by the thousand against a harness that misbehaves at random: `python -m tests.zoo.soak [--rows N] [--seed S]`.

One call in twelve meets a kind of misbehaviour, drawn by the seed. Each row has its verdict, each ledger balances, the
kit has no bug, the exit status is that of what came, and no process is left; else it ends with a traceback.
"""

import argparse
import math
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from react_tck.catalogue.selection import Selection
from react_tck.model.report import Report
from react_tck.results.exit_status import Exit, exit_status
from tests.zoo.test_stdio import Visit


def check_report(report: Report, visit: Visit) -> None:
    """See that nothing got lost."""
    assert len(visit.heard.results) == visit.heard.announced
    assert report.ledger.balances
    assert (report.kit_errors, report.ledger.not_run) == ((), 0)
    broken = any(row.verdict == "error" for row in visit.heard.results)
    assert (exit_status(report) is Exit.HARNESS_BROKEN) is (broken or report.ledger.errors > 0)


def main(words: Sequence[str] | None = None) -> int:
    """Play as many runs as it takes, and say what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.zoo.soak")
    parser.add_argument("--rows", type=int, default=10_000, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--tags", metavar="EXPR")
    given = parser.parse_args(words)
    verdicts, kinds, runs, began = Counter[str](), Counter[str](), 0, time.monotonic()
    while verdicts.total() < given.rows:
        with TemporaryDirectory() as folder:
            visit = Visit("any-kind", Path(folder, "mark"), bound=math.inf)
            check_report(visit.report(Selection(profile="all", tags=given.tags), given.seed + runs), visit)
            kinds.update(Path(folder, "mark.drawn").read_text(encoding="utf-8").split())
        verdicts.update(str(row.verdict) for row in visit.heard.results)
        runs += 1
    del kinds["well-behaved"]
    told = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    print(f"{verdicts.total()} rows in {runs} runs, {time.monotonic() - began:.0f} s: {told}")
    print(f"{kinds.total()} calls met {len(kinds)} kinds of misbehaviour; no verdict, no count and no process was lost")
    return 0


if __name__ == "__main__":
    main()
