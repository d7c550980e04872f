"""What the commands that run subjects share: turning anything that goes wrong into a paragraph and a status."""

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from cucumber_tag_expressions import TagExpressionError, parse

from react_tck.cli.config import load
from react_tck.fuzz.findings import UnreadableCase
from react_tck.fuzz.freeze import CannotFreeze
from react_tck.fuzz.gherkin import Untellable
from react_tck.model.report import Report
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import UnknownSubject, close, elsewhere, harness_name, resolve
from react_tck.subjects.config import FILE, ConfigError, is_config
from react_tck.suite.conformance import Exit
from react_tck.suite.features import FeatureError
from react_tck.suite.kill_matrix import KillMatrixError
from react_tck.suite.ledger import Unbalanced
from react_tck.suite.plugin import Listener
from react_tck.suite.registry import RegistryError, load_registry
from react_tck.suite.run import KitBroken, NothingSelected, Run
from react_tck.suite.selection import Selection
from react_tck.suite.workers import ParallelRun


class CannotWrite(Exception):
    """A file named by the user can't be written."""


class UnknownLanguage(ValueError):
    """There is no template for the language."""


_USAGE = (
    CannotFreeze,
    CannotWrite,
    ConfigError,
    NothingSelected,
    UnknownLanguage,
    UnknownSubject,
    UnreadableCase,
    Untellable,
)
_KIT = (KitBroken, Unbalanced, FeatureError, RegistryError, KillMatrixError)


def guarded(command: Callable[[], int]) -> int:
    """Run a command; the user's mistakes and the kit's bugs are told in a paragraph, not in a traceback."""
    try:
        return command()
    except _USAGE as error:
        return _tell("react-tck", error, Exit.USAGE)
    except HarnessBroken as error:
        return _tell("react-tck", error, Exit.HARNESS_BROKEN)
    except _KIT as error:
        return _tell("react-tck: this is a bug of the kit, not of the subject", error, Exit.KIT_BUG)


def subject_name(arguments: Namespace) -> str:
    """The subject the command line names, or the harness's command, or the configuration file there is.

    Raises:
        UnknownSubject: if there is none of them, or both of the first.
        ConfigError: if the configuration file can't be understood.
    """
    if arguments.harness and not arguments.subject and not getattr(arguments, "python", None):
        return harness_name(arguments.harness)
    name: str = arguments.subject or (FILE if Path(FILE).is_file() else "")
    if not name or arguments.harness:
        raise UnknownSubject(
            "Name one subject, such as `reference`, or give a harness's command after `--`, "
            f"or stand where a {FILE} is, such as `react-tck init` writes."
        )
    if python := getattr(arguments, "python", None):
        return elsewhere(name, python)
    if is_config(name):
        load(Path(name))
    return name


def selection(arguments: Namespace, subject_name: str = "") -> Selection:
    """The selection the options describe; the profile is the configuration file's unless they name one.

    Raises:
        NothingSelected: if there is no such profile, or the tag expression can't be read.
    """
    configured = load(Path(subject_name)).profile if is_config(subject_name) else None
    profile = arguments.profile or configured or Selection().profile
    profiles = [*load_registry().by_profile, "all"]
    if profile not in profiles:
        known = ", ".join(profiles)
        raise NothingSelected(f"There is no profile {profile!r}; the profiles are {known}.")
    _check_tags(arguments.tags or "")
    return Selection(profile=profile, tags=arguments.tags, title=arguments.title)


def _check_tags(expression: str) -> None:
    try:
        parse(expression)
    except TagExpressionError as error:
        raise NothingSelected(f"The tag expression {expression!r} can't be read: {error}") from error


def report(
    subject_name: str,
    chosen: Selection,
    seed: int,
    listener: Listener,
    transcripts: Path | None = None,
    processes: int = 1,
) -> Report:
    """The report of a run; the same report, however many processes share the work.

    Raises:
        UnknownSubject: if the name names no subject.
        NothingSelected: if no scenario is selected.
        KitBroken: if the kit fails.
    """
    # `python:module:factory` finds modules where the user stands, as `python -m` does.
    sys.path.insert(0, "")
    if processes > 1:
        return ParallelRun(subject_name, chosen, seed, processes, transcripts).report(listener)
    subject = resolve(subject_name)
    try:
        return Run(subject, subject_name, chosen, seed, transcripts).report(listener)
    finally:
        close(subject)


def write(report: Report, file: Path) -> None:
    """Write the report as JSON: the same report, the same bytes.

    Raises:
        CannotWrite: if the file can't be written.
    """
    write_text(file, f"{report.model_dump_json(indent=2)}\n")


def write_text(file: Path, text: str) -> None:
    """Write a file that the user has asked for.

    Raises:
        CannotWrite: if it can't be written.
    """
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotWrite(f"The report can't be written to {file}: {error.strerror}.") from error


def _tell(who: str, error: Exception, status: Exit) -> int:
    print(f"{who}: {error}", file=sys.stderr)
    return status
