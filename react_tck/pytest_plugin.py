"""The pytest fixture `scripted_lm`, for the tests of agents; installed with the kit, it costs nothing until used."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, overload

import pytest

if TYPE_CHECKING:  # pytest loads this module in every run of everybody who has the kit installed
    from react_tck.fakes.server import CuedEndpoint, LaneServer, LMEndpoint, ScriptedEndpoint
    from react_tck.model.intent import Script


class ScriptedLMs:
    """Makes the endpoints of a test, and looks at its end at what came of them."""

    def __init__(self, server: "LaneServer") -> None:
        self._server = server
        self._made: list[LMEndpoint] = []

    @overload
    def __call__(self) -> "CuedEndpoint": ...
    @overload
    def __call__(
        self, script: "Script | Mapping[str, Any]", dialects: Iterable[str] | None = None
    ) -> "ScriptedEndpoint": ...
    def __call__(
        self, script: "Script | Mapping[str, Any] | None" = None, dialects: Iterable[str] | None = None
    ) -> "LMEndpoint":
        """An endpoint that says what it is told to; or what a script of steps and answers means, in these dialects."""
        from react_tck.dialects import DIALECTS
        from react_tck.fakes.server import CuedEndpoint, ScriptedEndpoint
        from react_tck.model.intent import Script

        if script is None:
            made: LMEndpoint = CuedEndpoint(self._server)
        else:
            made = ScriptedEndpoint(self._server, Script.model_validate(script), dialects or tuple(DIALECTS))
        self._made.append(made)
        return made

    def close(self) -> list[str]:
        """Everything that was wrong, a sentence each."""
        for made in self._made:
            made.close()
        complaints = [complaint for made in self._made for complaint in made.complaints]
        complaints += [f"no such endpoint: {method} {path}" for method, path in self._server.quarantine]
        self._server.quarantine.clear()
        return complaints


@pytest.fixture(scope="session")
def _scripted_lm_server() -> "Iterator[LaneServer]":
    from react_tck.fakes.server import LaneServer

    with LaneServer() as server:
        yield server


@pytest.fixture
def scripted_lm(_scripted_lm_server: "LaneServer") -> "Iterator[ScriptedLMs]":
    """An OpenAI-compatible LM that says what it is told to: `lm = scripted_lm(); lm.calls("add", a=2, b=3).says("5")`.

    Give `lm.base_url` and `lm.api_key` to the agent. The test fails at its end if a request was refused, broke the
    rules of the message protocol, or if something that was to be said was never asked for. Given a script of steps
    and answers, `scripted_lm({"steps": [...], "answers": [...]})`, it says them in the dialect of each request.
    """
    made = ScriptedLMs(_scripted_lm_server)
    yield made
    if complaints := made.close():
        pytest.fail("scripted_lm:\n  " + "\n  ".join(complaints), pytrace=False)
