"""`react-tck fuzz SUBJECT`: episodes nobody wrote."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from react_tck.cli import running
from react_tck.cli.fuzz_parser import fuzz_parser
from react_tck.cli.quiet import silenced
from react_tck.fuzz.budget import Budget
from react_tck.fuzz.findings import found_case, keep, kept_case
from react_tck.fuzz.loop.campaign import BrokenIn, Campaign
from react_tck.model.found import FoundCase
from react_tck.reports.fuzz import SearchProgress, conclusion, show_finding
from react_tck.subjects.api import HarnessBroken, Subject
from react_tck.subjects.catalogue import close, resolve
from react_tck.suite.conformance import Exit

#: What a shell calls a program that Ctrl-C ended; there is no verdict.
_INTERRUPTED = 130


def main(arguments: Namespace) -> int:
    """Fuzz, tell what is found, keep it."""
    return running.guarded(lambda: _fuzz(arguments))


def _fuzz(arguments: Namespace) -> int:
    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    name = running.subject_name(arguments)
    with _resolved(name) as subject:
        statuses = []
        if arguments.target != "parser":
            statuses.append(_campaign(subject, name, _budget(arguments), console))
        if arguments.target != "loop":
            statuses.append(_parser_campaign(subject, arguments, console))
    return max(statuses)


def _parser_campaign(subject: Subject, arguments: Namespace, console: Console) -> int:
    return fuzz_parser(subject, console, examples=arguments.examples, seconds=arguments.seconds, seed=arguments.seed)


def _budget(arguments: Namespace) -> Budget:
    return Budget(examples=arguments.examples, seconds=arguments.seconds, seed=arguments.seed)


@contextmanager
def _resolved(name: str) -> Iterator[Subject]:
    # `python:module:factory` finds modules where the user stands, as `python -m` does.
    sys.path.insert(0, "")
    subject = resolve(name)
    try:
        yield subject
    finally:
        close(subject)


def _campaign(subject: Subject, name: str, budget: Budget, console: Console) -> int:
    manifest = subject.initialize()
    kept: list[FoundCase] = []
    with console.status("") as status, silenced():
        campaign = Campaign(subject, budget, SearchProgress(status))
        try:
            for judgement in campaign.findings():
                case = found_case(manifest, judgement)
                _keep(case)
                kept.append(case)
                show_finding(console, judgement, case, name)
        except BrokenIn as error:
            case = kept_case(manifest, error.episode)
            _keep(case)
            raise HarnessBroken(f"{error}\nsee it again: react-tck replay {case.name}.json {name}") from error
    who = f"{manifest.name} {manifest.version}"
    console.print(conclusion(campaign.examples, kept, who, is_interrupted=campaign.is_interrupted))
    if kept:
        return Exit.NOT_CONFORMANT
    return _INTERRUPTED if campaign.is_interrupted else Exit.CONFORMANT


def _keep(case: FoundCase) -> None:
    try:
        keep(case, Path())
    except OSError as error:
        raise running.CannotWrite(f"{case.name}.json can't be written here: {error.strerror}.") from error
