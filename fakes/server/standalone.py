"""An LM on the server without a case around it: an endpoint that speaks as providers do, for the tests of agents."""

import math
import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Protocol

from react_tck.adapter.lm import LMRefusal
from react_tck.dialects import DIALECTS
from react_tck.fakes.journal import Complaints, Journal
from react_tck.fakes.lm import EpisodeLM
from react_tck.fakes.server.secrets import hide_in_headers
from react_tck.fakes.server.server import LaneServer
from react_tck.model.base import Value
from react_tck.model.intent import Script
from react_tck.model.lm import Completion, LMRequest

_CASE = "standalone"
#: Characters shown of what was asked.
_SHOWN = 300
#: Frames shown of a traceback, those nearest to the error.
_FRAMES = -8


class JournalledLM(Protocol):
    """An LM that answers by a plan."""

    def complete(self, request: LMRequest) -> Completion:
        """Return the reply. Raises LMRefusal or LMFault."""

    @property
    def left_over(self) -> Iterable[Value]:
        """What of the plan was never said."""


class LMEndpoint(ABC):
    """Where an LM is asked, what it was asked, and what was wrong with that."""

    def __init__(self, base_url: str, api_key: str) -> None:
        #: What an OpenAI SDK takes as `base_url` and `api_key`.
        self.base_url = base_url
        self.api_key = api_key
        #: What Anthropic's SDK takes as `base_url`, Google's too, Azure's as `azure_endpoint`, Ollama's as `host`.
        self.root_url = base_url.removesuffix("/v1")

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which the providers' SDKs find it, for the environment of a process."""
        return {
            "OPENAI_BASE_URL": self.base_url,
            "OPENAI_API_KEY": self.api_key,
            "ANTHROPIC_BASE_URL": self.root_url,
            "ANTHROPIC_API_KEY": self.api_key,
            "GOOGLE_GEMINI_BASE_URL": self.root_url,
            "GOOGLE_API_KEY": self.api_key,
            "OLLAMA_HOST": self.root_url,
        }

    @property
    @abstractmethod
    def requests(self) -> tuple[LMRequest, ...]:
        """What was asked, in order, as it was understood."""

    @property
    @abstractmethod
    def bodies(self) -> tuple[bytes, ...]:
        """What was sent, byte for byte, what couldn't be understood too."""

    @property
    @abstractmethod
    def headers(self) -> tuple[Mapping[str, str], ...]:
        """The headers of each of `bodies`, by their names in small letters.

        The value of one that is secret, as `authorization` is, reads `***`, unless it is this endpoint's own key.
        """

    @property
    @abstractmethod
    def complaints(self) -> tuple[str, ...]:
        """What a test fails with."""

    @abstractmethod
    def close(self) -> None:
        """Stop: requests find nothing here from now on."""

    def assert_asked(self, text: str) -> None:
        """Hold that some request had this text in it.

        Raises:
            AssertionError: if none had; it shows what was asked last.
        """
        asked = [request.text for request in self.requests]
        if not any(text in each for each in asked):
            shown = f"; the last one reads\n{asked[-1][-_SHOWN:]}" if asked else ""
            raise AssertionError(f"none of {len(asked)} requests has {text!r} in it{shown}")


class LaneEndpoint(LMEndpoint):
    """An LM that answers by a plan, on a lane of the server."""

    def __init__(self, server: LaneServer, journal: Journal, lm: JournalledLM) -> None:
        self._journal = journal
        self._lm = lm
        #: How many requests were understood.
        self.asked = 0
        self._refusals = Complaints()
        self._lane = server.open_lane(self._complete, {}, keep_latest=journal.keep_latest)
        super().__init__(self._lane.base_url, self._lane.api_key)

    @property
    def requests(self) -> tuple[LMRequest, ...]:
        """What was asked, in order, as it was understood; of very many, the latest."""
        return tuple(asked.request for asked in self._journal.read_record(_CASE).requests)

    @property
    def bodies(self) -> tuple[bytes, ...]:
        """What was sent, byte for byte, what couldn't be understood too."""
        return tuple(request.body for request in self._lane.arrived_requests)

    @property
    def headers(self) -> tuple[Mapping[str, str], ...]:
        """The headers of each of `bodies`, by their names in small letters; secrets but its own key are `***`."""
        return tuple(
            hide_in_headers(
                [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers], self.api_key
            )
            for request in self._lane.arrived_requests
        )

    @property
    def complaints(self) -> tuple[str, ...]:
        """Requests that were refused, problems of the message protocol, and what of the script was never said."""
        problems = [f"protocol problem: {problem}" for problem in self._lane.problems]
        left_over = [
            f"never asked for: {getattr(each, 'kind', 'reply')} {each.model_dump_json(exclude_defaults=True)}"
            for each in self._lm.left_over
        ]
        return (*self._refusals.sentences, *problems, *left_over)

    def close(self) -> None:
        """Stop: requests find nothing here from now on."""
        self._lane.close()

    def _complete(self, request: LMRequest) -> Completion:
        self.asked += 1
        try:
            return self._lm.complete(request)
        except LMRefusal as refusal:
            self._refusals.add(f"request {self.asked} was refused: {refusal}{_show_traceback(refusal.__cause__)}")
            raise


def _show_traceback(error: BaseException | None) -> str:
    """Where the test's own function raised this, from its own first line on."""
    if error is None or error.__traceback__ is None:
        return ""
    shown = traceback.format_exception(type(error), error, error.__traceback__.tb_next, limit=_FRAMES)
    return f"\n{''.join(shown).rstrip()}"


class ScriptedEndpoint(LaneEndpoint):
    """An LM that says what a script means, in the dialect of each request: for agents of the kind the kit tests."""

    def __init__(self, server: LaneServer, script: Script, dialects: Iterable[str] = tuple(DIALECTS)) -> None:
        journal = Journal()
        super().__init__(server, journal, EpisodeLM(script, dialects, journal, budget=math.inf))
