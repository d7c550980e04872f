"""How a reply of the script is written: as the request has it, in the dialect of that very request."""

from typing import NamedTuple, assert_never

from react_tck.dialects import render_reply
from react_tck.dialects.reading import RequestReading
from react_tck.fakes.malformed import bad_args, garble_reply
from react_tck.model.intent import (
    Answer,
    BadArgs,
    Calls,
    CallTool,
    Empty,
    Fault,
    Finish,
    Garbled,
    Raw,
    Reply,
    Submit,
)
from react_tck.model.lm import Ask, Completion


class WrittenReply(NamedTuple):
    """A reply as it was sent."""

    #: What the script means, in the words that the request has for it.
    reply: Reply
    #: What of the request it answers; of a broken reply, the form in which it is broken.
    ask: Ask
    #: None where the provider fails.
    completion: Completion | None


class ReplyWriter:
    """Writes the replies of one episode."""

    def __init__(self) -> None:
        #: What was last written in a phase: sticky replies and retries are asked for again and again.
        self._last: dict[str, WrittenReply] = {}

    def write_reply(self, reply: Reply, reading: RequestReading) -> WrittenReply:
        """Return the reply as the request asks for it."""
        answered = _choose_form(reading, reply)
        if answered.takes_submit:
            reply = _turn_into_submit(reply)
        last = self._last.get(answered.phase)
        if last is None or last.reply is not reply or last.ask is not answered.ask:
            last = self._last[answered.phase] = WrittenReply(
                reply, answered.ask, _write_completion(reply, answered.ask)
            )
        return last


def _choose_form(reading: RequestReading, reply: Reply) -> RequestReading:
    """Return the request as the reply answers it; a broken answer is one in the form that the request has for it."""
    match reply:
        case Answer() if form := reading.answer_ask:
            return reading.with_ask(form)
        case Garbled(meant=Answer()) if (form := reading.answer_ask) and form.dialect != "native":
            return reading.with_ask(form.model_copy(update={"phase": reading.phase}))
    return reading


def _turn_into_submit(reply: Reply) -> Reply:
    """Return an answer as one says it who has to call `submit`."""
    match reply:
        case Answer(outputs=outputs, reasoning=reasoning):
            return Submit(outputs=outputs, thought=reasoning)
        case Garbled(meant=Answer(outputs=outputs, reasoning=reasoning)):
            return reply.model_copy(update={"meant": Submit(outputs=outputs, thought=reasoning)})
    return reply


def _write_completion(reply: Reply, ask: Ask) -> Completion | None:
    match reply:
        case Garbled():
            return garble_reply(reply, ask)
        case BadArgs():
            return bad_args(reply, ask)
        case CallTool() | Calls() | Finish() | Submit() | Answer():
            return render_reply(reply, ask)
        case Raw(text=text):
            return Completion(content=text)
        case Empty():
            return Completion(content="")
        case Fault():
            return None
    assert_never(reply)
