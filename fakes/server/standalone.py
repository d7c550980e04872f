"""The scripted LM on its own, for agent developers' own tests: a lane with a script, and what to complain about."""

from collections.abc import Iterable

from react_tck.dialects import DIALECTS
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import ScriptedLM
from react_tck.fakes.server.server import LaneServer
from react_tck.model.intent import Script
from react_tck.model.lm import LMRequest

_CASE = "standalone"


class ScriptedLane:
    """An OpenAI-compatible endpoint that says what a script says."""

    def __init__(self, server: LaneServer, script: Script, dialects: Iterable[str] = tuple(DIALECTS)) -> None:
        self._journal = Journal()
        self._lm = ScriptedLM(script, dialects, self._journal)
        self._lane = server.open(self._lm.complete, {})
        #: What an OpenAI SDK takes as `base_url` and `api_key`.
        self.base_url = self._lane.base_url
        self.api_key = self._lane.api_key

    @property
    def requests(self) -> tuple[LMRequest, ...]:
        """What was asked, in order."""
        return tuple(asked.request for asked in self._journal.record(_CASE).requests)

    @property
    def complaints(self) -> tuple[str, ...]:
        """Requests that were refused, problems of the message protocol, and what of the script was never said."""
        asked = enumerate(self._journal.record(_CASE).requests, start=1)
        refused = [f"request {number} was refused: {one.refusal}" for number, one in asked if one.refusal]
        problems = [f"protocol problem: {problem}" for problem in self._lane.problems]
        left_over = [
            f"never asked for: {i.kind} {i.model_dump_json(exclude_defaults=True)}" for i in self._lm.left_over
        ]
        return (*refused, *problems, *left_over)

    def close(self) -> None:
        """Requests find nothing here from now on."""
        self._lane.close()
