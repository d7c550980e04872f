"""`react-tck`: parses the command line and hands over to the command's module."""

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence

import react_tck

_SUBJECT = (
    "reference, dspy, udspy, mutant:NAME, cheater:NAME, python:package.module:factory; "
    "or, after --, the command line of a harness; or a react-tck.toml, by default the one here"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit status."""
    parser = _parser()
    own, harness = _split(sys.argv[1:] if argv is None else list(argv))
    arguments = parser.parse_args(own, argparse.Namespace(harness=harness))
    if arguments.command is None:
        parser.print_help()
        return 2
    command: Callable[[argparse.Namespace], int] = importlib.import_module(f"react_tck.cli.{arguments.command}").main
    try:
        return command(arguments)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        return 1


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Our own words, and the harness's command after `--`."""
    if "--" not in words:
        return words, []
    at = words.index("--")
    return words[:at], words[at + 1 :]


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
    _add_probe(commands)
    _add_prove(commands)
    _add_fuzz(commands)
    _add_replay(commands)
    _add_freeze(commands)
    _add_matrix(commands)
    _add_serve(commands)
    _add_check(commands)
    _add_play(commands)
    _add_harness(commands)
    _add_init(commands)
    _add_history(commands)
    return parser


_Commands = argparse._SubParsersAction  # argparse has no public name for it


def _add_run(commands: "_Commands[argparse.ArgumentParser]") -> None:
    run = commands.add_parser("run", help="run the scenarios against a subject and report")
    _add_subject(run)
    _add_selection(run)
    run.add_argument("--seed", type=int, default=0, metavar="N", help="derive other nonces (default 0)")
    run.add_argument(
        "-n", dest="processes", type=_count, default=1, metavar="N", help="share the work among N processes (default 1)"
    )
    run.add_argument("--transcript", metavar="DIR", help="keep every episode here, a JSONL file each")
    run.add_argument("--json", metavar="FILE", help="also write the report as JSON")


def _add_smoke(commands: "_Commands[argparse.ArgumentParser]") -> None:
    smoke = commands.add_parser("smoke", help="run the few scenarios that show whether a subject is connected")
    _add_subject(smoke)


def _add_list(commands: "_Commands[argparse.ArgumentParser]") -> None:
    listing = commands.add_parser("list", help="list the scenarios by requirement")
    _add_selection(listing)


def _add_explain(commands: "_Commands[argparse.ArgumentParser]") -> None:
    explain = commands.add_parser("explain", help="show a requirement, its source, scenarios and mutants")
    explain.add_argument("id", metavar="ID", help="such as LOOP-001")


def _add_probe(commands: "_Commands[argparse.ArgumentParser]") -> None:
    probe = commands.add_parser("probe", help="find out what a subject does where the sources leave a choice")
    _add_subject(probe)


def _add_prove(commands: "_Commands[argparse.ArgumentParser]") -> None:
    prove = commands.add_parser("prove", help="show that every scenario and sanitizer can fail: the kill matrix")
    prove.add_argument("--by", choices=("scenarios", "fuzz"), default="scenarios", help="who has to kill the mutants")
    prove.add_argument("--write", action="store_true", help="write the kill matrix into its file")


def _add_fuzz(commands: "_Commands[argparse.ArgumentParser]") -> None:
    fuzz = commands.add_parser("fuzz", help="search for violations with episodes nobody wrote")
    _add_subject(fuzz)
    amount = fuzz.add_mutually_exclusive_group()
    amount.add_argument("--examples", type=_positive, default=2000, metavar="N", help="how many (default 2000)")
    amount.add_argument("--seconds", type=_positive, metavar="S", help="for so long, instead")
    fuzz.add_argument("--seed", type=int, default=0, metavar="N", help="search other examples (default 0)")
    fuzz.add_argument("--target", choices=("loop", "parser", "both"), default="loop", help="what (default loop)")


def _add_replay(commands: "_Commands[argparse.ArgumentParser]") -> None:
    replay = commands.add_parser("replay", help="play a case that fuzz has kept, and judge it")
    _add_case(replay)
    _add_subject(replay)
    replay.usage = "react-tck replay [options] FILE SUBJECT | FILE -- COMMAND ..."


def _add_freeze(commands: "_Commands[argparse.ArgumentParser]") -> None:
    freeze = commands.add_parser("freeze", help="add a case that fuzz has kept to the features, as a scenario")
    _add_case(freeze)
    freeze.add_argument("--title", required=True, metavar="TEXT", help="what the scenario is called")
    freeze.add_argument(
        "--kills", metavar="MUTANT", help="the mutant it kills (default: those of its requirement that it does)"
    )


def _add_case(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="case-….json, as fuzz writes it")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError("a number from 1 on is wanted")
    return int(text)


def _add_matrix(commands: "_Commands[argparse.ArgumentParser]") -> None:
    matrix = commands.add_parser("matrix", help="run several subjects and compare them")
    matrix.add_argument(
        "subjects",
        metavar="SUBJECT",
        nargs="*",
        help="the first one's result is the exit status (default: all that are built in)",
    )
    matrix.add_argument("--out", metavar="DIR", help="write index.html and a report for each subject here")


def _add_check(commands: "_Commands[argparse.ArgumentParser]") -> None:
    check = commands.add_parser("check", help="check a harness's wire before any scenario")
    _add_subject(check)


def _add_play(commands: "_Commands[argparse.ArgumentParser]") -> None:
    play = commands.add_parser("play", help="play a requirement's scenarios with a harness under your debugger")
    play.usage = "react-tck play ID [-k TEXT] [-- COMMAND ...]"
    play.add_argument("id", metavar="ID", help="such as LOOP-001")
    play.add_argument("-k", dest="title", metavar="TEXT", help="only scenarios whose title contains this")


def _add_harness(commands: "_Commands[argparse.ArgumentParser]") -> None:
    harness = commands.add_parser("harness", help="serve a Python subject over the protocol, on stdin and stdout")
    harness.add_argument("subject", metavar="SUBJECT", help="reference, dspy, udspy, or python:package.module:factory")


def _add_init(commands: "_Commands[argparse.ArgumentParser]") -> None:
    init = commands.add_parser("init", help="write a working harness to start from")
    init.add_argument("language", metavar="LANGUAGE", help="python, node, go, rust, elixir or ruby")
    init.add_argument(
        "dir", metavar="DIR", nargs="?", default="react-tck-harness", help="write here (default react-tck-harness)"
    )


def _add_history(commands: "_Commands[argparse.ArgumentParser]") -> None:
    history = commands.add_parser("history", help="run several releases of a library and show what changed")
    history.add_argument("library", metavar="LIBRARY", help="dspy")
    history.add_argument("versions", metavar="VERSION", nargs="+", help="the last one's result is the exit status")


def _add_subject(parser: argparse.ArgumentParser) -> None:
    parser.usage = f"react-tck {parser.prog.split()[-1]} [options] SUBJECT | -- COMMAND ..."
    parser.add_argument("subject", metavar="SUBJECT", nargs="?", help=_SUBJECT)
    parser.add_argument("--python", metavar="FILE", help="with dspy or udspy: the interpreter whose library is tested")


def _add_serve(commands: "_Commands[argparse.ArgumentParser]") -> None:
    serve = commands.add_parser("serve", help="serve the scripted LM on its own, OpenAI-compatible")
    serve.add_argument("script", metavar="SCRIPT", help="a JSON file with steps, answers and, if you like, dialects")
    serve.add_argument("--port", type=_port, default=0, metavar="N", help="listen here (default: the system chooses)")
    serve.add_argument(
        "--stream-chunk", type=_size, default=16, metavar="N", help="characters a streamed event carries (default 16)"
    )
    serve.add_argument(
        "--hostile", action="store_true", help="stream as some providers do: comments, CRLF, no index, repeated ids"
    )


def _size(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("a size is a number from 1")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError("a number of processes is 1 or more")
    return int(text)


def _add_selection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", metavar="P", help="core (default), another profile, or all")
    parser.add_argument("--tags", metavar="EXPR", help="a tag expression, such as '@smoke and not @should'")
    parser.add_argument("-k", dest="title", metavar="TEXT", help="scenarios whose title contains this")


if __name__ == "__main__":
    sys.exit(main())
