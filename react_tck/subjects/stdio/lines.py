"""Lines out of the bytes that a harness writes, as they come."""

#: Bytes a line may have; a longer one is a flood, not a message.
MAX_LINE = 16 * 1024 * 1024


class LineTooLong(Exception):
    """The harness writes without end and without a line break."""


class Lines:
    """What was received and not yet read."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        #: How many of them are known to hold no line break.
        self._searched = 0
        #: Whether nothing will be added.
        self.is_complete = False

    @property
    def is_full(self) -> bool:
        """Whether the harness is to be left to wait before more is taken."""
        return len(self._bytes) > MAX_LINE

    def add(self, received: bytes) -> None:
        """Take what was received; nothing means that there will be no more."""
        self._bytes += received
        self.is_complete = not received

    def next(self) -> bytes | None:
        """The next whole line without its break, if it is there.

        Raises:
            LineTooLong: for a line of more than MAX_LINE bytes.
        """
        end = self._bytes.find(b"\n", self._searched)
        self._searched = len(self._bytes) if end < 0 else 0
        if end > MAX_LINE or (end < 0 and self.is_full):
            raise LineTooLong(f"a line of more than {MAX_LINE} bytes")
        return None if end < 0 else self._taken(end + 1)

    def rest(self) -> bytes | None:
        """What is there without a break at its end; None if there is nothing."""
        return self._taken(len(self._bytes)) if self._bytes else None

    def _taken(self, size: int) -> bytes:
        taken = bytes(self._bytes[:size]).rstrip(b"\r\n")
        del self._bytes[:size]
        self._searched = 0
        return taken
