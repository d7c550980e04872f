"""Threads that a subject leaves running, such as those of an event loop that was interrupted."""

import threading


def abandon() -> None:
    """From now on no such thread keeps this process from ending: Python would wait for it for ever."""
    # Nothing public says so of a thread that has begun.
    vars(threading)["_shutdown"] = _wait_for_none


def _wait_for_none() -> None:
    pass
