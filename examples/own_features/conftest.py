"""Gives this project's scenarios the sentences of react-tck, and the hotel whose rooms they book."""

import react_tck

pytest_plugins = ["react_tck.pytest_steps"]


@react_tck.tool
class Hotel:
    """Has one room, whenever a scenario begins."""

    def __init__(self) -> None:
        self._guests: list[str] = []

    def book_room(self, guest: str) -> dict[str, str]:
        """Books a room."""
        if self._guests:
            raise LookupError("no room is left")
        self._guests.append(guest)
        return {"guest": guest, "state": "booked"}
