"""`react-tck repro ID --as RUNNER [SUBJECT]`: a failure as a unit test in the port's own language."""

from pathlib import Path

import click

from react_tck.catalogue.manifests import manifest_of
from react_tck.cli.arguments import SubjectCommand, open_subject, silence_output
from react_tck.cli.mistakes import Mistake
from react_tck.files import check_writable, write
from react_tck.fuzz.findings import read_finding
from react_tck.results.exit_status import Exit
from react_tck.unit_tests.failures import RUNNERS, Agent, build_finding_test, build_requirement_test, write_test


@click.command(cls=SubjectCommand)
@click.argument("failure", metavar="ID")
@click.option("--as", "runner", required=True, type=click.Choice(RUNNERS), help="what is to run the test")
@click.option("-k", "title", metavar="TEXT", help="only scenarios whose title contains this")
@click.option("--agent", metavar="MODULE:FUNCTION", help="the function that builds the agent (default: a place for it)")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="write it here, not on standard output")
def command(failure: str, runner: str, title: str | None, agent: str | None, out: Path | None, subject: str) -> int:
    """Write a failure as a unit test that needs nothing of the kit.

    ID is a requirement's, such as LOOP-001, of which the first failure is taken that such a test can tell; or
    case-….json, as fuzz writes it.
    """
    builder = None if agent is None else _parse_agent(agent)
    if out:
        check_writable(out)
    with open_subject(subject) as failing, silence_output():
        manifest_of(failing)
        if failure.endswith(".json"):
            test = build_finding_test(failing, subject, read_finding(Path(failure)), Path(failure))
        else:
            test = build_requirement_test(failing, subject, failure.upper(), title)
    text = write_test(test, runner, builder)
    if out:
        write(out, text)
    else:
        print(text, end="")
    return Exit.CONFORMANT


def _parse_agent(word: str) -> Agent:
    """Return the agent that is meant.

    Raises:
        Mistake: if it isn't a module and a function.
    """
    module, _, function = word.rpartition(":")
    if not module or not function:
        raise Mistake(f"--agent {word}: write MODULE:FUNCTION, such as my_agent:build.")
    return Agent(module, function)
