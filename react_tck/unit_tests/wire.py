"""The replies of an episode as they go over HTTP: literal answers, in the form in which the subject asks for them."""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

from react_tck.fakes.server.errors import FaultyReply, make_error, make_failure
from react_tck.fakes.server.forms.chat import ChatCompletion
from react_tck.fakes.server.forms.responses import ResponseItems
from react_tck.fakes.server.wire import HTTPRequest, Reply, Streaming, Wanted, WireForm, write_form
from react_tck.model.intent import Fault
from react_tck.model.lm import Completion
from react_tck.model.record import Asked
from react_tck.texts import read_json
from react_tck.unit_tests.due import Untold


class LiteralAnswer(NamedTuple):
    """An HTTP answer, ready to be sent: its status, its headers and its body."""

    status: int
    #: Names and values by turns.
    headers: tuple[str, ...]
    body: str


class Shape(NamedTuple):
    """In which of the forms of a completion a request wants its reply."""

    is_response: bool = False
    stream: bool = False
    include_usage: bool = False


def list_shapes(arrived: Iterable[HTTPRequest]) -> tuple[Shape, ...]:
    """Return the forms that the requests to the LM asked for; of an LM in the subject's own process, the plainest."""
    asked = [request for request in arrived if request.path.endswith(("/chat/completions", "/responses"))]
    return tuple(_read_shape(request) for request in asked) or (Shape(),)


def _read_shape(request: HTTPRequest) -> Shape:
    try:
        body = read_json(request.body.decode())
    except ValueError:
        return Shape()
    values = body if isinstance(body, dict) else {}
    options = values.get("stream_options")
    usage = isinstance(options, dict) and bool(options.get("include_usage"))
    return Shape(request.path.endswith("/responses"), bool(values.get("stream")), usage)


def write_answers(asked: Iterable[Asked], formed: Sequence[Shape]) -> tuple[LiteralAnswer, ...]:
    """Return what a server sends to these requests, in order.

    Raises:
        Untold: if an answer isn't one that any server can be told to send.
    """
    numbers = count(1)
    return tuple(
        _write_answer(each, formed[min(at, len(formed) - 1)], at + 1, numbers) for at, each in enumerate(asked)
    )


def nothing_due() -> LiteralAnswer:
    """Return what a server sends to a request that nobody was to make."""
    return _build_literal_answer(make_error(400, "Nothing is due any more.", "invalid_request_error", "nothing_due"))


def _write_answer(asked: Asked, form: Shape, number: int, calls: "count[int]") -> LiteralAnswer:
    wanted = Wanted(asked.request, form.stream, form.include_usage)

    def choose_form(said: Completion) -> WireForm:
        if form.is_response:
            return ResponseItems(number, wanted, Streaming(), said)
        return ChatCompletion(number, wanted, Streaming(), said)

    if asked.completion is None:
        fault = asked.intent.fault if isinstance(asked.intent, Fault) else ""
        return _build_literal_answer(make_failure(fault, FaultyReply(choose_form, form.stream, Streaming().cut_after)))
    numbered = [call.model_copy(update={"id": f"call_{next(calls)}"}) for call in asked.completion.tool_calls]
    said = asked.completion.model_copy(update={"tool_calls": tuple(numbered)})
    return _build_literal_answer(write_form(choose_form(said), stream=form.stream))


def _build_literal_answer(reply: Reply) -> LiteralAnswer:
    if reply.ending != "whole":
        raise Untold("the LM breaks the connection there, or says nothing, which no literal answer does")
    kind = "application/json" if reply.events is None else "text/event-stream"
    headers = ("content-type", kind, *(word for header in reply.headers for word in header))
    return LiteralAnswer(
        reply.status, headers, (reply.body if reply.events is None else b"".join(reply.events)).decode()
    )
