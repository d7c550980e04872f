"""`python -m react_tck` and `react-tck` run the command line, which ends in good order from its first moment on."""

import os
import sys
import traceback

from react_tck.processes.interruption import leave_at_signals

#: Of `results/exit_status.py`, which may be what can't be imported.
_KIT_BUG = 5


def main() -> int:
    """Run the command that this process was started with; gives the exit status."""
    leave_at_signals()
    try:
        # What this imports takes longer than many need to press Ctrl-C.
        from react_tck.cli.main import main as run_command_line

        return run_command_line()
    except SystemExit:
        raise
    except BaseException:
        # Python's own status would be 1, which is a verdict.
        traceback.print_exc()
        os._exit(_KIT_BUG)


# The workers of `prove` import this module too, under another name.
if __name__ == "__main__":
    sys.exit(main())
