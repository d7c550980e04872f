"""The pytest fixture `scripted_lm`, for the tests of agents; installed with the kit, it costs nothing until used."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # pytest loads this module in every run of everybody who has the kit installed
    from react_tck.fakes.server import LaneServer, ScriptedLane
    from react_tck.model.intent import Script

    ScriptedLM = Callable[..., ScriptedLane]


@pytest.fixture(scope="session")
def _scripted_lm_server() -> "Iterator[LaneServer]":
    from react_tck.fakes.server import LaneServer

    with LaneServer() as server:
        yield server


@pytest.fixture
def scripted_lm(_scripted_lm_server: "LaneServer") -> "Iterator[ScriptedLM]":
    """An OpenAI-compatible LM that says what a script says: `scripted_lm({"steps": [...], "answers": [...]})`.

    Give `base_url` and `api_key` of what it returns to the agent. The test fails at its end if a request was
    refused, broke the rules of the message protocol, or if something of the script was never asked for.
    """
    from react_tck.dialects import DIALECTS
    from react_tck.fakes.server import ScriptedLane
    from react_tck.model.intent import Script

    lanes: list[ScriptedLane] = []

    def make(script: "Script | Mapping[str, Any]", dialects: Iterable[str] = tuple(DIALECTS)) -> ScriptedLane:
        lane = ScriptedLane(_scripted_lm_server, Script.model_validate(script), dialects)
        lanes.append(lane)
        return lane

    yield make
    for lane in lanes:
        lane.close()
    complaints = [complaint for lane in lanes for complaint in lane.complaints]
    complaints += [f"no such endpoint: {method} {path}" for method, path in _scripted_lm_server.quarantine]
    _scripted_lm_server.quarantine.clear()
    if complaints:
        pytest.fail("scripted_lm:\n  " + "\n  ".join(complaints), pytrace=False)
