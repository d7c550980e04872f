"""Who is asked what: the registry alone says so, and what judges see of anything else is held against nobody."""

import ast
import re
from pathlib import Path
from typing import get_args

import react_tck.judges
from react_tck.adapter.declare import Capability
from react_tck.catalogue.manifests import collect_asked_violations
from react_tck.catalogue.registry import load_registry
from react_tck.judges.table import collect_violations
from react_tck.model.intent import Finish
from react_tck.model.requirement import variants_of
from tests.support.hand_made import ADD, MANIFEST, TASK, evidence, extraction, ran, returned, step

ROWS = load_registry().requirements
ID = r"[A-Z]{3,4}-\d{3}"
#: Where judges read a capability all the same: it says how the agent goes about its task, and no requirement more.
READ = {"outputs.py", "requests.py", "truncation.py"}


def _why(asked_of: tuple[str, ...], unless: dict[str, str], *declared: Capability) -> str:
    row = load_registry().by_id["SAN-006"].model_copy(update={"asked_of": asked_of, "unless": unless})
    update = {"capabilities": declared, "choices": {"tool-error": "error"}}
    return MANIFEST.model_copy(update=update).find_exemption(row)


def test_an_agent_without_an_extraction_is_not_held_to_what_one_shows() -> None:
    """It was: EXT-001, a MUST, stood against agents that declare no `extraction`."""
    events = step(ADD), ran(), step(Finish(), f"{TASK} five"), extraction(text=f"{TASK} think"), returned()
    extracting = MANIFEST.model_copy(update={"capabilities": ("extraction",)})
    assert "EXT-001" in collect_violations(evidence(*events))
    assert "EXT-001" not in collect_asked_violations(evidence(*events))
    assert "EXT-001" in collect_asked_violations(evidence(*events, manifest=extracting))


def test_all_that_a_row_names_has_to_be_declared_and_no_variant_that_exempts() -> None:
    either = ("history", "arrow-signature, or class-signature")
    assert not _why(either, {"tool-error": "observe"}, "history", "class-signature")
    assert _why(either, {}, "class-signature") == "hand-made does not declare 'history'"
    assert _why(either, {}, "history") == "hand-made does not declare 'arrow-signature' or 'class-signature'"
    assert _why((), {"tool-error": "error"}) == "hand-made declares the choice 'tool-error' as 'error'"


def test_no_judge_decides_whom_a_requirement_is_asked_of() -> None:
    judges = Path(react_tck.judges.__file__).parent
    assert {path.name for path in judges.glob("*.py") if ".capabilities" in path.read_text("utf-8")} == READ


def test_what_a_judge_leaves_to_another_requirement_stands_in_the_registry() -> None:
    """SAN-011 said "every parameter of every tool", and left out three kinds of them, unsaid."""
    for path in sorted(Path(react_tck.judges.__file__).parent.glob("*.py")):
        source = path.read_text("utf-8")
        functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        texts = [str(ast.get_source_segment(source, function)) for function in functions]
        of_module = {*re.findall(rf'"({ID})"', source), *re.findall(rf'"""({ID}):', source)}
        for text in texts:
            own = {*re.findall(rf'"({ID})"', text), *re.findall(rf'"""({ID}):', text)} or of_module
            others = {id_ for line in text.split("\n") if _leaves_out(line) for id_ in re.findall(ID, line)} - of_module
            said = " ".join(f"{row.id} {row.sentence} {row.note}" for row in ROWS if row.id in own)
            assert {id_ for id_ in others if id_ not in said} == set(), f"{path.name}: {text[:60]}"


def _leaves_out(line: str) -> bool:
    return "affair" in line or re.search(rf"{ID}'s", line) is not None


def test_rows_name_capabilities_and_choices_that_there_are() -> None:
    assert {one for row in ROWS for each in row.asked_of for one in variants_of(each)} <= {*get_args(Capability)}
    chosen = [each for row in ROWS for each in row.unless.items()]
    assert all(load_registry().choices_by_name[name].allows_variant(variant) for name, variant in chosen)
