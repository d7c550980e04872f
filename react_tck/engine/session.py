"""A session of pytest that collects rows of features and hands them over to be played."""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from importlib import import_module
from threading import Lock

import pytest
import pytest_bdd
import pytest_bdd.plugin as pytest_bdd_plugin
from pytest_bdd.parser import ScenarioTemplate, Step
from pytest_bdd.steps import StepFunctionContext

from react_tck.catalogue.feature_files import DEFAULT_ROOT
from react_tck.catalogue.features import ScenarioRow
from react_tck.catalogue.sentences import StepDefinitions, load_step_definitions, step_modules
from react_tck.engine import plugin
from react_tck.engine.examiner import Examiner
from react_tck.engine.plugin import ROW_PLAY, RowPlay

_SCENARIO = import_module("pytest_bdd.scenario")  # the package has a function of that name
_LOOKUP = "get_step_function"


class StepTable:
    """Step definitions, each found once by the type and the text of a step."""

    def __init__(self, definitions: StepDefinitions) -> None:
        self.find = cache(definitions.find_step)
        self._sessions = 0
        self._patch = pytest.MonkeyPatch()
        self._lock = Lock()

    @contextmanager
    def in_place(self) -> Iterator[bool]:
        """Have pytest-bdd ask the table first, until the last session that uses it ends; gives whether it does."""
        theirs: Callable[..., StepFunctionContext | None] | None = getattr(_SCENARIO, _LOOKUP, None)
        if theirs is None or tuple(inspect.signature(theirs).parameters) != ("request", "step"):
            yield False
            return

        def find_step_function(request: pytest.FixtureRequest, step: Step) -> StepFunctionContext | None:
            return self.find(step.type, step.name) or theirs(request=request, step=step)

        with self._lock:
            self._sessions += 1
            if self._sessions == 1:
                self._patch.setattr(_SCENARIO, _LOOKUP, find_step_function)
        try:
            yield True
        finally:
            with self._lock:
                self._sessions -= 1
                if self._sessions == 0:
                    self._patch.undo()


def find_scenario(item: pytest.Item) -> tuple[ScenarioTemplate, tuple[str, ...]] | None:
    """Return the scenario that a test of `pytest_bdd.scenarios` plays, with its examples' values, or None."""
    function = getattr(item, "obj", None)
    template = _SCENARIO.scenario_wrapper_template_registry.get(function) if inspect.isfunction(function) else None
    callspec = getattr(item, "callspec", None)
    values = callspec.params.get("_pytest_bdd_example", {}) if callspec else {}
    return template and (template, tuple(values.values()))


#: A user's configuration, conftest files and plugins are no affair of a run; nor are reports of pytest's own.
_WITHOUT = (
    *("terminal", "cacheprovider", "logging", "doctest", "unittest", "junitxml", "pastebin", "skipping", "setuponly"),
    *("setupplan", "stepwise", "warnings", "faulthandler", "unraisableexception", "threadexception", "debugging"),
    *("tmpdir", "monkeypatch", "recwarn", "legacypath", "subtests"),
)
_ARGUMENTS = (
    "-c",
    os.devnull,
    "--noconftest",
    "--assert=plain",
    "--capture=no",
    "--disable-plugin-autoload",
    *(f"-pno:{name}" for name in _WITHOUT),
)
#: Set by pytest for each test; a subject is to find the environment that it has anywhere else.
_CURRENT_TEST = "PYTEST_CURRENT_TEST"
#: What users tell their own pytest.
_SETTINGS = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")
#: Sessions of several threads, as of `matrix`, start one after the other: they change the environment for a moment.
_STARTING = Lock()


class CollectionFailed(Exception):
    """pytest couldn't collect the rows: a bug of the kit."""


class CollectedRows:
    """Rows that pytest has collected: its items, ready to be run in this process, or in one that is forked from it."""

    def __init__(self, items: Mapping[str, pytest.Item], rows: Mapping[str, ScenarioRow]) -> None:
        self._items = items
        self._rows = rows

    def play_rows(self, titles: Iterable[str], examiner: Examiner) -> None:
        """Play the rows of these titles, in the order of the features, and have them examined."""
        wanted = frozenset(titles)
        items = [(item, self._rows[title]) for title, item in self._items.items() if title in wanted]
        for number, (item, row) in enumerate(items):
            after = items[number + 1][0] if number + 1 < len(items) else None
            item.stash[ROW_PLAY] = RowPlay(row, examiner)
            examiner.begin_row(row)
            if examiner.leaves_out(row):
                continue
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            examiner.reduce_failure(row, partial(_play_again, item, row, examiner))
            if examiner.watch.is_damaged:
                break
        examiner.close()


