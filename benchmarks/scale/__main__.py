"""The command: a process for a task imports the main module anew, unless it is a package's `__main__`."""

import sys

from benchmarks.scale import WAITS, main

main(int(sys.argv[1]) if len(sys.argv) > 1 else WAITS[-1])
