"""`react-tck`: parses the command line and hands over to the command's module."""

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence

import react_tck

_SUBJECT = "reference, dspy, udspy, mutant:NAME, cheater:NAME, or python:package.module:factory"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help()
        return 2
    command: Callable[[argparse.Namespace], int] = importlib.import_module(
        f"react_tck.cli.{arguments.command}"
    ).main
    try:
        return command(arguments)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="react-tck",
        description="Says, requirement by requirement, whether a ReAct implementation does what the sources demand.",
        epilog="Exit status: 0 conformant, 1 not conformant, 2 usage, 3 harness broken, 5 kit bug.",
    )
    parser.add_argument("--version", action="version", version=f"react-tck {react_tck.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_run(commands)
    _add_smoke(commands)
    _add_list(commands)
    _add_explain(commands)
    _add_prove(commands)
    _add_matrix(commands)
    return parser


_Commands = argparse._SubParsersAction  # argparse has no public name for it


def _add_run(commands: "_Commands[argparse.ArgumentParser]") -> None:
    run = commands.add_parser(
        "run", help="run the scenarios against a subject and report", epilog=f"SUBJECT: {_SUBJECT}"
    )
    run.add_argument("subject", metavar="SUBJECT")
    _add_selection(run)
    run.add_argument("--seed", type=int, default=0, metavar="N", help="derive other nonces (default 0)")
    run.add_argument("--json", metavar="FILE", help="also write the report as JSON")


def _add_smoke(commands: "_Commands[argparse.ArgumentParser]") -> None:
    smoke = commands.add_parser(
        "smoke", help="run the few scenarios that show whether a subject is connected"
    )
    smoke.add_argument("subject", metavar="SUBJECT", help=_SUBJECT)


def _add_list(commands: "_Commands[argparse.ArgumentParser]") -> None:
    listing = commands.add_parser("list", help="list the scenarios by requirement")
    _add_selection(listing)


def _add_explain(commands: "_Commands[argparse.ArgumentParser]") -> None:
    explain = commands.add_parser("explain", help="show a requirement, its source, scenarios and mutants")
    explain.add_argument("id", metavar="ID", help="such as LOOP-001")


def _add_prove(commands: "_Commands[argparse.ArgumentParser]") -> None:
    commands.add_parser("prove", help="show that every scenario and sanitizer can fail: the kill matrix")


def _add_matrix(commands: "_Commands[argparse.ArgumentParser]") -> None:
    matrix = commands.add_parser("matrix", help="run several subjects and compare them")
    matrix.add_argument(
        "subjects", metavar="SUBJECT", nargs="+", help="the first one's result is the exit status"
    )
    matrix.add_argument("--out", metavar="DIR", help="write a report for each subject here")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile", default="core", metavar="P", help="core (default), another profile, or all"
    )
    parser.add_argument("--tags", metavar="EXPR", help="a tag expression, such as '@smoke and not @should'")
    parser.add_argument("-k", dest="title", metavar="TEXT", help="scenarios whose title contains this")


if __name__ == "__main__":
    sys.exit(main())
