"""What a harness sets that isn't the library's default is declared, told, and judged by no more than it can be."""

import re
from collections.abc import Mapping
from importlib.util import find_spec

import pytest

from react_tck.catalogue.manifests import find_manifest_problems
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Report, Verdict
from react_tck.reports.verdicts import describe_subject
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import BUILT_IN, REFERENCES, is_importable, resolve
from react_tck.subjects.libraries.deviations import DEVIATIONS
from react_tck.subjects.python import BuiltSubject
from tests.support.deviation_table import FINDINGS, render_table, with_table
from tests.support.library_settings import find_files, find_settings

#: The call or the attribute that a deviation begins with, if it does.
_SETTING = re.compile(r"[\w.]+(?:\(\w+=[^:]*\)|=[^:]*)(?=:)")
_LIBRARIES = [name for name in BUILT_IN if name not in REFERENCES]


def test_whatever_a_harness_sets_is_declared_and_nothing_else() -> None:
    for name in _LIBRARIES:
        found = {setting for file in find_files(name) for setting in find_settings(file.read_text(encoding="utf-8"))}
        declared = {match.group() for what in _list_deviations(name) if (match := _SETTING.match(what))}
        assert found == declared, name


def _list_deviations(name: str) -> set[str]:
    """Those of all releases: their adapter is one."""
    return {what for key, deviations in DEVIATIONS.items() if key.split()[0] == name for what in deviations} | (
        set(DEVIATIONS["dspy without engines"]) if name in ("dspy-v2", "machina") else set()
    )


def test_the_manifest_has_the_deviations_of_the_table() -> None:
    for name in _LIBRARIES:
        if is_importable(BUILT_IN[name][1]):
            assert resolve(name).initialize().deviations == DEVIATIONS[name]


def test_findings_have_the_deviations_of_all_harnesses_and_ports() -> None:
    text = FINDINGS.read_text(encoding="utf-8")
    assert with_table(text, render_table()) == text, "python -m tests.support.deviation_table"


def _play(deviations: Mapping[str, tuple[str, ...]]) -> Report:
    """The scenarios of ERR-012 against a reference whose harness deviates so."""
    reference = resolve("reference")
    manifest = reference.initialize().model_copy(update={"deviations": dict(deviations)})
    assert isinstance(reference, BuiltSubject)
    subject = BuiltSubject(manifest, reference._build)
    wanted = Selection(profile="robustness", title="down for good")
    return Run(subject, "reference", wanted, replays=False).report(Unheard())


needs_dspy = pytest.mark.skipif(find_spec("dspy") is None, reason="needs dspy")


@needs_dspy
def test_what_a_deviation_leaves_unjudged_is_unsupported() -> None:
    report = _play({"Client(retries=0): it asks once": ("ERR-012 [timeout]",), "and this": ()})

    rows = [row for each in report.requirements if each.id == "ERR-012" for row in each.scenarios]
    (left_out,) = (row for row in rows if row.verdict is Verdict.UNSUPPORTED)
    assert left_out.title.endswith("down for good [timeout]")
    assert left_out.message == "the harness can't judge it, for it deviates: Client(retries=0): it asks once"
    assert report.deviations == {"Client(retries=0): it asks once": ("ERR-012 [timeout]",), "and this": ()}


@needs_dspy
def test_the_head_of_a_report_tells_the_deviations() -> None:
    said = describe_subject(_play({"Client(retries=0): it asks once": ("ERR-012",), "Client(loud=True)": ()}))
    assert said[-2:] == [
        "the harness deviates from what users have: Client(retries=0): it asks once; not judged by that: ERR-012",
        "the harness deviates from what users have: Client(loud=True); nothing is left unjudged by that",
    ]


@needs_dspy
@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("ERR-999", "the deviation 'x' names 'ERR-999', and there is no such requirement"),
        ("SAN-002", "the deviation 'x' names SAN-002, which is judged in every episode and can't be left out"),
    ],
)
def test_a_deviation_that_names_what_cant_be_left_out(entry: str, problem: str) -> None:
    manifest = resolve("reference").initialize().model_copy(update={"deviations": {"x": (entry,)}})
    assert list(find_manifest_problems(manifest)) == [problem]
