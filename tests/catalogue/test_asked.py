"""Who is asked what: the registry alone says so, and what judges see of anything else is held against nobody."""

import ast
from pathlib import Path

import pytest

import react_tck.judges
from react_tck.catalogue.manifests import collect_asked_violations
from react_tck.catalogue.registry import load_registry
from react_tck.judges.table import collect_violations
from react_tck.model.intent import Finish
from react_tck.model.manifest import Capability
from react_tck.model.requirement import Requirement
from tests.support.hand_made import ADD, MANIFEST, TASK, evidence, extraction, ran, returned, step

BARE = load_registry().by_id["SAN-006"]


def _why(asked_of: tuple[str, ...], unless: dict[str, str], *declared: Capability) -> str:
    row: Requirement = BARE.model_copy(update={"asked_of": asked_of, "unless": unless})
    manifest = MANIFEST.model_copy(update={"capabilities": declared, "choices": {"tool-error": "error"}})
    return manifest.find_exemption(row)


def test_an_agent_without_an_extraction_is_not_held_to_what_one_shows() -> None:
    """It was: EXT-001, a MUST, stood against agents that declare no `extraction`."""
    events = step(ADD), ran(), step(Finish(), f"{TASK} five"), extraction(text=f"{TASK} think"), returned()
    assert "EXT-001" in collect_violations(evidence(*events))
    assert "EXT-001" not in collect_asked_violations(evidence(*events))
    extracting = MANIFEST.model_copy(update={"capabilities": ("extraction",)})
    assert "EXT-001" in collect_asked_violations(evidence(*events, manifest=extracting))


def test_all_that_a_row_names_has_to_be_declared(subtests: pytest.Subtests) -> None:
    either = ("history", "arrow-signature, or class-signature")
    cases: list[tuple[tuple[Capability, ...], str]] = [
        (("history", "class-signature"), ""),
        (("class-signature",), "hand-made does not declare 'history'"),
        (("history",), "hand-made does not declare 'arrow-signature' or 'class-signature'"),
    ]
    for declared, why in cases:
        with subtests.test(declared=declared):
            assert _why(either, {}, *declared) == why


def test_a_choice_exempts_who_declares_that_variant_alone() -> None:
    assert _why((), {"tool-error": "error"}) == "hand-made declares the choice 'tool-error' as 'error'"
    assert not _why((), {"tool-error": "observe"})
    assert not _why((), {"unknown-tool": "error"})


#: Where judges read a capability all the same: it says how the agent goes about its task, and no requirement more.
_READ = {
    "outputs.py": "whether the last step or the extraction gives the answer",
    "requests.py": "whether a call that a person responded to goes on, or begins anew",
    "truncation.py": "whether a prompt is made to fit at all, which costs requests",
}


def test_no_judge_decides_whom_a_requirement_is_asked_of() -> None:
    judges = Path(react_tck.judges.__file__).parent
    reading = {path.name for path in judges.glob("*.py") if _reads_capabilities(path)}
    assert reading == _READ.keys()


def _reads_capabilities(path: Path) -> bool:
    read = (node.attr for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Attribute))
    return "capabilities" in read
