"""The command line: what `--help` says of each command, and its options."""

import importlib
from collections.abc import Iterator

import click

from docs_site.markdown import fenced, page, prose, table
from react_tck.cli.main import COMMANDS
from react_tck.results.exit_status import Exit

_WIDTH = 100


def command_page() -> str:
    """Every command, in the order of `react-tck --help`, and the exit statuses."""
    blocks = (block for name in COMMANDS for block in _command(name))
    statuses = table(("status", "name"), ((str(each.value), each.name.lower().replace("_", " ")) for each in Exit))
    return page("Commands", *blocks, "## Exit statuses", statuses)


def _command(name: str) -> Iterator[str]:
    command: click.Command = importlib.import_module(f"react_tck.cli.commands.{name}").command
    context = click.Context(command, info_name=f"react-tck {name}", max_content_width=_WIDTH, terminal_width=_WIDTH)
    yield f"## {name}"
    yield fenced(command.get_usage(context).removeprefix("Usage: "), "console")
    yield _help(command)
    records = [each.get_help_record(context) for each in command.params if isinstance(each, click.Option)]
    if rows := [(f"`{record[0]}`", prose(record[1])) for record in records if record]:
        yield table(("option", ""), rows)


def _help(command: click.Command) -> str:
    """What it says of itself; a paragraph that keeps its lines is code here."""
    said = (command.help or "").partition("\f")[0]
    paragraphs = said.split("\n\n")
    return "\n\n".join(
        fenced(each.removeprefix("\b\n")) if each.startswith("\b") else prose(each) for each in paragraphs if each
    )
