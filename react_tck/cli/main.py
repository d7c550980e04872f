"""`react-tck`: a group of commands, each in a module of its own, imported when the command is given."""

import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from difflib import get_close_matches
from pathlib import Path

import click
from click.shell_completion import CompletionItem

import react_tck
from react_tck.cli.attended import end_in_time, run_attended
from react_tck.cli.streams import Streams
from react_tck.collector import import_without_gc
from react_tck.processes.interruption import find_interrupt, raise_at_signals

#: Each has its module here; what it says stands here too, so that the group's help imports none of them.
COMMANDS: Mapping[str, str] = {
    "demo": "test a small agent with one bug, in seconds, and say what to type next",
    "run": "run the scenarios against a subject and report",
    "list": "list the scenarios by requirement, or the sentences they are written with",
    "explain": "show a requirement, a malformed form or a choice",
    "fuzz": "search for violations with episodes nobody wrote",
    "replay": "play a case that fuzz has kept, and judge it; or make it a scenario",
    "repro": "write a failure as a unit test in the port's own language",
    "matrix": "run several subjects or releases and compare them",
    "compare": "show what has changed from one report to another",
    "serve": "serve the scripted LM on its own, as providers do",
    "baseline": "write down which failures are accepted for now",
    "check": "check that a subject is connected, before any scenario; find out its choices",
    "play": "play a requirement's scenarios with a harness under your debugger",
    "harness": "serve a Python subject over the protocol, on stdin and stdout",
    "init": "write a working harness to start from",
}
#: Where that is now which had a command of its own.
_MOVED: Mapping[str, str] = {
    "smoke": "react-tck check SUBJECT",
    "probe": "react-tck check SUBJECT --choices",
    "sentences": "react-tck list --sentences",
    "freeze": "react-tck replay FILE --freeze TITLE",
    "prove": "python -m react_tck.prove",
    "history": "react-tck matrix NAME@VERSION NAME@VERSION",
}
#: Those that a guard attends to, and the seconds after an interrupt in which they say what has ended: few where the
#: subject is in their own process and may hold them up. A run has it in another (react_tck/processes/supervised.py).
_ATTENDED = dict.fromkeys(("check", "fuzz", "play", "replay", "repro"), 1.5)
_PROGRAM = "react-tck"
#: Of `results/exit_status.py`, which a command that is only asked for its help doesn't import.
_KIT_BUG = 5
_EPILOG = """\b
Exit status: 0 conformant, 1 not conformant, 2 usage, 3 harness broken,
4 stale baseline, 5 kit bug, 130 interrupted (129, 143: by SIGHUP, SIGTERM).
Completion: eval "$(_REACT_TCK_COMPLETE=bash_source react-tck)", or zsh_source;
in fish: _REACT_TCK_COMPLETE=fish_source react-tck | source
"""


class LazyGroup(click.Group):
    """Knows its commands by name, and imports the one that is given."""

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_without_gc(f"react_tck.cli.commands.{cmd_name}").command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is given, or the names that might be meant."""
        if args[0] in _MOVED and not ctx.resilient_parsing:
            ctx.fail(f"There is no command {args[0]!r} any more: it is `{_MOVED[args[0]]}`.")
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            near = get_close_matches(args[0], COMMANDS)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(COMMANDS)}."
            ctx.fail(f"There is no command {args[0]!r}. {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table above, not what each command's module would say."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and the group's own options."""
        named = [CompletionItem(name, help=said) for name, said in COMMANDS.items() if name.startswith(incomplete)]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]


@click.command(
    cls=LazyGroup,
    invoke_without_command=True,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
@click.version_option(react_tck.__version__, message="%(prog)s %(version)s")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Says, requirement by requirement, whether a ReAct implementation does what the sources demand."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        ctx.exit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, the one that this process was started with unless another is given; gives the exit status."""
    streams = Streams()

    def run_command() -> int:
        try:
            return streams.settle_status(_invoke_group(None if argv is None else list(argv)))
        except Exception:  # in the handler itself, which may find no folder to import from
            traceback.print_exc()
            return _KIT_BUG

    if argv is not None:
        return run_command()
    grace = _ATTENDED.get("".join(sys.argv[1:2]))
    status = run_command() if grace is None else run_attended(run_command, grace)
    end_in_time(status)
    return status


def _invoke_group(words: list[str] | None) -> int:
    try:
        with raise_at_signals() if words is None else nullcontext():
            _check_folder()
            status: int = group.main(words, prog_name=_PROGRAM, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, Exception) as error:
        # Whose mistake it is, is known by modules that a command which succeeds need not import.
        from react_tck.cli.mistakes import report_mistake

        return report_mistake(find_interrupt(error))
    return status


def _check_folder() -> None:
    try:
        Path.cwd()
    except OSError as error:
        # Some of the libraries ask for it when they are imported.
        raise click.UsageError(f"There is no folder to stand in: {error.strerror}.") from error


if __name__ == "__main__":
    sys.exit(main())
