"""Runs the suite against a subject and gives the report."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest

import react_tck
from react_tck import steps
from react_tck.model.manifest import Manifest
from react_tck.model.report import Cause, KitInfo, Report, SubjectInfo
from react_tck.play.episode_log import Keeper
from react_tck.subjects.api import Subject
from react_tck.suite.bdd import listed_once
from react_tck.suite.causes import Known, causes
from react_tck.suite.features import load_features
from react_tck.suite.kill_matrix import load_kill_matrix, load_sentences
from react_tck.suite.ledger import Results
from react_tck.suite.plugin import Listener, ScenarioPlugin
from react_tck.suite.registry import load_registry
from react_tck.suite.selection import NothingSelected, Selection

#: The module pytest collects.
_SCENARIOS = Path(__file__).with_name("scenarios.py")


class KitBroken(Exception):
    """The kit itself failed: a feature that can't be read, a step without definition, an unbalanced ledger."""


@dataclass(frozen=True)
class Run:
    """What is to be run."""

    subject: Subject
    subject_name: str
    selection: Selection = field(default_factory=Selection)
    seed: int = 0
    #: Where to keep the episodes, if anywhere.
    transcripts: Path | None = None
    #: Whether every episode is played again (SAN-009); not when a person plays the harness.
    replays: bool = True

    def report(self, listener: Listener) -> Report:
        """Run it.

        Raises:
            NothingSelected: if no scenario is selected.
            FeatureError: if a feature file can't be read.
            HarnessBroken: if the subject can't even say who it is.
            KitBroken: if the kit fails.
        """
        results = self.results(listener)
        return report_of(results, self.subject.initialize(), self.selection, self.seed)

    def results(self, listener: Listener) -> Results:
        """Run it; what went wrong in the kit itself is among the results.

        Raises:
            FeatureError: if a feature file can't be read.
            HarnessBroken: if the subject can't even say who it is.
            KitBroken: if a scenario belongs to no requirement.
        """
        check_features()
        self.subject.initialize()
        keeper = Keeper(self.transcripts) if self.transcripts else None
        plugin = ScenarioPlugin(
            self.subject, self.subject_name, self.selection, self.seed, listener, keeper, self.replays
        )
        _pytest(plugin)
        return plugin.results


def report_of(results: Results, manifest: Manifest, selection: Selection, seed: int) -> Report:
    """The report of what has ended.

    Raises:
        NothingSelected: if no scenario was selected.
        KitBroken: if the kit failed.
    """
    if results.kit_errors:
        raise KitBroken("\n".join(results.kit_errors))
    registry = selection.registry
    ledger = results.ledger(registry.by_profile["sanitizer"])
    if ledger.not_selected == ledger.registered:
        raise NothingSelected("No scenario fits the selection.")
    found = _causes(results)
    return Report(
        subject=SubjectInfo(name=manifest.name, version=manifest.version),
        kit=KitInfo(version=react_tck.__version__),
        seed=seed,
        profile=selection.profile,
        is_whole_profile=selection.is_whole_profile,
        revision=registry.revision,
        ledger=ledger,
        causes=found,
        requirements=tuple(results.requirements(registry, selection.profile, {cause.requirement for cause in found})),
        declared=dict(sorted(manifest.choices.items())),
        choices=results.choices,
    )


def _causes(results: Results) -> tuple[Cause, ...]:
    symptoms = tuple(results.symptoms())
    if not symptoms:
        return ()
    return causes(symptoms, Known(load_sentences(), load_kill_matrix()), results.played)


def check_features() -> None:
    """Hold the features against the registry, as far as a run needs it.

    Raises:
        FeatureError: if a feature file can't be read.
        KitBroken: if a scenario belongs to no requirement.
    """
    known = load_registry().by_id
    for scenario in load_features():
        if scenario.requirement_id not in known:
            place = f"{scenario.path}:{scenario.line}"
            raise KitBroken(f"{place}: the scenario is bound to no requirement of the registry; tag it with an id")


def _pytest(plugin: ScenarioPlugin) -> None:
    """Run pytest on the suite alone, whatever configuration, conftest files and plugins are around."""
    folder = str(_SCENARIOS.parent)
    definitions = [import_module(name) for name in modules_of(steps)]
    arguments = [
        *("-c", os.devnull, "--rootdir", folder, "--confcutdir", folder, "--noconftest"),
        *("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:logging", "-p", "no:doctest"),
        *("-p", "no:unraisableexception"),
        *("-p", "pytest_bdd.plugin", "--assert=plain", "--capture=sys", "-o", f"python_files={_SCENARIOS.name}"),
        str(_SCENARIOS),
    ]
    # What is imported by now stays: the collector needn't look at it again and again.
    gc.freeze()
    with _undisturbed(), listed_once():
        pytest.main(arguments, plugins=[plugin, *definitions])


def modules_of(package: ModuleType) -> list[str]:
    """The names of a package's modules, those in its folders too."""
    return [module.name for module in walk_packages(package.__path__, prefix=f"{package.__name__}.")]


@contextmanager
def _undisturbed() -> Iterator[None]:
    ours = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", "PYTEST_PLUGINS": ""}
    before = {name: os.environ.get(name) for name in ours}
    os.environ.update(ours)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value
