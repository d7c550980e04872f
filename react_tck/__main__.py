"""`python -m react_tck` and `react-tck` run the command line, which ends in good order from its first moment on."""

import sys

from react_tck.processes.interruption import leave_at_signals


def main() -> int:
    """Run the command that this process was started with; gives the exit status."""
    leave_at_signals()
    # What this imports takes longer than many need to press Ctrl-C.
    from react_tck.cli.main import main as run_command_line

    return run_command_line()


# The workers of `prove` import this module too, under another name.
if __name__ == "__main__":
    sys.exit(main())
