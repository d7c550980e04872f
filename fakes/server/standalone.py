"""An LM on the server without a case around it: an OpenAI-compatible endpoint, for the tests of agents."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Protocol, Self, overload

from pydantic import JsonValue, ValidationError

from react_tck.dialects import DIALECTS
from react_tck.fakes.complaints import Complaints
from react_tck.fakes.cued_lm import CuedLM, Respond
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import LMRefusal, ScriptedLM
from react_tck.fakes.server.server import LaneServer
from react_tck.model.base import JsonObject, Value, describe_mistakes
from react_tck.model.cue import Cue
from react_tck.model.intent import FaultName, Script
from react_tck.model.lm import Completion, LMRequest

_CASE = "standalone"
#: Characters shown of what was asked.
_SHOWN = 300


class JournalledLM(Protocol):
    """An LM that answers by a plan."""

    def complete(self, request: LMRequest) -> Completion:
        """The reply. Raises LMRefusal or LMFault."""

    @property
    def left_over(self) -> Iterable[Value]:
        """What of the plan was never said."""


class LMEndpoint(ABC):
    """Where an LM is asked, what it was asked, and what was wrong with that."""

    def __init__(self, base_url: str, api_key: str) -> None:
        #: What an OpenAI SDK takes as `base_url` and `api_key`.
        self.base_url = base_url
        self.api_key = api_key

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which OpenAI's SDKs find it, for `monkeypatch.setenv` or the environment of a process."""
        return {"OPENAI_BASE_URL": self.base_url, "OPENAI_API_KEY": self.api_key}

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
    def complaints(self) -> tuple[str, ...]:
        """What a test fails with."""

    @abstractmethod
    def close(self) -> None:
        """Requests find nothing here from now on."""

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
    def complaints(self) -> tuple[str, ...]:
        """Requests that were refused, problems of the message protocol, and what of the script was never said."""
        problems = [f"protocol problem: {problem}" for problem in self._lane.problems]
        left_over = [
            f"never asked for: {getattr(each, 'kind', 'reply')} {each.model_dump_json(exclude_defaults=True)}"
            for each in self._lm.left_over
        ]
        return (*self._refusals.sentences, *problems, *left_over)

    def close(self) -> None:
        """Requests find nothing here from now on."""
        self._lane.close()

    def _complete(self, request: LMRequest) -> Completion:
        self.asked += 1
        try:
            return self._lm.complete(request)
        except LMRefusal as refusal:
            self._refusals.add(f"request {self.asked} was refused: {refusal}")
            raise


class ScriptedEndpoint(LaneEndpoint):
    """An LM that says what a script means, in the dialect of each request: for agents of the kind the kit tests."""

    def __init__(self, server: LaneServer, script: Script, dialects: Iterable[str] = tuple(DIALECTS)) -> None:
        journal = Journal()
        super().__init__(server, journal, ScriptedLM(script, dialects, journal, budget=math.inf))


