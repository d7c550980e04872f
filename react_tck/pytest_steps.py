"""The kit's sentences in somebody's pytest: `pytest_plugins = ["react_tck.pytest_steps"]` in a conftest.

Scenarios that `pytest_bdd.scenarios("my.feature")` binds are played against the subject of `--tck-subject`, or of
`tck_subject` in pytest's configuration. A test fails, is skipped or is an expected failure as its row is in a run.
"""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from react_tck.api.conformance import RowUnderTest
from react_tck.api.row_tests import Ending, RowTest
from react_tck.api.running import importable_elsewhere
from react_tck.catalogue.features import ScenarioRow, find_row, load_features
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.scenario_checks import find_wrong_tools
from react_tck.catalogue.selection import Selection
from react_tck.catalogue.sentences import step_modules
from react_tck.engine import plugin
from react_tck.engine.examiner import Examiner
from react_tck.engine.plugin import ROW_PLAY, RowPlay
from react_tck.engine.session import find_scenario, step_table
from react_tck.model.requirement import ID_PATTERN
from react_tck.subjects.adapted import subject_of
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import close_subject, resolve

#: Where a test keeps what is to be made of its row when it has ended, and what is printed of its failure.
_ROW_TEST = pytest.StashKey[RowTest]()
_FAILURE = pytest.StashKey[str]()
_NO_SUBJECT = "no subject is named: give --tck-subject NAME, or set tck_subject in pytest's configuration"


class _Tags:
    """Makes the requirement ids of other people's features marks that pytest knows."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(tryfirst=True)
    def pytest_bdd_apply_tag(self, tag: str) -> None:
        """Make a tag that is a requirement's id known to pytest as a marker; pytest-bdd then applies it."""
        if ID_PATTERN.fullmatch(tag):
            self._config.addinivalue_line("markers", f"{tag}: a requirement")


def pytest_configure(config: pytest.Config) -> None:
    """Bring in the step definitions, and the marks that the tags of features are."""
    for module in (plugin, *step_modules()):
        if not config.pluginmanager.is_registered(module):
            config.pluginmanager.register(module)
    config.pluginmanager.register(_Tags(config))
    stack = ExitStack()
    stack.enter_context(step_table().in_place())
    config.add_cleanup(stack.close)
    told = dict.fromkeys((tag for scenario in load_features() for tag in scenario.tags), "a tag of the kit's features")
    told |= {each.id: each.sentence for each in load_registry().requirements}
    for name, meaning in told.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


@pytest.fixture(scope="session")
def _tck_subjects() -> "Generator[Callable[[str], Subject]]":
    """Yield the subject of a name, the same one for all tests of the session."""
    made: dict[str, Subject] = {}

    def find_subject(name: str) -> Subject:
        if name not in made:
            made[name] = resolve(name)
        return made[name]

    yield find_subject
    for subject in made.values():
        close_subject(subject)


@pytest.fixture
def examiner(request: pytest.FixtureRequest, _tck_subjects: Callable[[str], Subject]) -> Generator[Examiner]:
    """Who examines the row of the test."""
    row = request.node.stash[ROW_PLAY].row
    if not row.requirement_id:
        place = f"{row.scenario.path}:{row.scenario.line}"
        pytest.fail(f"{place}: the scenario has no requirement id; give it one, like @ACME-001", pytrace=False)
    for line, wrong in find_wrong_tools(row.scenario) if row.scenario.is_own else ():
        pytest.fail(f"{row.scenario.path}:{line}: {wrong}", pytrace=False)
    if marker := request.node.get_closest_marker("react_tck"):
        under_test: RowUnderTest = marker.args[0]
        # One of this process is made anew for each row; one of another interpreter takes its time to start.
        here = None if under_test.subject is None else subject_of(under_test.subject)
        test = RowTest(row, here or _tck_subjects(under_test.name), under_test.name, accepted=under_test.accepted)
        request.node.stash[_ROW_TEST] = test
        yield test.make_examiner()
        if here:
            close_subject(here)
        return
    name = _name_of_subject(request.config)
    selection = Selection(features=_from_here(row.scenario.path) if row.scenario.is_own else None)
    test = request.node.stash[_ROW_TEST] = RowTest(row, _tck_subjects(name), name, selection)
    yield test.make_examiner()


def _from_here(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _name_of_subject(config: pytest.Config) -> str:
    name = str(config.getoption("--tck-subject") or config.getini("tck_subject"))
    if not name:
        pytest.fail(_NO_SUBJECT, pytrace=False)
    return name


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """End the test as its row has ended."""
    row = _row_of(pyfuncitem)
    if row is None:
        return (yield)
    play = pyfuncitem.stash[ROW_PLAY] = RowPlay(row)
    with importable_elsewhere():
        result = yield
        if play.examiner is not None:
            play.examiner.close()
    if test := pyfuncitem.stash.get(_ROW_TEST, None):
        _raise_ending(pyfuncitem, play, test.decide_ending())
    return result


def _raise_ending(item: pytest.Item, play: RowPlay, ending: Ending) -> None:
    __tracebackhide__ = True
    if ending.failure:
        item.stash[_FAILURE] = ending.failure
        if play.error is not None:
            raise play.error  # where a debugger stops in the sentence
        pytest.fail(ending.failure, pytrace=False)
    if ending.skipped:
        pytest.skip(ending.skipped)
    if ending.expected:
        pytest.xfail(ending.expected)


def _row_of(item: pytest.Item) -> ScenarioRow | None:
    """Return the row that a test plays, whoever bound it."""
    if marker := item.get_closest_marker("react_tck"):
        under_test: RowUnderTest = marker.args[0]
        return under_test.row
    if found := find_scenario(item):
        template, values = found
        return find_row(Path(template.feature.filename), template.line_number, values)
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print of a failure what a run would say of it, not how the kit came to it."""
    report = yield
    if report.failed and _FAILURE in item.stash:
        report.longrepr = item.stash[_FAILURE]
    return report
