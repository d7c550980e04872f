"""`check --choices` tells what the rows of a run show of each choice, and notices where a manifest says otherwise."""

from typing import Any

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.diagnose.capabilities import ObservedChoices
from react_tck.engine.run import Run
from react_tck.model.manifest import Manifest
from react_tck.model.report import Verdict
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import close_subject, resolve
from tests.support.subject_checks import Declaring

pytest.importorskip("dspy", reason="the reference needs the extra 'reference'")

SEEN = {
    "tool-error": {"observe"},
    "malformed-reply": {"retries 1, then observe"},
    "max-steps-default": {"20"},
    "repeated-field": {"last in chat", "last in json"},
    "step-adapter": {"chat only"},
}


def observed(**declared: Any) -> ObservedChoices:
    """What is seen of somebody who declares this."""
    manifest = Manifest(name="n", version="1", dialects=("chat",), default_dialect="chat", default_max_steps=20)
    return ObservedChoices(manifest.model_copy(update={"retries": 1, **declared}), SEEN)


@pytest.mark.parametrize(
    ("declared", "contradiction", "line"),
    [
        (
            {"choices": {"tool-error": "error"}},
            "tool-error is declared 'error', but was seen to be 'observe'",
            'tool-error = "observe"',
        ),
        (
            {"choices": {"repeated-field": "first, or last in chat"}},
            "repeated-field is declared 'first, or last in chat', but was seen to be 'last in chat, or last in json'",
            'repeated-field = "last in chat, or last in json"',
        ),
        ({"retries": 3}, "retries is declared 3, but was seen to be 1", "retries = 1"),
        (
            {"default_max_steps": 10},
            "default_max_steps is declared 10, but was seen to be 20",
            "default_max_steps = 20",
        ),
    ],
)
def test_what_is_declared_otherwise_is_named_with_its_line(
    declared: dict[str, Any], contradiction: str, line: str
) -> None:
    assert [(each.sentence, each.line) for each in observed(**declared).contradictions] == [(contradiction, line)]


def test_written_is_what_was_seen_and_the_sources_allow() -> None:
    assert observed().choices == {
        "malformed-reply": "retries 1, then observe",
        "repeated-field": "last in chat, or last in json",
        "tool-error": "observe",
    }


@pytest.mark.parametrize(
    ("declared", "written"),
    [("last", "last"), ("last in json, or last in chat", "last in json, or last in chat"), ("last, or first", None)],
)
def test_a_declaration_stays_that_says_what_was_seen(declared: str, written: str | None) -> None:
    found = observed(choices={"repeated-field": declared})
    assert list(found.contradictions) == []
    assert found.choices["repeated-field"] == (written or "last in chat, or last in json")


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("reference", "dspy"),
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
    some = Selection(profile="all", title="as it declares")
    seen = Run(subject, name, some, replays=False).collect_results(Unheard()).observed
    assert len(seen) > 5
    assert list(ObservedChoices(subject.initialize(), seen).contradictions) == []
    close_subject(subject)


#: What the LM says can't be read, and a choice says what comes of it.
WRONG = Selection(profile="all", tags="@ERR-019 or @ERR-020")


@pytest.mark.parametrize(
    ("name", "module"), [("reference", "dspy"), ("mutant:malformed-reply-extracts", "dspy"), ("langchain", "langchain")]
)
def test_what_is_written_contradicts_nothing_that_is_played_again(name: str, module: str) -> None:
    pytest.importorskip(module)
    subject = resolve(name)
    own = subject.initialize()
    silent = Declaring(subject, own.model_copy(update={"choices": {}}))
    seen = Run(silent, name, WRONG, replays=False).collect_results(Unheard()).observed
    written = Declaring(subject, own.model_copy(update={"choices": ObservedChoices(silent.manifest, seen).choices}))
    assert list(ObservedChoices(written.manifest, seen).contradictions) == []
    assert find_unmet(written, name) <= find_unmet(subject, name)
    close_subject(subject)


def find_unmet(subject: Any, name: str) -> set[str]:
    """The requirements that are not met where the LM says what is wrong."""
    report = Run(subject, name, WRONG, replays=False).report(Unheard())
    return {result.id for result in report.requirements if result.verdict is Verdict.FAILED}


def test_the_command_prints_the_manifest_to_paste(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--choices", "python:examples.own_agent:Mine"]) == 0
    out = capsys.readouterr().out
    assert "max-steps-default        10" in out
    assert "malformed-reply          retries 0, then error, or retries 0, then observe" in out
    assert '"default_max_steps": 10' in out
