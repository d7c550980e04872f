"""A harness that its author started by hand, perhaps under a debugger: lines travel by copy and paste."""

from typing import IO


class Pasted:
    """The author instead of a pipe."""

    stderr = ""

    def __init__(self, answers: IO[str], screen: IO[str]) -> None:
        self._answers = answers
        self._screen = screen

    def write(self, line: bytes) -> None:
        """Show the line to paste into the harness."""
        self._tell(f"\npaste into your harness:\n{line.decode()}\nand paste its answer here:")

    def read(self, timeout: float) -> bytes | None:  # noqa: ARG002 - a person at a debugger takes the time it takes
        """The next line pasted here that isn't blank; None at the end of the input."""
        for line in self._answers:
            if line.strip():
                return line.strip().encode()
        return None

    def describe_end(self) -> str:
        """What it means that there is nothing more to read."""
        return "gave no further answer"

    def end(self) -> None:
        """Tell the author."""
        self._tell("\nthat was the last line; end your harness")

    def _tell(self, text: str) -> None:
        self._screen.write(f"{text}\n")
        self._screen.flush()
