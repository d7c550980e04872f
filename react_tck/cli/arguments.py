"""What commands share: SUBJECT (a name, a configuration file, a harness after `--`), `--profile`, `--tags`, `-k`."""

import io
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem
from cucumber_tag_expressions import TagExpressionError, parse

from react_tck.catalogue.kill_matrix import load_sentences
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.selection import NothingSelected, Selection
from react_tck.gate.lapses import GateRules
from react_tck.judges.verdict import shorten_text
from react_tck.reports.printing import print_text
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import (
    BUILT_IN,
    UnknownSubject,
    close_subject,
    harness_name,
    resolve,
    subject_name_elsewhere,
)
from react_tck.subjects.config import FILE, START_TIMEOUT, Config, ConfigError, is_config, keep_config, read_config
from react_tck.subjects.releases import install_release

#: What `-n` is given for as many processes as are of use.
AUTO = "auto"
#: More processes than any machine has use for.
_MOST_PROCESSES = 1024
#: The names that follow a prefix.
_NAMED: Mapping[str, Callable[[], Iterable[str]]] = {"mutant": load_sentences}


def complete_subject(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the subjects that are built in, mutants once their prefix stands there, else files."""
    kind, _colon, _name = incomplete.partition(":")
    known: Iterable[str] = BUILT_IN
    if kind in _NAMED:
        known = [f"{kind}:{name}" for name in _NAMED[kind]()]
    found = [CompletionItem(name) for name in known if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


class HarnessCommand(click.Command):
    """A command whose words after `--` are the command line of a harness: `harness` in its callback."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Our own words, up to the `--`."""
        at = args.index("--") if "--" in args else len(args)
        rest = super().parse_args(ctx, args[:at])
        ctx.params["harness"] = args[at + 1 :]
        return rest


class SubjectCommand(HarnessCommand):
    """A command about one subject: `subject` in its callback is the subject's name, however it was said."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        # Last among the arguments, as in `replay FILE SUBJECT`.
        self.params += [
            click.Argument(
                ["subject"], required=False, metavar="[SUBJECT | -- COMMAND ...]", shell_complete=complete_subject
            ),
            click.Option(
                ["--python"],
                type=click.Path(),
                metavar="FILE",
                help="the interpreter of your class's own environment, which needs nothing of the kit",
            ),
            click.Option(
                ["--start-timeout"],
                type=click.FloatRange(min=0, min_open=True),
                metavar="SECONDS",
                help="how long a harness, or --python's interpreter, may take to start; 60 by default",
            ),
        ]
        self.epilog = (
            f"SUBJECT is {', '.join(BUILT_IN)}, a release such as dspy@3.3.0, mutant:NAME "
            "or python:package.module:Class; "
            f"or, after --, the command line of a harness; or a {FILE}, by default the one here."
        )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the callback with the subject's name."""
        said = ctx.params
        if (limit := said.pop("start_timeout")) is not None:
            os.environ[START_TIMEOUT] = str(limit)  # all processes of the run start harnesses
        said["subject"] = subject_name(said["subject"], said.pop("python"), said.pop("harness"))
        return super().invoke(ctx)


def subject_name(name: str | None, python: str | None, harness: Sequence[str]) -> str:
    """Return the subject the command line names, or the harness's command, or the configuration file there is.

    Raises:
        UnknownSubject: if there is none of them, or both of the first.
        ConfigError: if the configuration file can't be understood.
        ReleaseMissing: if it is a release that can't be installed.
    """
    if harness and not name and not python:
        return harness_name(harness)
    name = name or (FILE if Path(FILE).is_file() else "")
    if not name or harness:
        raise UnknownSubject(
            "Name one subject, such as `reference`, or give a harness's command after `--`, "
            f"or stand where a {FILE} is, such as `react-tck init` writes."
        )
    if python:
        return subject_name_elsewhere(name, python)
    name = install_release(name, tell_installation)
    if is_config(name):
        keep_config(Path(name))
        load_config(Path(name))
    return name


def tell_installation(line: str) -> None:
    """Say what is installed, on standard error: it takes a while, and is no result."""
    print_text(line, sys.stderr)


def load_config(path: Path) -> Config:
    """Return what a `react-tck.toml` says, the names of profile, choices and variants known to the registry.

    Raises:
        ConfigError: if the file can't be read or understood, or names what there isn't.
    """
    config, registry = read_config(path), load_registry()
    profiles = (*registry.by_profile, "all")
    if config.profile not in (None, *profiles):
        known = ", ".join(profiles)
        raise ConfigError(f"{path}: [run] profile: there is no profile {config.profile!r}; there are {known}.")
    choices = registry.choices_by_name
    for name, variant in config.choices.items():
        if name not in choices:
            raise ConfigError(f"{path}: [choices] there is no choice {name!r}; there are {', '.join(choices)}.")
        if not choices[name].allows_variant(variant):
            known = ", ".join(repr(known) for known in choices[name].variants)
            raise ConfigError(f"{path}: [choices] {name} = {variant!r}; its variants are {known}.")
    areas = dict.fromkeys(requirement.area for requirement in registry.requirements)
    for area in config.require:
        if area not in areas:
            raise ConfigError(f"{path}: [gate] require: there is no area {area!r}; there are {', '.join(areas)}.")
    for what, ids in config.deviations.items():
        if unknown := [id_ for id_ in ids if id_.partition(" ")[0] not in registry.by_id]:
            raise ConfigError(f"{path}: [deviations] {what!r} names {unknown[0]!r}, and there is no such requirement.")
    return config


def gate_rules(subject_name: str) -> GateRules:
    """Return what a configuration file asks for beside the baseline; nothing where there is no such file.

    Raises:
        ConfigError: if the file can't be understood.
    """
    if not is_config(subject_name):
        return GateRules()
    config = load_config(Path(subject_name))
    return GateRules(config.is_strict, config.require, config.min_must, config.flaky, config.robustness)


def find_modules_here() -> None:
    """Have `python:module:Class` find modules where the user stands, as `python -m` does."""
    sys.path.insert(0, "")


@contextmanager
def open_subject(name: str) -> Iterator[Subject]:
    """Yield the subject of a name, let go of at the end.

    Raises:
        UnknownSubject: if the name names no subject.
        ConfigError: if the name is a configuration file's, and the file can't be understood.
    """
    find_modules_here()
    subject = resolve(name)
    try:
        yield subject
    finally:
        close_subject(subject)


@contextmanager
def silence_output() -> Iterator[None]:
    """Whatever a subject prints or logs in the meantime is dropped: it is no evidence, and there is much of it."""
    logging.disable(logging.CRITICAL)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.disable(logging.NOTSET)


#: For a debugger, which stops in this process only.
in_process_option = click.option(
    "--in-process",
    "is_in_process",
    is_flag=True,
    help="play the subject in this process, unsupervised: for a debugger",
)


def parse_process_count(said: str | None) -> int | None:
    """Return the number of processes that `-n` names; None where it isn't given.

    Raises:
        click.BadParameter: if it names none.
    """
    if said is None:
        return None
    if not said.isascii() or not said.isdigit() or not said.strip("0"):
        raise click.BadParameter(f"{said!r} is neither a number of processes, such as 4, nor {AUTO}")
    digits = said.lstrip("0")
    if len(digits) > len(str(_MOST_PROCESSES)) or int(digits) > _MOST_PROCESSES:
        raise click.BadParameter(f"{shorten_text(said)} is too many: {_MOST_PROCESSES} processes are the most")
    return int(digits)


def _parse_processes(_: click.Context, __: click.Parameter, said: str | None) -> int | None:
    return None if said == AUTO else parse_process_count(said)


#: Gives a command `-n`; its callback takes `processes`.
processes_option = click.option(
    "-n",
    "processes",
    callback=_parse_processes,
    metavar="N",
    help="share the work among N processes; auto (default): as many as there are processors, fewer for few scenarios",
)


def selection_options(callback: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options; its callback takes `profile`, `tags` and `title`."""
    options = (
        click.option(
            "--profile", metavar="P", shell_complete=_complete_profile, help="core (default), another profile, or all"
        ),
        click.option("--tags", metavar="EXPR", help="a tag expression, such as '@smoke and not @should'"),
        click.option("-k", "title", metavar="TEXT", help="scenarios whose title contains this, or that are of this id"),
    )
    for option in reversed(options):
        callback = option(callback)
    return callback


#: Gives a command `--features`; its callback takes `features`.
features_option = click.option(
    "--features",
    type=click.Path(path_type=Path, exists=True),
    metavar="DIR",
    help="play your own features, of this folder or file, in the place of the kit's",
)


def selection(
    profile: str | None, tags: str | None, title: str | None, subject_name: str = "", features: Path | None = None
) -> Selection:
    """Return the selection the options describe; the profile is the configuration file's unless they name one.

    A title is looked for in every profile, and own features are played whatever theirs.

    Raises:
        NothingSelected: if there is no such profile, or the tag expression can't be read.
    """
    configured = load_config(Path(subject_name)).profile if is_config(subject_name) else None
    profile = profile or ("all" if title or features else configured) or Selection().profile
    if profile not in _list_profiles():
        raise NothingSelected(f"There is no profile {profile!r}; the profiles are {', '.join(_list_profiles())}.")
    try:
        parse(tags or "")
    except TagExpressionError as error:
        raise NothingSelected(f"The tag expression {tags!r} can't be read: {error}") from error
    return Selection(profile=profile, tags=tags, title=title, features=features)


def _list_profiles() -> list[str]:
    return [*load_registry().by_profile, "all"]


def _complete_profile(*said: Any) -> list[CompletionItem]:
    incomplete: str = said[-1]
    return [CompletionItem(name) for name in _list_profiles() if name.startswith(incomplete)]
