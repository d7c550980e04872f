"""Factories that give no subject, or one that misbehaves."""

import importlib
import os
import threading

from react_tck.model.outcome import Outcome
from react_tck.subjects.api import Subject
from react_tck.subjects.libraries.reference import react as reference
from tests.zoo.in_process import Misbehaving


def raises() -> object:
    raise ValueError("no licence found")


def returns_a_number() -> object:
    return 7


def leaves_a_thread() -> Subject:
    """The reference, and a thread that Python would wait for, for ever."""
    threading.Thread(target=threading.Event().wait).start()
    return reference.subject()


def leaves_threads_when_imported() -> Subject:
    """The reference, in a module that begins a thread as it is imported."""
    importlib.import_module("tests.support.leaves_a_thread")
    return reference.subject()


def leaves_a_thread_behind_each_call() -> Subject:
    """The reference, that each time leaves a thread that Python would wait for."""

    def wait_for_more() -> None:
        threading.Event().wait()

    def leave(_: Outcome) -> None:
        threading.Thread(target=wait_for_more).start()

    return Misbehaving(reference.subject(), {"": leave})


def ends_the_process() -> object:
    os._exit(0)
