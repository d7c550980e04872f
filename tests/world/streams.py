"""Agents of public reports about streams: a twin that reads its replies as streams, but for a few lines."""

from typing import Any

from openai import NOT_GIVEN
from openai.types.chat import ChatCompletionChunk

from react_tck import LMReply
from react_tck.adapter.lm import LMCall
from tests.world.twin import CAPABILITIES, Message, Twin, declare


def declare_streams(agent: type[Any]) -> type[Any]:
    """Make a class a subject that asks for streams."""
    return declare(agent, [*CAPABILITIES, "streaming"])


@declare_streams
class StreamingTwin(Twin):
    """It joins the pieces of a call by its id, else by its index, else to the call that began last."""

    def ask(self, messages: list[Message]) -> LMReply:
        """Read the reply piece by piece."""
        asked: Any = {"messages": messages, "tools": self.offered or NOT_GIVEN}
        text = ""
        self.calls: list[Message] = []
        with self.lm.client() as client:
            for chunk in client.chat.completions.create(model=self.lm.model, stream=True, **asked):
                text += self.take(chunk)
        calls = (LMCall(call["id"], call["name"], call["arguments"]) for call in self.calls)
        return LMReply(text.strip(), tuple(calls))

    def take(self, chunk: ChatCompletionChunk) -> str:
        """Take what a chunk says, and return its text."""
        if not chunk.choices:
            return ""
        for piece in chunk.choices[0].delta.tool_calls or []:
            self.join(piece)
        return chunk.choices[0].delta.content or ""

    def join(self, piece: Any) -> None:
        """Add a piece to its call."""
        call = self.find(piece)
        if call is None:
            call = {"id": piece.id, "index": piece.index, "name": piece.function.name, "arguments": ""}
            self.calls.append(call)
        call["arguments"] += piece.function.arguments or ""

    def find(self, piece: Any) -> Message | None:
        """Return the call of a piece, if it has begun."""
        if piece.id:
            return next((call for call in self.calls if call["id"] == piece.id), None)
        return next(call for call in reversed(self.calls) if call["index"] == piece.index)


@declare_streams
class PiecesToTheLast(StreamingTwin):
    """Adds what has no id to the call that began last."""

    def find(self, piece: Any) -> Message | None:
        return super().find(piece) if piece.id else self.calls[-1]


@declare_streams
class PiecesByIndex(StreamingTwin):
    """Takes what has one index, or none, for one call."""

    def find(self, piece: Any) -> Message | None:
        return next((call for call in self.calls if call["index"] == piece.index), None)


@declare_streams
class NoIndexDropped(StreamingTwin):
    """Drops calls without an index."""

    def join(self, piece: Any) -> None:
        if piece.index is not None:
            super().join(piece)


@declare_streams
class ChoicesCountedOn(StreamingTwin):
    """Looks into the first choice of every chunk."""

    def take(self, chunk: ChatCompletionChunk) -> str:
        assert chunk.choices[0].index == 0
        return super().take(chunk)


@declare_streams
class BlankTextIsTheAnswer(StreamingTwin):
    """Takes a reply that begins with blank text for the answer."""

    def join(self, piece: Any) -> None:
        if not self.text_first:
            super().join(piece)

    def take(self, chunk: ChatCompletionChunk) -> str:
        text = chunk.choices[0].delta.content if chunk.choices else ""
        self.text_first |= bool(text and not text.strip() and not self.calls)
        return super().take(chunk)

    def ask(self, messages: list[Message]) -> LMReply:
        self.text_first = False
        return super().ask(messages)
