"""What the commands that run subjects share: turning anything that goes wrong into a paragraph and a status."""

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from cucumber_tag_expressions import TagExpressionError, parse

from react_tck.model.report import Report
from react_tck.runner.conformance import Exit
from react_tck.runner.features import FeatureError
from react_tck.runner.plugin import Listener
from react_tck.runner.registry import RegistryError, load_registry
from react_tck.runner.results import Unbalanced
from react_tck.runner.run import KitBroken, NothingSelected, Run
from react_tck.runner.selection import Selection
from react_tck.subjects.catalogue import UnknownSubject, resolve


class CannotWrite(Exception):
    """A file named by the user can't be written."""


_USAGE = (CannotWrite, UnknownSubject, NothingSelected)
_KIT = (KitBroken, Unbalanced, FeatureError, RegistryError)


def guarded(command: Callable[[], int]) -> int:
    """Run a command; the user's mistakes and the kit's bugs are told in a paragraph, not in a traceback."""
    try:
        return command()
    except _USAGE as error:
        return _tell("react-tck", error, Exit.USAGE)
    except _KIT as error:
        return _tell("react-tck: this is a bug of the kit, not of the subject", error, Exit.KIT_BUG)


def selection(arguments: Namespace) -> Selection:
    """The selection the options describe.

    Raises:
        NothingSelected: if there is no such profile, or the tag expression can't be read.
    """
    profiles = [*load_registry().by_profile, "all"]
    if arguments.profile not in profiles:
        known = ", ".join(profiles)
        raise NothingSelected(f"There is no profile {arguments.profile!r}; the profiles are {known}.")
    _check_tags(arguments.tags or "")
    return Selection(profile=arguments.profile, tags=arguments.tags, title=arguments.title)


def _check_tags(expression: str) -> None:
    try:
        parse(expression)
    except TagExpressionError as error:
        raise NothingSelected(f"The tag expression {expression!r} can't be read: {error}") from error


def report(subject_name: str, chosen: Selection, seed: int, listener: Listener) -> Report:
    """The report of a run.

    Raises:
        UnknownSubject: if the name names no subject.
        NothingSelected: if no scenario is selected.
        KitBroken: if the kit fails.
    """
    # `python:module:factory` finds modules where the user stands, as `python -m` does.
    sys.path.insert(0, "")
    return Run(resolve(subject_name), subject_name, chosen, seed).report(listener)


def write(report: Report, file: Path) -> None:
    """Write the report as JSON: the same report, the same bytes.

    Raises:
        CannotWrite: if the file can't be written.
    """
    try:
        file.write_text(f"{report.model_dump_json(indent=2)}\n", encoding="utf-8")
    except OSError as error:
        raise CannotWrite(f"The report can't be written to {file}: {error.strerror}.") from error


def _tell(who: str, error: Exception, status: Exit) -> int:
    print(f"{who}: {error}", file=sys.stderr)
    return status