class CuedEndpoint(LaneEndpoint):
    """An LM that says what it is told to, in that order, to whatever is asked: for the tests of any agent.

    Each of `says`, `calls`, `answers`, `fails`, `garbles` and `replies` adds one reply, and gives the endpoint back,
    so that they can be chained. `when`, `times`, `always` and `usage` say of the reply that is added next to whom it is
    given, how often, and what it costs.

    >>> from openai import OpenAI
    >>> from react_tck.fakes.server import CuedEndpoint, LaneServer
    >>> with LaneServer() as server:
    ...     lm = CuedEndpoint(server).fails(429).says("It is 5.")
    ...     client = OpenAI(base_url=lm.base_url, api_key=lm.api_key, max_retries=1)
    ...     reply = client.chat.completions.create(model="any", messages=[{"role": "user", "content": "2+3?"}])
    >>> reply.choices[0].message.content, len(lm.requests), lm.complaints
    ('It is 5.', 2, ())
    """

    def __init__(self, server: LaneServer, cues: Iterable[Cue] = ()) -> None:
        journal = Journal()
        self._cued = CuedLM(journal, cues)
        #: Of the reply that is added next.
        self._said_of_next: dict[str, object] = {}
        super().__init__(server, journal, self._cued)

    def says(self, text: str) -> Self:
        """Reply to the next request with this text."""
        return self._add_cue(says=text)

    @overload
    def calls(self, tool: str, /, **args: JsonValue) -> Self: ...
    @overload
    def calls(self, tool: tuple[str, JsonObject], /, *others: tuple[str, JsonObject]) -> Self: ...
    def calls(self, tool: str | tuple[str, JsonObject], /, *others: tuple[str, JsonObject], **args: JsonValue) -> Self:
        """The call of a tool: `calls("add", a=2, b=3)`.

        Several in one turn are pairs of a name and args: `calls(("add", {"a": 2}), ("add", {"a": 3}))`.

        Raises:
            ValueError: if it is written otherwise.
        """
        pairs: Any = (tool, *others) if args == {} and not isinstance(tool, str) else ((tool, args), *others)
        if not all(isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str) for pair in pairs):
            raise ValueError(
                f"calls({tool!r}, …) isn't how calls are written: say calls('add', a=2), or for several in one turn "
                "calls(('add', {'a': 2}), ('add', {'a': 3}))"
            )
        return self._add_cue(calls=[{"tool": name, "args": given} for name, given in pairs])

    def answers(self, **values: JsonValue) -> Self:
        """Values by name: as JSON, held against the request's schema; as the call that the request demands."""
        return self._add_cue(answers=values)

    def fails(self, failure: FaultName | int) -> Self:
        """A provider's failure: a status (400, 401, 403, 429, 500), or a name such as `timeout`.

        Raises:
            ValueError: if there is no such failure; it tells which there are.
        """
        return self._add_cue(fails=failure)

    def garbles(self, tool: str, args: str) -> Self:
        """The call of a tool with args that read exactly so: `garbles("add", '{"a": 2')`."""
        return self._add_cue(garbles={"tool": tool, "args": args})

    def replies(self, respond: Respond) -> Self:
        """Where no other reply is for a request, what a function makes of it.

        It takes an `LMRequest`, and gives a reply in the words of a script: `{"says": "It is 5."}`.

        Raises:
            ValueError: after `when`, `times`, `always` or `usage`: all of that is the function's to say.
        """
        if self._said_of_next:
            said = ", ".join(self._said_of_next)
            raise ValueError(f"a function answers every request that is left: it takes no {said} of another reply's")
        self._cued.add_cue(respond)
        return self

    def when(self, text: str) -> Self:
        """The next reply is for a request only that has this text among its messages, whenever it comes."""
        return self._set_next(when=text)

    def times(self, times: int) -> Self:
        """The next reply is given so often."""
        return self._set_next(times=times)

    def always(self) -> Self:
        """The next reply is the default: given again and again, where no other is for a request."""
        return self._set_next(times="always")

    def usage(self, prompt_tokens: int | None = None, completion_tokens: int | None = None) -> Self:
        """The next reply says that it has cost so many tokens; what isn't given is counted."""
        return self._set_next(usage={"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens})

    @property
    def complaints(self) -> tuple[str, ...]:
        """What a test fails with; that no reply has come after a condition, too."""
        unused = [f"{', '.join(self._said_of_next)} of a reply that was never said"] if self._said_of_next else []
        return (*super().complaints, *unused)

    def _set_next(self, **said: object) -> Self:
        self._said_of_next |= said
        return self

    def _add_cue(self, **reply: object) -> Self:
        said, self._said_of_next = {**reply, **self._said_of_next}, {}
        try:
            self._cued.add_cue(Cue.model_validate(said))
        except ValidationError as error:
            raise ValueError("; ".join(describe_mistakes(Cue, error))) from None
        return self
