"""The LM of an agent's test as an endpoint: what it is told to say, chained, and what it was asked."""

import asyncio
import contextlib
import re
import threading
from base64 import b64decode
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, overload
from urllib.parse import parse_qsl, urlsplit

from pydantic import JsonValue, ValidationError

from react_tck.fakes.cued_lm import CueByFunction, CuedLM, Respond
from react_tck.fakes.journal import Faults, Journal
from react_tck.fakes.server.errors import make_error, report_bug
from react_tck.fakes.server.forms.table import no_route
from react_tck.fakes.server.secrets import SecretHider, is_secret_name
from react_tck.fakes.server.server import LaneServer
from react_tck.fakes.server.standalone import LaneEndpoint
from react_tck.fakes.server.wire import HTTPRequest, Reply
from react_tck.model.base import JsonObject, describe_mistakes
from react_tck.model.cue import QUIRKS, Cue, Quirk
from react_tck.model.intent import FaultName
from react_tck.model.lm import LMRequest, Role


class CuedEndpoint(LaneEndpoint):
    """An LM that says what it is told to, in that order, to whatever is asked: for the tests of any agent.

    Each of `says`, `calls`, `answers`, `refuses`, `filters`, `fails`, `garbles` and `replies` adds one reply, and gives
    the endpoint back, so that they can be chained. `when`, `after`, `until`, `times`, `always`, `thinks`, `usage`,
    `slowly`, `streams` and `on_purpose` say of the reply that is added next to whom it is given, how often, what is
    thought before it, what it costs, at which pace and how it is streamed, and that it is meant.

    >>> from openai import OpenAI
    >>> from react_tck.fakes.server import CuedEndpoint, LaneServer
    >>> with LaneServer() as server:
    ...     lm = CuedEndpoint(server).fails(429).says("It is 5.")
    ...     client = OpenAI(base_url=lm.base_url, api_key=lm.api_key, max_retries=1)
    ...     reply = client.chat.completions.create(model="any", messages=[{"role": "user", "content": "2+3?"}])
    >>> reply.choices[0].message.content, len(lm.requests), lm.complaints
    ('It is 5.', 2, ())
    """

    def __init__(self, server: LaneServer, cues: Iterable[Cue] = (), checks: bool = True) -> None:
        journal = Journal()
        self._cued = CuedLM(journal, cues, checks)
        #: Of the reply that is added next.
        self._said_of_next: dict[str, Any] = {}
        super().__init__(server, journal, self._cued)

    if not TYPE_CHECKING:  # to which every word would be one

        def __getattr__(self, name: str) -> Any:
            near = get_close_matches(name, [each for each in vars(CuedEndpoint) if each[0] != "_"], n=1)
            raise AttributeError(f"an LM has no {name!r}" + "".join(f"; is lm.{each} meant?" for each in near))

    def says(self, text: str, calls: Sequence[tuple[str, JsonObject]] = ()) -> Self:
        """Reply to the next request with this text and, in the same turn, calls: `calls=[("add", {"a": 2})]`.

        Raises:
            ValueError: if the calls aren't pairs of a name and args.
        """
        return self._add_cue(says=text, **({"calls": _read_pairs(calls, f"calls={calls!r}")} if calls else {}))

    @overload
    def calls(self, tool: str, /, **args: JsonValue) -> Self: ...
    @overload
    def calls(self, tool: tuple[str, JsonObject], /, *others: tuple[str, JsonObject]) -> Self: ...
    def calls(self, tool: str | tuple[str, JsonObject], /, *others: tuple[str, JsonObject], **args: JsonValue) -> Self:
        """Return the call of a tool: `calls("add", a=2, b=3)`.

        Several in one turn are pairs of a name and args: `calls(("add", {"a": 2}), ("add", {"a": 3}))`.

        Raises:
            ValueError: if it is written otherwise.
        """
        pairs: Any = (tool, *others) if args == {} and not isinstance(tool, str) else ((tool, args), *others)
        return self._add_cue(calls=_read_pairs(pairs, f"calls({tool!r}, …)"))

    def answers(self, **values: JsonValue) -> Self:
        """Values by name: as JSON, held against the request's schema; as the call that the request demands."""
        return self._add_cue(answers=values)

    def refuses(self, text: str) -> Self:
        """Return the model refuses, in these words: the reply has a `refusal` instead of a content."""
        return self._add_cue(refuses=text)

    def filters(self, text: str) -> Self:
        """Return a text that the provider's content filter cuts off here: its `finish_reason` is `content_filter`."""
        return self._add_cue(filters=text)

    def fails(self, failure: FaultName | int) -> Self:
        """Return a provider's failure: a status (400, 401, 403, 429, 500), or a name such as `timeout`.

        Raises:
            ValueError: if there is no such failure; it tells which there are.
        """
        return self._add_cue(fails=failure)

    def garbles(self, tool: str, args: str) -> Self:
        """Return the call of a tool with args that read exactly so: `garbles("add", '{"a": 2')`."""
        return self._add_cue(garbles={"tool": tool, "args": args})

    def replies(self, respond: Respond) -> Self:
        """Where no other reply is for a request, what a function makes of it.

        It takes an `LMRequest`, and gives a reply in the words of a script: `{"says": "It is 5."}`.

        Raises:
            ValueError: after `when`, `times` and their like: all of that is the function's to say.
        """
        if self._said_of_next:
            said = ", ".join(self._said_of_next)
            raise ValueError(f"a function answers every request that is left: it takes no {said} of another reply's")
        self._cued.add_cue(respond)
        return self

    def when(
        self,
        text: str | Callable[[LMRequest], object] | None = None,
        /,
        *,
        role: Role | None = None,
        matches: str | None = None,
        model: str | None = None,
        tool: str | None = None,
        turn: int | None = None,
        after: str | None = None,
    ) -> Self:
        """Give the next reply only to a request like that, whenever it comes; see `Condition` for what may be said.

        A function is handed the request, and tells whether the reply is for it.
        """
        said: dict[str, object] = {"role": role, "matches": matches, "model": model, "tool": tool, "turn": turn}
        said |= {"after": after, "text": None if callable(text) else text}
        if callable(text):
            self._set_next(when_function=text)
        if said := {name: value for name, value in said.items() if value is not None}:
            self._set_next(when={**self._said_of_next.get("when", {}), **said})
        return self

    def after(self, tool: str) -> Self:
        """Give the next reply only to a request that brings the result of this tool."""
        return self.when(after=tool)

    def until(self, text: str) -> Self:
        """Give the next reply, in its turn, to each request that doesn't have this text among its messages."""
        return self._set_next(until=text)

    def times(self, times: int) -> Self:
        """Give the next reply so often."""
        return self._set_next(times=times)

    def always(self) -> Self:
        """Make the next reply the default: given again and again, where no other is for a request."""
        return self._set_next(times="always")

    def thinks(self, text: str) -> Self:
        """Let the model think this before the next reply: `thinks("Two and three …").says("5")`."""
        return self._set_next(thinks=text)

    def usage(self, prompt_tokens: int | None = None, completion_tokens: int | None = None) -> Self:
        """Let the next reply say that it has cost so many tokens; what isn't given is counted."""
        return self._set_next(usage={"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens})

    def slowly(self, tokens_per_second: float) -> Self:
        """Send the next reply at this pace; four characters are a token. As JSON it comes once that time is over."""
        return self._set_next(tokens_per_second=tokens_per_second)

    def streams(self, *quirks: Quirk) -> Self:
        """Stream the next reply as some providers do: `interleaved`, `same-index`, `no-index`; without names, all."""
        return self._set_next(streams=quirks or tuple(sorted(QUIRKS)))

    def on_purpose(self) -> Self:
        """Let the next reply call a tool that isn't offered, or that doesn't take these args, without a complaint."""
        return self._set_next(on_purpose=True)

    @property
    def complaints(self) -> tuple[str, ...]:
        """What a test fails with; that no reply has come after a condition, too."""
        unused = [f"{', '.join(self._said_of_next)} of a reply that was never said"] if self._said_of_next else []
        return (*self._cued.complaints.sentences, *super().complaints, *unused)

    def _set_next(self, **said: object) -> Self:
        self._said_of_next |= said
        return self

    def _add_cue(self, **reply: object) -> Self:
        said, self._said_of_next = {**reply, **self._said_of_next}, {}
        kind = CueByFunction if "when_function" in said else Cue
        try:
            self._cued.add_cue(kind.model_validate(said))
        except ValidationError as error:
            raise ValueError("; ".join(describe_mistakes(kind, error))) from None
        return self


def _read_pairs(pairs: Sequence[Any], written: str) -> list[dict[str, Any]]:
    """Return calls as a cue has them; it is told how they were written.

    Raises:
        ValueError: if one isn't a pair of a name and args.
    """
    if not all(isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str) for pair in pairs):
        raise ValueError(
            f"{written} isn't how calls are written: say calls('add', a=2), or for several in one turn "
            "calls(('add', {'a': 2}), ('add', {'a': 3}))"
        )
    return [{"tool": name, "args": given} for name, given in pairs]


_PREFIX = "/v1"
#: What paths begin with that have no prefix: Azure's, Gemini's and Ollama's.
_OTHERS = ("/openai/", "/v1beta/", "/api/")
#: Characters of a path or a host that are shown.
_SHOWN = 500
#: Who is meant by a request that comes from this machine, and from no page that leads a browser here.
_OURSELVES = ("127.0.0.1", "localhost")
#: Parameters of a query that are keys, though elsewhere something else is called so.
_KEY_PARAMETERS = ("key", "sig", "signature", "token", "code")
#: What stands between a scheme and a key, and between cookies.
_PARTS = re.compile(r"[\s;,=]+")


#: A value that may be a key, in a header that neither HTTP nor an SDK has: one of a gateway's own.
_KEY = re.compile(r"(?=[^\d\s]*\d)(?=[^A-Za-z\s]*[A-Za-z])\S{16,}")
_PUBLIC = re.compile(r"accept.*|connection|content-.*|date|host|user-agent|x-stainless-.*|openai-.*|anthropic-.*")


def is_key(name: str, said: str) -> bool:
    """Tell whether what a header says may be a key, whatever the header is called."""
    return not _PUBLIC.fullmatch(name.lower()) and _KEY.fullmatch(said) is not None


def _read_basic(said: str) -> str:
    """Return the password in an authorization by name and password; nothing where there is none."""
    with contextlib.suppress(ValueError):
        return b64decode(said.partition(" ")[2]).decode().partition(":")[2]
    return ""


class Sent(NamedTuple):
    """An HTTP request of a program, as it came."""

    method: str
    #: Below the base URL, Azure's below the root, without the query.
    path: str
    body: bytes
    #: The same with the query, as it stands in the request.
    target: str = ""
    headers: tuple[tuple[str, str], ...] = ()

    def make_hider(self) -> SecretHider:
        """Return what hides the secrets that it was sent with."""
        query = parse_qsl(self.target.partition("?")[2])
        secrets = [said for name, said in query if name.lower() in _KEY_PARAMETERS or is_secret_name(name)]
        secrets += [said for name, said in self.headers if is_secret_name(name) or is_key(name, said)]
        secrets += [_read_basic(said) for said in secrets if said.lower().startswith("basic ")]
        return SecretHider([*secrets, *(word for said in secrets for word in _PARTS.split(said))])


class Provider(Protocol):
    """Whoever answers the requests: a real provider behind a proxy, or a recording."""

    def answer_request(self, sent: Sent) -> Reply:
        """Return the reply to it; it may take its time."""


class ProviderPath:
    """Answers what is asked below a path of the server, in threads of its own: a provider takes its time."""

    def __init__(self, server: LaneServer, provider: Provider) -> None:
        self._provider = provider
        self._complaints, self._faults = server.complaints, server.faults
        address, self.close = server.open_path(self)
        #: What an OpenAI SDK takes as `base_url`.
        self.base_url = f"{address}{_PREFIX}"

    def answer_request(self, request: HTTPRequest, path: str) -> Reply:
        """Return the reply to a request, once the provider has it."""
        headers = tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in request.headers)
        if (host := dict(headers).get("host")) and _find_host(host) not in _OURSELVES:
            complaint = f"{request.method} {path[:_SHOWN]} is meant for another host, {host[:_SHOWN]!r}"
            self._complaints.add(complaint)
            return make_error(403, complaint, "invalid_request_error", "another_host")
        target = f"/{request.target[1:].partition(b'/')[2].decode('latin-1')}"
        if not target.startswith((f"{_PREFIX}/", *_OTHERS)):
            self._complaints.add(f"no such endpoint: {request.method} {path[:_SHOWN]}")
            return no_route(request.method, path[:_SHOWN])
        where = (_strip_prefix(path), request.body, _strip_prefix(target))
        sent = Sent(request.method, *where, headers)
        return Reply(after=partial(_run_in_thread, partial(self._provider.answer_request, sent), self._faults))


def _strip_prefix(place: str) -> str:
    return place.removeprefix(_PREFIX) if place.startswith(f"{_PREFIX}/") else place


class ProviderServer:
    """A server on loopback that has a provider on it, and nothing else."""

    def __init__(self, provider: Provider, port: int = 0) -> None:
        self._server = LaneServer()
        self._server.start(port)
        self.faults = self._server.faults
        self.base_url = ProviderPath(self._server, provider).base_url

    @property
    def complaints(self) -> tuple[str, ...]:
        """What came that was no request to the provider."""
        return self._server.complaints.sentences

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()


def _find_host(header: str) -> str | None:
    try:
        return urlsplit(f"//{header}").hostname
    except ValueError:
        return None


async def _run_in_thread(work: Callable[[], Reply], faults: Faults) -> Reply:
    """Return what the work gives; nobody waits for its thread when the server is closed."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Reply] = loop.create_future()

    def settle(reply: Reply) -> None:
        if not future.done():
            future.set_result(reply)

    def run_work() -> None:
        try:
            reply = work()
        except Exception as bug:
            faults.add_error(bug)
            reply = report_bug(bug)
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, reply)

    threading.Thread(target=run_work, daemon=True).start()
    return await future
