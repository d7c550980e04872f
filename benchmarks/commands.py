"""Whole commands, from process start."""

import subprocess
import sys
from collections.abc import Sequence

from benchmarks.pairs import timed


def seconds(arguments: Sequence[str], rounds: int) -> list[float]:
    """How long `react-tck ARGUMENTS` takes, each time in a process of its own."""
    command = [sys.executable, "-m", "react_tck", *arguments]
    return [timed(lambda: subprocess.run(command, capture_output=True, check=True)) for _ in range(rounds)]
