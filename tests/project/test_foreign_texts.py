"""Texts of others' have one reader, `react_tck/texts.py`; whoever reads JSON, TOML or YAML otherwise says why here."""

import ast
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
    "react_tck.cli.commands.init": OWN,
    "react_tck.cli.earlier_reports": "looks for the line of a value that the reader has read",
    "react_tck.demo": "is a subject",
    "react_tck.dialects.fields": BOUNDED,
    "react_tck.dialects.notations": BOUNDED,
    "react_tck.distribution": "reads what pip has written of the kit",
    "react_tck.fakes.conversation": OWN,
    "react_tck.fakes.server.lane": OWN,
    "react_tck.fakes.server.messages": BOUNDED,
    "react_tck.fakes.server.reading": BOUNDED,
    "react_tck.fakes.server.recorded": BOUNDED,
    "react_tck.fakes.server.secrets": BOUNDED,
    "react_tck.fakes.strategies.replies": OWN,
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


def test_whoever_reads_by_itself_says_why() -> None:
    found = {module.name for module in modules_of(ROOT) if reads_by_itself(module)}

    assert {name for name in found if not name.startswith((READER, *OF_SUBJECTS))} == MODULES.keys()


#: What a transcript may begin with.
EPISODES = ("", "{", DEEP, "{}", LONG)


@pytest.mark.parametrize("text", EPISODES)
def test_a_transcript_that_holds_no_episode_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / f"{_name_file('a case')}-1.jsonl").write_text(f"{text}\n", encoding="utf-8")

    with pytest.raises(CannotRead, match="begins with no episode that a run has written"):
        list(read_episodes(tmp_path, "a case"))
