"""A lane: the LM and the tools of one episode, under a path that nobody can guess."""

import asyncio
import json
import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any

from react_tck.adapter.lm import LMFault, LMRefusal
from react_tck.adapter.tools import INTERRUPTIONS, PersonNeeded, settle_result
from react_tck.fakes.conversation import find_problems
from react_tck.fakes.journal import Complaints, Faults
from react_tck.fakes.server.errors import (
    BadRequest,
    FaultyReply,
    make_error,
    make_failure,
    report_bug,
    report_invalid,
    report_refusal,
    wrong_method,
)
from react_tck.fakes.server.forms.table import ANSWERS, FORMS, APIForm, no_route
from react_tck.fakes.server.reading import find_place, json_object
from react_tck.fakes.server.wire import (
    Hold,
    HTTPRequest,
    Reply,
    SaidBefore,
    Streaming,
    Wanted,
    WireForm,
    Write,
    count_tokens,
    find_manner,
    write_form,
)
from react_tck.model.lm import Completion, LMRequest, Message

Tools = Mapping[str, Callable[[dict[str, Any]], Any]]
#: Told the name of a tool, and what was sent to it that is no JSON object.
Refuse = Callable[[str, str], None]
Complete = Callable[[LMRequest], Completion]
#: What an adapter asks the kit: the kind of a question, and the question.
Ask = Callable[[str, dict[str, Any]], dict[str, Any]]
#: Told, of a lane that ends with no episode, how many requests are kept before the one that arrives.
KeepLatest = Callable[[int], None]

#: Bytes that an episode may send, and what a request counts for at least: all that is kept of a subject gone wild.
_BUDGET = 64 * 1024 * 1024
_LEAST = 16 * 1024
#: Replies that later requests may refer to.
_MOST = _BUDGET // _LEAST
#: Characters of a path, or of what is wrong with a request, that are kept.
_SHOWN = 500

#: The share of the time left to a call for which a scripted timeout says nothing: whoever waits for as long as it
#: takes, and asks again however often, is still in time to say that the LM failed.
_SILENCE = 1 / 3

#: What a tool may raise: nothing of it ends the server.
_RAISED: tuple[type[BaseException], ...] = (Exception, *INTERRUPTIONS.values())


