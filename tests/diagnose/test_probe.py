"""`probe` finds by experiment what the manifests of real subjects say, and notices where one says otherwise."""

from typing import Any

import pytest

from react_tck.cli.main import main
from react_tck.diagnose.probe import probe_subject
from react_tck.subjects.catalogue import close_subject, resolve
from react_tck.subjects.libraries.reference import react as reference
from react_tck.subjects.libraries.reference.manifests import REACT

pytest.importorskip("dspy", reason="the reference needs the extra 'reference'")


def test_what_the_reference_declares_is_what_it_does() -> None:
    probed = probe_subject(reference.subject())
    assert list(probed.contradictions) == []
    assert probed.manifest.choices["tool-error"] == "observe"
    assert (probed.manifest.retries, probed.manifest.default_max_steps) == (1, 20)


@pytest.mark.parametrize(
    ("declared", "contradiction"),
    [
        ({"choices": {"tool-error": "error"}}, "tool-error is declared 'error', but was seen to be 'observe'"),
        ({"retries": 3}, "retries is declared 3, but was seen to be 1"),
        ({"default_max_steps": 10}, "default_max_steps is declared 10, but was seen to be 20"),
    ],
)
def test_what_is_declared_otherwise_is_named(declared: dict[str, Any], contradiction: str) -> None:
    manifest = REACT.model_copy(update=declared)
    assert contradiction in list(probe_subject(reference.subject(manifest=manifest)).contradictions)


def test_what_no_experiment_shows_stays_as_declared() -> None:
    manifest = REACT.model_copy(update={"choices": {"fallback": "extract"}})
    assert probe_subject(reference.subject(manifest=manifest)).manifest.choices["fallback"] == "extract"


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("dspy", "dspy"),
        ("udspy", "udspy"),
        ("langchain", "langchain"),
        ("langchain-classic", "langchain_classic"),
        ("pydantic-ai", "pydantic_ai"),
        ("smolagents", "smolagents"),
    ],
)
def test_a_built_in_subject_is_as_its_manifest_says(name: str, module: str) -> None:
    pytest.importorskip(module)
    subject = resolve(name)
    assert list(probe_subject(subject).contradictions) == []
    close_subject(subject)


def test_the_command_prints_the_manifest_to_paste(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "reference"]) == 0
    out = capsys.readouterr().out
    assert "max-steps-default        20" in out
    assert '"default_max_steps": 20' in out


def test_a_broken_harness_is_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "cheater:exit-0"]) == 3
    assert "SystemExit" in capsys.readouterr().err