def _play_again(item: pytest.Item, row: ScenarioRow, examiner: Examiner) -> None:
    """Play the row once more, by a test of its own: pytest runs each once."""
    another = pytest.Function.from_parent(item.session, name=item.name, callobj=bind_row(row))
    another.stash[ROW_PLAY] = RowPlay(row, examiner)
    another.ihook.pytest_runtest_protocol(item=another, nextitem=item)


class _RowsPlugin:
    """Collects the rows in the place of files, and has something else done in the place of running them at once."""

    def __init__(
        self, rows: Iterable[ScenarioRow], started: Callable[[], None], action: Callable[[CollectedRows], None]
    ) -> None:
        self._rows = {row.title: row for row in rows}
        self._started = started
        self._action = action
        self.error: BaseException | None = None
        #: Whether all that was to be done has been.
        self.is_done = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool:
        """Make one test of each row, instead of collecting files; True tells pytest that it is done."""
        self._started()
        for row in self._rows.values():
            if DEFAULT_ROOT not in row.scenario.path.parents:  # pytest-bdd reads the file when it is first bound
                bind_scenario(str(row.scenario.path), row.scenario.title)
        session.items = [
            pytest.Function.from_parent(session, name=title, callobj=bind_row(row)) for title, row in self._rows.items()
        ]
        session.testscollected = len(session.items)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Hand the rows over; what goes wrong is raised outside of pytest, which would print it."""
        items = dict(zip(self._rows, session.items, strict=True))
        os.environ.pop(_CURRENT_TEST, None)
        try:
            self._action(CollectedRows(items, self._rows))
        except BaseException as error:
            self.error = error
        self.is_done = True
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self) -> None:
        """Just before a row is played, remove the variable that pytest sets for each test."""
        os.environ.pop(_CURRENT_TEST, None)

    def pytest_bdd_apply_tag(self) -> bool:
        """Tags are the kit's to read: no marks are made of them."""
        return True

    def pytest_internalerror(self, excrepr: object) -> None:
        """Keep the internal error that stopped pytest, to be raised later, unless there is an earlier error."""
        self.error = self.error or CollectionFailed(str(excrepr))


def collect_rows(rows: Iterable[ScenarioRow], action: Callable[[CollectedRows], None]) -> None:
    """Collect the rows, and do something with them while the session lasts.

    Raises:
        CollectionFailed: if pytest stopped.
        Exception: what the action raises.
    """
    with step_table().in_place(), ExitStack() as start:
        start.enter_context(_without_settings())
        ours = _RowsPlugin(rows, start.close, action)
        try:
            pytest.main([*_ARGUMENTS], plugins=[pytest_bdd_plugin, plugin, *step_modules(), ours])
        except OSError:  # at its end it goes back to a folder that the subject may have deleted
            if not ours.is_done:
                raise
    if ours.error is not None:
        raise ours.error


def bind_row(row: ScenarioRow) -> Callable[[pytest.FixtureRequest], None]:
    """Return a test function that plays the row."""

    def test(request: pytest.FixtureRequest) -> None:
        bound = bind_scenario(str(row.scenario.path), row.scenario.title)
        bound(request, dict(row.row.values))

    return test


@cache
def bind_scenario(path: str, title: str) -> Callable[[pytest.FixtureRequest, dict[str, str]], object]:
    """Return the function of pytest-bdd that plays a scenario with the values of a line of examples."""

    @pytest_bdd.scenario(path, title, features_base_dir="")
    def test() -> None:
        """Do nothing more: the decorator has pytest-bdd play the scenario."""

    return test


@cache
def step_table() -> StepTable:
    """Return the kit's step definitions: one table for all runs of a process, and of those forked from it."""
    return StepTable(load_step_definitions())


@contextmanager
def _without_settings() -> Iterator[None]:
    """Leave out what users set for their own pytest."""
    with _STARTING:
        before = {name: value for name in _SETTINGS if (value := os.environ.pop(name, None)) is not None}
        try:
            yield
        finally:
            os.environ.update(before)