class Lane:
    """Answers the requests of one episode, one at a time, in the thread of the server's loop."""

    def __init__(
        self,
        root: str,
        token: str,
        complete: Complete,
        tools: Tools,
        streaming: Streaming,
        leave: Callable[[], None],
        refuse: Refuse,
        hold: Hold | None = None,
        stray: Callable[[str], None] = lambda _what: None,
        keep_latest: KeepLatest | None = None,
        ask: Ask | None = None,
        faults: Faults | None = None,
    ) -> None:
        self.root_url = f"{root}/{token}"
        self.base_url = f"{root}/{token}/v1"
        self.tools_url = f"{root}/{token}/tools"
        self.api_key = f"tck-{token}"
        self._complete = complete
        self._tools = tools
        self._streaming = streaming
        self._leave = leave
        self._hold = hold
        self._refuse = refuse
        self._stray = stray
        self._keep_latest = keep_latest
        self._ask = ask
        self._faults = faults or Faults()
        #: Bytes that have arrived and are kept, and whether there were too many.
        self._held = 0
        self._is_spent = False
        self._arrived: deque[HTTPRequest] = deque()
        self._problems = Complaints()
        #: The completions with tool calls, as the subject saw them: with the ids of the calls.
        self._given: deque[Completion] = deque(maxlen=_MOST)
        #: What a response answered, itself included among the messages, by its id.
        self._conversations: dict[str, LMRequest] = {}
        self._replies = count(1)
        self._calls = count(1)
        #: When the call under way has to be over, by the clock that only goes forward.
        self.deadline = math.inf

    @property
    def problems(self) -> tuple[str, ...]:
        """What was wrong with the requests, by the rules of the message protocol, in order."""
        return self._problems.sentences

    @property
    def arrived_requests(self) -> tuple[HTTPRequest, ...]:
        """The requests with the bytes that came, in order, those that can't be understood too; the latest of many."""
        return tuple(self._arrived)

    def close(self) -> None:
        """End the episode: its path leads nowhere from now on."""
        self._leave()

    def answer_request(self, request: HTTPRequest, path: str) -> Reply:
        """Return the reply to a request for this path below the lane's own."""
        self._held += _count_bytes(request)
        if self._held > _BUDGET and self._keep_latest is None:
            return self._too_much()
        if self._ask and path.startswith("/tools/"):
            return self._answer_adapter(self._ask, path.removeprefix("/tools/"), request.body)
        self._arrived.append(request)
        self._forget_oldest()
        try:
            return self._route_request(request, path)
        except BadRequest as wrong:
            self._problems.add(str(wrong)[:_SHOWN])
            self._stray(f"{request.method} {path}: {wrong}"[:_SHOWN])
            return report_invalid(f"The request can't be answered: {wrong}.")
        except LMRefusal as refusal:
            return report_refusal(str(refusal))
        except Exception as bug:
            self._faults.add_error(bug)
            self._problems.add(f"bug of the kit: {type(bug).__name__}: {bug}")
            return report_bug(bug)

    def _forget_oldest(self) -> None:
        """Let the oldest requests go, where a lane lives longer than an episode."""
        if self._keep_latest is None or self._held <= _BUDGET:
            return
        while self._held > _BUDGET:
            self._held -= _count_bytes(self._arrived.popleft())
        self._keep_latest(len(self._arrived) - 1)

    def _too_much(self) -> Reply:
        """Nothing more is kept, but that there was more."""
        message = f"This episode has sent more than {_BUDGET} bytes, a request counting for {_LEAST} at least."
        if not self._is_spent:
            self._is_spent = True
            self._stray(message)
        return make_error(413, message, "invalid_request_error", "episode_too_large")

    def _route_request(self, request: HTTPRequest, path: str) -> Reply:
        if path.startswith("/tools/"):
            return self._run_tool(request, path.removeprefix("/tools/"))
        place, model = find_place(path, request.target)
        form = FORMS.get(place)
        method, answer = ("POST", partial(self._answer_form, form)) if form else ANSWERS.get(place, ("", None))
        if answer is not None and request.method == method:
            return answer(request.body, model)
        self._problems.add(f"there is no {request.method} {path[:_SHOWN]}")
        self._stray(f"{request.method} {path[:_SHOWN]}")
        if answer is not None:
            return wrong_method(request.method, path, method)
        return no_route(request.method, path)

    def _answer_adapter(self, ask: Ask, kind: str, body: bytes) -> Reply:
        """Return what the kit says to an adapter; an adapter is the kit's own, so that what is wrong is a bug."""
        try:
            reply = Reply(body=json.dumps({"result": ask(kind, json.loads(body))}).encode())
        except Exception as bug:
            self._faults.add_error(bug)
            return Reply(body=json.dumps({"error": f"bug of the kit: {type(bug).__name__}: {bug}"}).encode())
        return reply._replace(after=self._hold) if kind == "run" else reply

    def _run_tool(self, request: HTTPRequest, name: str) -> Reply:
        """`POST /tools/{name}`: the body is the args object; what the tool raises is an answer too."""
        if request.method != "POST":
            self._stray(f"{request.method} /tools/{name[:_SHOWN]}")
            return wrong_method(request.method, f"/tools/{name}", "POST")
        if name not in self._tools:
            self._stray(f"POST /tools/{name[:_SHOWN]}")
            known = ", ".join(self._tools) or "none"
            message = f"There is no tool {name!r}; there are: {known}."
            return make_error(404, message, "invalid_request_error", "unknown_tool")
        try:
            args = json_object(request.body)
        except BadRequest as wrong:
            self._refuse(name, request.body.decode(errors="backslashreplace"))
            return report_invalid(f"The body is the args object of the tool: {wrong}.")
        return self._call_tool(name, args)._replace(after=self._hold)

    def _call_tool(self, name: str, args: dict[str, Any]) -> Reply:
        try:
            result = settle_result(self._tools[name](args))
        except PersonNeeded as need:
            return Reply(body=json.dumps({"error": str(need), "asks": True}).encode())
        except _RAISED as raised:
            return Reply(body=json.dumps({"error": str(raised)}).encode())
        try:
            return Reply(body=json.dumps({"result": result}, allow_nan=False).encode())
        except (TypeError, ValueError):  # what JSON can't hold is shown as Python writes it
            return Reply(body=json.dumps({"result": repr(result)}).encode())

    def _answer_form(self, form: APIForm, body: bytes, model: str) -> Reply:
        wanted = form.read(body, model, SaidBefore(self._given, self._conversations))
        return self._write_reply(wanted, partial(self._write_form, form.write, next(self._replies), wanted))

    def _write_form(self, form: type[WireForm], number: int, wanted: Wanted, said: Completion) -> WireForm:
        if wanted.conversation is not None:
            reply = Message(role="assistant", content=said.content, tool_calls=said.tool_calls)
            told = {"messages": (*wanted.conversation, reply)}
            self._conversations[f"{wanted.reply_prefix}{number}"] = wanted.request.model_copy(update=told)
            if len(self._conversations) > _MOST:
                del self._conversations[next(iter(self._conversations))]
        return form(number, wanted, self._streaming, said)

    def _write_reply(self, wanted: Wanted, write: Write) -> Reply:
        try:
            completion = self._ask_lm(wanted)
        except LMFault as fault:
            left = self.deadline - time.monotonic()
            failure = make_failure(fault.fault, FaultyReply(write, wanted.stream, self._streaming.cut_after))
            return failure._replace(patience=max(0.0, left * _SILENCE))
        reply = write_form(write(completion), stream=wanted.stream)
        pace = find_manner(completion).tokens_per_second
        if pace is None:
            return reply
        if wanted.stream:
            return reply._replace(pause=1 / pace)
        return reply._replace(
            after=partial(asyncio.sleep, count_tokens(wanted.request, completion)["completion_tokens"] / pace)
        )

    def _ask_lm(self, wanted: Wanted) -> Completion:
        for problem in find_problems(wanted.request, self._given):
            self._problems.add(problem)
        completion = self._complete(wanted.request)
        if not completion.tool_calls:
            return completion
        # No other call of this episode has the id of one of these; the turn is to be echoed so.
        prefix = wanted.call_prefix
        calls = [call.model_copy(update={"id": f"{prefix}{next(self._calls)}"}) for call in completion.tool_calls]
        numbered = completion.model_copy(update={"tool_calls": tuple(calls)})
        self._given.append(numbered)
        return numbered


def _count_bytes(request: HTTPRequest) -> int:
    return max(len(request.body), _LEAST)
