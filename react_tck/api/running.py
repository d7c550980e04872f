"""Runs a class of a user's: all of a profile, in this process."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from typing import TypeVar

from cucumber_tag_expressions import TagExpressionError, parse

from react_tck.adapter.declare import SubjectError
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Report
from react_tck.results.books import Unheard
from react_tck.subjects.adapted import subject_of
from react_tck.subjects.catalogue import close_subject

Answer = TypeVar("Answer")


def run(
    subject: type,
    profile: str = "core",
    *,
    tags: str | None = None,
    title: str | None = None,
    seed: int = 0,
) -> Report:
    """Run the scenarios of a profile against a subject, in this process, and report.

    `react-tck run python:my_module:Mine` does the same in processes of its own, which a subject may crash, hang or
    spoil. Nothing is printed: `report.requirements` has a verdict and the rows of each requirement, those that failed
    with what a person needs to see what is wrong; `react_tck.is_conformant(report)` is the sum of it. With the class
    that docs/API.md opens with:

    >>> import react_tck
    >>> from function_agent import Mine
    >>> report = react_tck.run(Mine, tags="@LOOP-001")
    >>> report.subject.name, report.ledger.failed
    ('function-agent', 0)
    >>> [each.verdict.name for each in report.requirements if each.id == "LOOP-001"]
    ['PASSED']

    Args:
        subject: a class that `react_tck.subject` has decorated, at the top of a module: some scenarios import it in a
            fresh process.
        profile: `core`, `robustness` …, or `all`.
        tags: a tag expression, such as `@smoke` or `@ERR-001`, to run a part of it.
        title: a part of the scenarios' titles, likewise.
        seed: derives other nonces.

    Raises:
        SubjectError: if the class is no subject, or can't be imported elsewhere.
        ValueError: if there is no such profile, no scenario is selected, or the tag expression can't be read.
    """
    check_profile(profile)
    try:
        parse(tags or "")
    except TagExpressionError as error:
        raise ValueError(f"the tag expression {tags!r} can't be read: {error}") from error
    name = name_of(subject)
    made = subject_of(subject)
    try:
        with importable_elsewhere():
            wanted = Run(made, name, Selection(profile=profile, tags=tags, title=title), seed)
            return outside_event_loops(lambda: wanted.report(Unheard()))
    finally:
        close_subject(made)


def check_profile(profile: str) -> None:
    """See whether there is such a profile.

    Raises:
        ValueError: if there is none.
    """
    if profile not in (known := (*load_registry().by_profile, "all")):
        raise ValueError(f"there is no profile {profile!r}; the profiles are {', '.join(known)}")


def name_of(subject: type) -> str:
    """Return the name under which the command line and a fresh process find a class.

    Raises:
        SubjectError: if it is no subject, or they can't find it.
    """
    subject_of(subject)
    module, name = subject.__module__, subject.__qualname__
    if module == "__main__":
        module = Path(getattr(sys.modules["__main__"], "__file__", None) or "").stem
    if not module or "." in name:
        raise SubjectError(f"{name} can't be imported by a fresh process: define it at the top of a module, in a file")
    return f"python:{module}:{name}"


def outside_event_loops(action: Callable[[], Answer]) -> Answer:
    """Return what the action gives, done in a thread of its own where an event loop runs in this one.

    A notebook's does, and Playwright's: there no library could begin a loop of its own, and the kit would blame it.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return action()
    with ThreadPoolExecutor(1, "react_tck") as thread:
        return thread.submit(copy_context().run, action).result()


@contextmanager
def importable_elsewhere() -> Iterator[None]:
    """Let a process started here import what can be imported here, as under pytest or in a script's folder."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109
    try:
        yield
    finally:
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before
