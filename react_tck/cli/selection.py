"""`--profile`, `--tags` and `-k`: which scenarios a command is about."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem
from cucumber_tag_expressions import TagExpressionError, parse

from react_tck.cli.subject import load_config
from react_tck.subjects.config import is_config
from react_tck.suite.registry import load_registry
from react_tck.suite.run import NothingSelected
from react_tck.suite.selection import Selection


def selection_options(callback: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options; its callback takes `profile`, `tags` and `title`."""
    options = (
        click.option(
            "--profile", metavar="P", shell_complete=_complete, help="core (default), another profile, or all"
        ),
        click.option("--tags", metavar="EXPR", help="a tag expression, such as '@smoke and not @should'"),
        click.option("-k", "title", metavar="TEXT", help="scenarios whose title contains this"),
    )
    for option in reversed(options):
        callback = option(callback)
    return callback


def selection(profile: str | None, tags: str | None, title: str | None, subject_name: str = "") -> Selection:
    """The selection the options describe; the profile is the configuration file's unless they name one.

    Raises:
        NothingSelected: if there is no such profile, or the tag expression can't be read.
    """
    configured = load_config(Path(subject_name)).profile if is_config(subject_name) else None
    profile = profile or configured or Selection().profile
    if profile not in _profiles():
        raise NothingSelected(f"There is no profile {profile!r}; the profiles are {', '.join(_profiles())}.")
    try:
        parse(tags or "")
    except TagExpressionError as error:
        raise NothingSelected(f"The tag expression {tags!r} can't be read: {error}") from error
    return Selection(profile=profile, tags=tags, title=title)


def _profiles() -> list[str]:
    return [*load_registry().by_profile, "all"]


def _complete(*said: Any) -> list[CompletionItem]:
    incomplete: str = said[-1]
    return [CompletionItem(name) for name in _profiles() if name.startswith(incomplete)]
