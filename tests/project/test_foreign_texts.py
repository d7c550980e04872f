"""Texts of others' have one reader, `react_tck/texts.py`; whoever reads JSON, TOML or YAML otherwise says why here."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from react_tck.files import CannotRead
from react_tck.play.episode_log import _name_file, read_episodes
from tests.support.house import ROOT, Module, modules_of

READER = "react_tck.texts"
#: How values are made of texts.
CALLS = {
    "json.loads",
    "json.load",
    "json.JSONDecoder",
    "tomllib.loads",
    "tomllib.load",
    "yaml.load",
    "from_json",
}
#: What reads replies as the subjects do that are tested by them, faults included, or is one of those subjects.
OF_SUBJECTS = ("react_tck.reference", "react_tck.prove.mutants", "react_tck.subjects.libraries")
OWN = "reads what the kit itself has written"
BOUNDED = "has bounds of its own, in digits and in depth"
SENTENCE = "reads the words of a sentence"
MODULES = {
    "react_tck.adapter.serve": "needs the standard library alone; the other side is the kit",
    "react_tck.adapter.task": "needs the standard library alone; what it reads the kit has said",
    "react_tck.cli.commands.init": OWN,
    "react_tck.demo": "is a subject",
    "react_tck.dialects.fields": BOUNDED,
    "react_tck.dialects.notations": BOUNDED,
    "react_tck.distribution": "reads what pip has written of the kit",
    "react_tck.fakes.conversation": OWN,
    "react_tck.fakes.server.forms.messages": BOUNDED,
    "react_tck.fakes.server.forms.table": OWN,
    "react_tck.fakes.server.lane": OWN,
    "react_tck.fakes.server.reading": BOUNDED,
    "react_tck.fakes.server.recorded": BOUNDED,
    "react_tck.fakes.server.secrets": BOUNDED,
    "react_tck.fakes.strategies.replies": OWN,
    "react_tck.fuzz.witnesses": OWN,
    "react_tck.gate.flakes": OWN,
    "react_tck.record.difference": OWN,
    "react_tck.play.fresh_process": OWN,
    "react_tck.play.session": OWN,
    "react_tck.processes.worker": BOUNDED,
    "react_tck.record.places": BOUNDED,
    "react_tck.scripts": BOUNDED,
    "react_tck.steps.arrange": SENTENCE,
    "react_tck.steps.core.tool_runs": SENTENCE,
    "react_tck.steps.exact": SENTENCE,
    "react_tck.steps.language": SENTENCE,
    "react_tck.steps.phrases": SENTENCE,
    "react_tck.steps.transcript.history": SENTENCE,
    "react_tck.steps.transcript.parallel_calls": BOUNDED,
    "react_tck.steps.world": OWN,
    "react_tck.subjects.stdio.remote": OWN,
    "react_tck.subjects.stdio.rpc": BOUNDED,
    "react_tck.unit_tests.failures": OWN,
}
DEEP = "[" * 100_000
LONG = "9" * 5_000


def reads_by_itself(module: Module) -> bool:
    called = (ast.unparse(node.func) for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    return not CALLS.isdisjoint(called)


#: Files of others' have one reader and writer, `react_tck/files.py`; these open what is shipped, or a device.
SHIPPED = "reads what is shipped with the kit"
OPENED = {
    "react_tck.files": "is the reader",
    "react_tck.catalogue.kill_matrix": SHIPPED,
    "react_tck.catalogue.linter": SHIPPED,
    "react_tck.catalogue.registry": SHIPPED,
    "react_tck.cli.commands.init": SHIPPED,
    "react_tck.cli.commands.run": "appends to the summary of GitHub's job",
    "react_tck.distribution": SHIPPED,
    "react_tck.engine.run": "opens the null device",
    "react_tck.processes.guard": "reads what the system says of processes",
    "react_tck.processes.workers.cluster": "packs the folder of a port",
    "react_tck.reports.page.markup": SHIPPED,
    "react_tck.unit_tests.failures": SHIPPED,
}
#: Numbers have `read_number`; these are the system's, the scheduler's, the adapter's or a sentence's.
NUMBERS = {
    "react_tck.processes.guard",
    "react_tck.processes.workers.cluster",
    "react_tck.steps.arrange",
    "react_tck.steps.core.prediction",
    "react_tck.steps.robustness.parsing",
    "react_tck.subjects.adapted",
}
#: What is printed has one writer that escapes, `react_tck/reports/printing.py`; these print what nobody else has said.
PRINTING = {
    "react_tck.reports.printing": "is the writer",
    "react_tck.catalogue.linter": "is ours alone",
    "react_tck.cli.attended": "has imported nothing yet",
    "react_tck.examples.chat": "prints what a program of its reader's would",
    "react_tck.cli.commands.repro": "prints a program",
    "react_tck.cli.commands.serve": "prints a schema of the kit's",
    "react_tck.cli.main": "prints its help",
    "react_tck.cli.streams": "is what the writer writes on",
}


def calls_of(module: Module) -> list[ast.Call]:
    return [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]


def is_matched_number(call: ast.Call) -> bool:
    """Whether a part of a match, or what of a text is left, becomes a number of however many digits."""
    part = call.args[0] if call.args else None
    is_part = isinstance(part, ast.Subscript) or (isinstance(part, ast.Call) and "group" in ast.unparse(part.func))
    return ast.unparse(call.func) == "int" and is_part and len(call.args) == 1


def modules_that(does: Callable[[ast.Call], bool]) -> set[str]:
    own = (module for module in modules_of(ROOT) if not module.name.startswith(OF_SUBJECTS))
    return {module.name for module in own if any(map(does, calls_of(module)))}


def opens_file(call: ast.Call) -> bool:
    home, _, name = ast.unparse(call.func).rpartition(".")
    is_text = name in ("read_text", "read_bytes") and home not in ("", "installed")
    return is_text or (name == "open" and home not in ("os", "tarfile", "self._opener"))


def test_whoever_reads_by_itself_says_why() -> None:
    found = {module.name for module in modules_of(ROOT) if reads_by_itself(module)}

    assert {name for name in found if not name.startswith((READER, *OF_SUBJECTS))} == MODULES.keys()


def test_whoever_opens_a_file_says_why() -> None:
    assert modules_that(opens_file) == OPENED.keys()


def test_no_number_of_a_match_is_read_without_bounds() -> None:
    assert modules_that(is_matched_number) == NUMBERS


def test_whoever_prints_by_itself_says_why() -> None:
    assert modules_that(lambda call: ast.unparse(call.func) in ("print", "click.echo")) == PRINTING.keys()


#: What a transcript may begin with.
EPISODES = ("", "{", DEEP, "{}", LONG)


@pytest.mark.parametrize("text", EPISODES)
def test_a_transcript_that_holds_no_episode_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / f"{_name_file('a case')}-1.jsonl").write_text(f"{text}\n", encoding="utf-8")

    with pytest.raises(CannotRead, match="begins with no episode that a run has written"):
        list(read_episodes(tmp_path, "a case"))
