"""What pytest has of the kit wherever that is installed: the fixture `scripted_lm` and `--tck-subject`.

It costs nothing until used.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import pytest

if TYPE_CHECKING:  # pytest loads this module in every run of everybody who has the kit installed
    from react_tck.fakes.server import CuedEndpoint, LaneServer, LMEndpoint
    from react_tck.model.cue import CueSheet
    from react_tck.model.intent import Script


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the subject that scenarios are played against."""
    group = parser.getgroup("react-tck")
    group.addoption("--tck-subject", metavar="SUBJECT", help="play the kit's scenarios against it: a name, as of `run`")
    parser.addini("tck_subject", "the subject unless --tck-subject names another", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Add the mark of the tests that `@react_tck.conformance` makes."""
    config.addinivalue_line("markers", "react_tck(row): plays a row of the kit's features")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Load what plays rows, and mark the test with its requirement and profile, if it is one of `conformance`."""
    if marker := item.get_closest_marker("react_tck"):
        item.config.pluginmanager.import_plugin("react_tck.pytest_steps")
        row = marker.args[0].row
        item.add_marker(row.requirement_id)
        item.add_marker(row.scenario.profile)


class ScriptedLM:
    """The fixture `scripted_lm`: called, it makes an LM that says what a test tells it to (docs/SCRIPTED_LM.md).

    At the end of the test it looks at what came of all that it has made.
    """

    def __init__(self, server: "LaneServer", monkeypatch: pytest.MonkeyPatch) -> None:
        self._server = server
        self._monkeypatch = monkeypatch
        self._made: list[LMEndpoint] = []
        self._told: list[str] = []

    @overload
    def __call__(self, *, environment: bool = False, checks: bool = True) -> "CuedEndpoint": ...
    @overload
    def __call__(
        self,
        script: "str | PathLike[str] | Script | CueSheet | Mapping[str, Any]",
        dialects: Iterable[str] | None = None,
        *,
        environment: bool = False,
        checks: bool = True,
    ) -> "LMEndpoint": ...
    def __call__(
        self,
        script: "str | PathLike[str] | Script | CueSheet | Mapping[str, Any] | None" = None,
        dialects: Iterable[str] | None = None,
        *,
        environment: bool = False,
        checks: bool = True,
    ) -> "LMEndpoint":
        """Return an endpoint that says what it is told to; or what a script says, a file of `react-tck serve` or its
        content.

        What was recorded is said again, to whoever asks the same.

        Without `checks`, no call is held against the tools that are offered.
        With `environment`, the variables of the providers' SDKs lead there until the test is over.

        Raises:
            NoScript: if it isn't one.
        """
        made = self._make_endpoint({"replies": []} if script is None else script, dialects, checks)
        self._made.append(made)
        for name, value in made.environment.items() if environment else ():
            self._monkeypatch.setenv(name, value)
        return made

    def _make_endpoint(self, script: Any, dialects: Iterable[str] | None, checks: bool) -> "LMEndpoint":
        from react_tck.dialects import DIALECTS
        from react_tck.fakes.server import CuedEndpoint, ScriptedEndpoint
        from react_tck.fakes.server.recorded import RecordedEndpoint
        from react_tck.model.cue import CueSheet
        from react_tck.model.intent import Script
        from react_tck.model.lm import Recording
        from react_tck.scripts import ServedScript, read_script, script_of

        if isinstance(script, str | PathLike):
            script = read_script(Path(script))
        elif not isinstance(script, CueSheet | Script):
            script = script_of(script)
        if isinstance(script, CueSheet):
            return CuedEndpoint(self._server, script.replies, checks)
        if isinstance(script, Recording):
            return RecordedEndpoint(self._server, script)
        known = script.dialects if isinstance(script, ServedScript) else tuple(DIALECTS)
        return ScriptedEndpoint(self._server, script, dialects or known)

    def take_complaints(self) -> str:
        """Return everything that was wrong and hasn't been told, a sentence a line."""
        found = [complaint for made in self._made for complaint in made.complaints]
        found += self._server.complaints.sentences
        self._server.complaints.clear()
        new = [each for each in found if each not in self._told]
        self._told += new
        return "scripted_lm: " + "\n  ".join(new) if new else ""

    def close(self) -> None:
        """Stop: requests find none of them from now on."""
        for made in self._made:
            made.close()


#: Where a test keeps the LMs that it has made.
_SCRIPTED_LM = pytest.StashKey[ScriptedLM]()
#: Whether the test itself was reached.
_IS_CALLED = pytest.StashKey[bool]()
#: What begins the complaint of an agent that asked for less than was to be said.
_LEFT_OVER = "scripted_lm: never asked for"


class ScriptedLMComplaint(Exception):
    """What the LM complains of, in front of what has come of it."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Let a test fail by what its LM complains of; one that fails shows it first, and at its end what was left over."""
    try:
        yield
    except (Exception, pytest.fail.Exception) as error:
        if complaints := _take_complaints(item):
            if complaints.startswith(_LEFT_OVER):
                error.add_note(complaints)
            else:
                chain: list[BaseException] = [error]
                for each in chain:  # as it grows
                    before = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
                    chain += [before] if before and before not in chain else []
                chain[-1].__cause__ = ScriptedLMComplaint(complaints)
        raise
    except BaseException:  # skipped, or interrupted
        _take_complaints(item)
        raise
    if complaints := _take_complaints(item):
        pytest.fail(complaints, pytrace=False)


def _take_complaints(item: pytest.Item) -> str:
    made = item.stash.get(_SCRIPTED_LM, None)
    item.stash[_IS_CALLED] = True
    return made.take_complaints() if made else ""


@pytest.fixture(scope="session")
def _scripted_lm_server() -> "Iterator[LaneServer]":
    from react_tck.fakes.server import LaneServer

    with LaneServer() as server:
        yield server


@pytest.fixture
def scripted_lm(
    request: pytest.FixtureRequest, _scripted_lm_server: "LaneServer", monkeypatch: pytest.MonkeyPatch
) -> "Iterator[ScriptedLM]":
    """Yield an LM that says what it is told to: `lm = scripted_lm(); lm.calls("add", a=2, b=3).says("5")`.

    It speaks as OpenAI's, Azure's and Anthropic's do. Give `lm.base_url` and `lm.api_key` to the agent. The test fails
    at its end if a request was refused, broke the rules of the message protocol, or if something that was to be said
    was never asked for. Given a file of `react-tck serve`, `scripted_lm("replies.yaml")`, or what stands in one, it
    says that. An agent that makes its own client finds the LM with `scripted_lm(environment=True)`.
    """
    made = request.node.stash[_SCRIPTED_LM] = ScriptedLM(_scripted_lm_server, monkeypatch)
    yield made
    made.close()
    if (complaints := made.take_complaints()) and _IS_CALLED in request.node.stash:
        pytest.fail(complaints, pytrace=False)
