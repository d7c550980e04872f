"""CONTRIBUTING's recipes, each followed in a copy of the tree: what it promises is there at the end."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.documents import ROOT

pytest.importorskip("dspy", reason="needs the extra 'reference'")

KIT = "-m react_tck"
FIRST = "ReAct selects and executes a tool"


@dataclass(frozen=True)
class Recipe:
    """What is written where, and what can be done afterwards: a command, its status, and what it says."""

    #: New files.
    files: Mapping[str, str]
    #: Behind which line of which file something is put.
    lines: tuple[tuple[str, str, str], ...]
    promises: tuple[tuple[str, int, str], ...]


RECIPES: Mapping[str, Recipe] = {
    "Add a requirement": Recipe(
        {},
        (
            (
                "features/requirements.toml",
                'split_from = "LOOP-010"\n',
                '\n[[requirement]]\nid = "LOOP-013"\nprofile = "core"\n'
                'sentence = "A tool that is asked for twice runs twice."\nbasis = "practice"\nseverity = "minor"\n'
                'harm = "What the LM asked for is not done."\nsince = 3\n',
            ),
            (
                "features/core/loop.feature",
                "stops when the step predictor says so or the steps run out.\n",
                "\n  Rule: A tool that is asked for twice runs twice\n\n"
                "    @LOOP-013 @practice @since-3\n    Scenario: The agent adds twice\n"
                '      Given a ReAct over "question -> answer" with the tool "add"\n'
                '      And the LM calls "add" with {"a": 2, "b": 3}\n'
                '      And the LM calls "add" with {"a": 2, "b": 3}\n'
                '      And the LM finishes\n      And the LM answers {"answer": "5"}\n'
                '      When it is called with {"question": "2+3"}\n      Then the tool "add" ran 2 times\n',
            ),
        ),
        (
            (f"{KIT} explain LOOP-013", 0, "The agent adds twice"),
            (f"{KIT} run reference -k 'The agent adds twice'", 0, "1 row in "),
        ),
    ),
    "Add a mutant": Recipe(
        {},
        (
            (
                "react_tck/prove/mutants/core/loop.py",
                "MUTANTS = {\n",
                '    "run-again": mutant("LOOP-001", "Runs tools again.", perform=on(loop.RunTool, twice)),\n',
            ),
        ),
        ((f"{KIT} run mutant:run-again -k '{FIRST}'", 1, "LOOP-001"),),
    ),
    "Add a subject": Recipe(
        {"react_tck/subjects/libraries/tiny.py": (ROOT / "examples" / "own_agent.py").read_text(encoding="utf-8")},
        (
            (
                "react_tck/subjects/catalogue.py",
                "BUILT_IN = {\n",
                '    "tiny": ("react_tck.subjects.libraries.tiny:Mine", "click", "reference"),\n',
            ),
        ),
        ((f"{KIT} check tiny", 0, "tiny"),),
    ),
    "Add a dialect": Recipe(
        {
            "react_tck/dialects/arrow.py": (ROOT / "react_tck" / "dialects" / "label.py")
            .read_text(encoding="utf-8")
            .replace("LABEL", "ARROW")
            .replace('make_ask("label"', 'make_ask("arrow"')
            .replace("`field name: value` pair per line", "`field name -> value` per line")
            .replace("({labels}):", "({labels}) ->"),
        },
        (
            ("react_tck/dialects/__init__.py", "from react_tck.dialects import ", "arrow, "),
            ("react_tck/dialects/__init__.py", '    "label": label,\n', '    "arrow": arrow,\n'),
            ("react_tck/dialects/markup.py", 'LABEL = Markup("", ": ")\n', 'ARROW = Markup("", " -> ")\n'),
            ("react_tck/dialects/markup.py", "MARKUPS: Mapping[str, Markup] = {\n", '    "arrow": ARROW,\n'),
            ("fakes/corpus.py", "_TOKENS: Mapping[str, tuple[str, ...]] = {\n", '    "arrow": (" -> ", "answer"),\n'),
        ),
        (
            (f"{KIT} explain form:fenced", 0, "next_tool_name -> add"),
            ("-m pytest -p no:cacheprovider -k arrow tests/fuzz/test_parser.py", 0, "passed"),
        ),
    ),
    "Add a form of API": Recipe(
        {
            "fakes/server/forms/plain.py": '"""Chat under another path."""\n\n'
            "from react_tck.fakes.server.forms.chat import ChatCompletion, read_request\n\n"
            '__all__ = ["ChatCompletion", "read_request"]\n'
        },
        (
            ("fakes/server/forms/table.py", "    ollama,\n", "    plain,\n"),
            (
                "fakes/server/forms/table.py",
                "FORMS = {\n",
                '    "/plain": APIForm(plain.read_request, plain.ChatCompletion),\n',
            ),
        ),
        (("-c 'import react_tck.fakes.server.forms.table as t; print(t.no_route(str(), str()))'", 0, "POST /plain"),),
    ),
    "Add a choice": Recipe(
        {},
        (
            (
                "features/requirements.toml",
                'note = "Plain predict is a variant of the choice `extraction`."\n',
                '\n[[choice]]\nname = "greeting"\nvariants = ["polite", "none"]\n',
            ),
            (
                "react_tck/judges/choices/observers.py",
                "Observer = Callable[[Episode, Record], str | None]\n",
                "\n\ndef observe_greeting(_: Episode, record: Record) -> str | None:\n"
                '    """Does the agent greet the LM?"""\n'
                '    return "none" if record.requests else None\n\n\n',
            ),
            (
                "react_tck/judges/choices/observers.py",
                "OBSERVERS: dict[str, Observer] = {\n",
                '    "greeting": observe_greeting,\n',
            ),
        ),
        ((f"{KIT} explain choice:greeting", 0, "Does the agent greet the LM?"),),
    ),
    "Add a malformed form": Recipe(
        {},
        (
            ("react_tck/model/intent.py", "GarbledForm = Literal[\n", '    "shouted",\n'),
            (
                "fakes/malformed.py",
                '    "empty": lambda _: "",\n',
                '    "shouted": lambda draft: draft.text.upper(),\n',
            ),
            ("features/robustness/malformed.feature", "        | missing-field |\n", "        | shouted       |\n"),
        ),
        (
            (f"{KIT} explain form:shouted", 0, "NEXT_TOOL_NAME"),
            (f"{KIT} run reference -k 'The agent runs no tool on a step that it can'", 0, "4 rows in "),
            ("-m pytest -p no:cacheprovider tests/fakes/test_malformed.py", 0, "passed"),
        ),
    ),
    "Add a command": Recipe(
        {
            "react_tck/cli/commands/greet.py": '"""`react-tck greet`: says hello."""\n\nimport click\n\n\n'
            '@click.command()\ndef command() -> int:\n    """Say hello."""\n    click.echo("hello")\n    return 0\n'
        },
        (
            (
                "react_tck/cli/main.py",
                "COMMANDS: Mapping[str, str] = {\n",
                '    "greet": "say hello to all",\n',
            ),
        ),
        ((f"{KIT} greet", 0, "hello"), (f"{KIT} --help", 0, "say hello to all")),
    ),
    "Add a format": Recipe(
        {
            "react_tck/reports/formats/tally.py": '"""A number."""\n\nfrom react_tck.gate.gate import Gate\n\n\n'
            'def render_tally(gate: Gate) -> str:\n    """Return how many passed."""\n'
            '    return f"{gate.report.ledger.passed} passed\\n"\n'
        },
        (
            (
                "react_tck/reports/formats/__init__.py",
                "from react_tck.reports.formats.summary import render_summary\n",
                "from react_tck.reports.formats.tally import render_tally\n",
            ),
            (
                "react_tck/reports/formats/__init__.py",
                '    "junit": {"": render_junit},\n',
                '    "tally": {"": render_tally},\n',
            ),
        ),
        (
            (f"{KIT} run reference -k '{FIRST}' --report tally=/dev/stderr", 0, "1 passed"),
            ("-m pytest -p no:cacheprovider -k tally tests/reports/formats/test_hostile.py", 0, "passed"),
        ),
    ),
    "Add a judge": Recipe(
        {
            "react_tck/judges/haste.py": '"""Nobody may ask the LM."""\n\nfrom collections.abc import Iterator\n\n'
            "from react_tck.judges.verdict import Violation\nfrom react_tck.record.evidence import Scene\n\n\n"
            'def find_requests(scene: Scene) -> Iterator[Violation]:\n    """Yield every request."""\n'
            "    for asked in scene.record.requests:\n"
            '        yield Violation("no request", "one came", asked, "LOOP-006")\n'
        },
        (
            (
                "react_tck/judges/table.py",
                "from react_tck.judges.histories import find_forgotten_values\n",
                "from react_tck.judges.haste import find_requests\n",
            ),
            (
                "react_tck/judges/table.py",
                "JUDGES: tuple[Judge, ...] = (\n",
                '    CallJudge("haste", "departures", find_requests),\n',
            ),
        ),
        ((f"{KIT} run reference -k '{FIRST}'", 1, "one came"),),
    ),
}
#: What takes another language's tools, a whole site, an index or a network: each has tests of its own.
ELSEWHERE = {"Add a port", "Add a public report", "Add a document"}


@pytest.mark.parametrize(
    "heading",
    [
        name if name in ("Add a command", "Add a malformed form") else pytest.param(name, marks=pytest.mark.all)
        for name in RECIPES
    ],
)
def test_a_recipe_ends_with_what_it_promises(heading: str, tmp_path: Path) -> None:
    recipe = RECIPES[heading]
    tree = _copy_tree(tmp_path / "tree")
    for file, text in recipe.files.items():
        (tree / file).write_text(text, encoding="utf-8")
    for file, anchor, text in recipe.lines:
        _insert_behind(tree / file, anchor, text)
    for command, status, said in recipe.promises:
        ran = subprocess.run(
            f"{sys.executable} {command}",
            shell=True,
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree), "COLUMNS": "120"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, said in ran.stdout + ran.stderr) == (status, True), ran.stdout + ran.stderr


def test_each_recipe_is_followed() -> None:
    headings = re.findall(r"^## (Add .*)$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(headings) == RECIPES.keys() | ELSEWHERE


@pytest.mark.parametrize("heading", RECIPES)
def test_a_recipe_names_every_file_that_is_changed(heading: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    recipe = RECIPES[heading]
    text = text.replace("<profile>/<area>", "core/loop")
    for file in {*recipe.files, *(file for file, _, _ in recipe.lines)}:
        names = (file, file.removeprefix("react_tck/"), f"{Path(file).parent}/", Path(file).name)
        assert any(f"`{name}`" in text for name in names), file


def _copy_tree(tree: Path) -> Path:
    """Copy all that git tracks and has not been deleted, links as links."""
    named = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in named.splitlines():
        source, target = ROOT / name, tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink() or source.is_file():
            shutil.copy(source, target, follow_symlinks=False)
    return tree


def _insert_behind(file: Path, anchor: str, text: str) -> None:
    before, found, after = file.read_text(encoding="utf-8").partition(anchor)
    assert found, f"{file} has no {anchor!r}"
    file.write_text(f"{before}{found}{text}{after}", encoding="utf-8")
