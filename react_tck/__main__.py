"""`python -m react_tck` and `react-tck` run the command line, which ends in good order from its first moment on."""

import os
import signal
import sys
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    """Run the command that this process was started with; gives the exit status."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as it is under `nohup`
            signal.signal(number, _leave)
    # What this imports takes longer than many need to press Ctrl-C.
    from react_tck.cli.main import main as run_command_line

    return run_command_line()


def _leave(number: int, _: FrameType | None) -> None:
    os.write(2, f"react-tck: interrupted ({signal.Signals(number).name}) before it had begun\n".encode())
    os._exit(128 + number)


# The workers of `prove` import this module too, under another name.
if __name__ == "__main__":
    sys.exit(main())
