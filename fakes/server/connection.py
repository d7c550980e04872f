"""One connection of a client: HTTP/1.1 in and out, with bounds on how much and how slowly it may send."""

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple, cast

import httptools

from react_tck.fakes.journal import Complaints
from react_tck.fakes.server.errors import make_error
from react_tck.fakes.server.wire import Hold, HTTPRequest, Limits, Reply, as_bytes, as_pieces, parse_path, split_pieces

#: Linux has it; elsewhere acknowledgements take the time they take.
_QUICK_ACK: int | None = getattr(socket, "TCP_QUICKACK", None)
#: With this, closing a socket sends a reset.
_LINGER_NOT = struct.pack("ii", 1, 0)
#: Seconds in which a client that still sends may read why it was refused.
_DRAIN = 2.0
#: The headers that say where a body ends, and whose it is.
_KEPT = (b"content-length", b"transfer-encoding", b"authorization")


class _Exchange(NamedTuple):
    """A request, and how its client takes the reply."""

    request: HTTPRequest
    is_modern: bool
    stays: bool


class Connection(asyncio.Protocol):
    """Parses requests, one after the other, and writes what `answer` replies to each.

    While a reply is held back, or its client doesn't read it, nothing more is read of what the client sends, and what
    it has sent already waits.
    """

    def __init__(
        self,
        answer: Callable[[HTTPRequest], Reply],
        limits: Limits,
        connections: set["Connection"],
        complaints: Complaints,
    ) -> None:
        self._answer = answer
        self._complaints = complaints
        #: Kept, so that nobody collects it while it waits.
        self._held: asyncio.Future[None] | None = None
        self._limits = limits
        self._connections = connections
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: deque[_Exchange] = deque()
        #: Whether a reply is under way that the next one has to wait for.
        self._is_busy = False
        #: Whether the client leaves unread what was written.
        self._is_full = False
        #: It has had its last reply: what the client still sends is dropped.
        self._ended = False
        self._parser = httptools.HttpRequestParser(self)
        #: Bytes that the parser is being fed.
        self._fed = 0
        self.on_message_begin()

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio and uvloop both set TCP_NODELAY."""
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)
        self._start_timer(self._limits.slow_after, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Forget the client, which left or was left."""
        self._ended = True
        self._connections.discard(self)
        self._stop_timer()
        # Each holds the other, and the collector, which would part them, comes round rarely.
        del self._parser

    def pause_writing(self) -> None:
        """Take no more requests, and leave if that lasts too long."""
        self._is_full = True
        self._transport.pause_reading()
        if not self._ended:
            self._stop_timer()
            self._start_timer(self._limits.unread_after, self.abort)

    def resume_writing(self) -> None:
        """Go on serving requests: the client has read what was written."""
        self._is_full = False
        if not self._ended:
            self._stop_timer()
        self._go_on_serving()

    def data_received(self, data: bytes) -> None:
        """Feed the parser, which calls the methods below."""
        if self._ended:
            return
        self._fed = len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._go_on(data[upgrade.args[0] :])
        except httptools.HttpParserError as wrong:
            if not self._ended:
                self._refuse_request(400, f"This is not HTTP/1.1: {wrong}")
        else:
            if self._begun and not self._ended:
                self._watch_request()

    # What httptools calls

    def on_message_begin(self) -> None:
        """Forget what was parsed of the request before."""
        self._url = b""
        self._authorization = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._body: list[bytes] = []
        #: Bytes of the body, and of what came without completing the request.
        self._size = self._received = 0
        self._in_head = self._begun = True

    def on_url(self, url: bytes) -> None:
        """Add to the target, which may come in pieces."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; they are looked at once all are there."""
        self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        """From here on, what comes is the body. Only few headers matter; lower() is for those that may be one."""
        self._in_head = False
        for name, value in self._headers:
            size = len(name)
            if size == 13 and name.lower() == b"authorization":
                self._authorization = value
            elif size == 6 and name.lower() == b"expect":
                self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if self._received + self._fed > self._limits.head_bytes and self._has_large_head():
            self._refuse_head()

    def on_body(self, body: bytes) -> None:
        """Add a piece of the body."""
        self._size += len(body)
        if self._size <= self._limits.body_bytes:
            self._body.append(body)
        elif not self._ended:
            self._refuse_request(413, f"The body is larger than {self._limits.body_bytes} bytes.")

    def on_message_complete(self) -> None:
        """Serve the request, which is all there."""
        parser = self._parser
        if self._ended or parser.should_upgrade():
            return
        self._stop_timer()
        self._begun = False
        body = self._body[0] if len(self._body) == 1 else b"".join(self._body)
        method, authorization = parser.get_method().decode("latin-1"), self._authorization.decode("latin-1")
        request = HTTPRequest(method, parse_path(self._url), authorization, body, self._url, self._headers)
        self._waiting.append(_Exchange(request, parser.get_http_version() == "1.1", parser.should_keep_alive()))
        self._serve_waiting()

    # Our own

    def _serve_waiting(self) -> None:
        """Answer what has been asked, up to a reply that isn't through."""
        while self._waiting and not (self._is_busy or self._is_full or self._ended):
            exchange = self._waiting.popleft()
            reply = self._answer(exchange.request)
            if reply.after is None:
                self._send_reply(reply, exchange)
            else:
                self._is_busy = True
                self._transport.pause_reading()
                self._held = asyncio.ensure_future(self._send_after(reply.after, reply, exchange))

    def _go_on_serving(self) -> None:
        self._serve_waiting()
        if not (self._is_busy or self._is_full or self._transport.is_closing()):
            self._transport.resume_reading()

    async def _send_after(self, hold: Hold, reply: Reply, exchange: _Exchange) -> None:
        made = await hold()
        self._is_busy = False
        if not self._ended:
            self._send_reply(made or reply, exchange)
            self._go_on_serving()

    def abort(self) -> None:
        """Close the connection at once, whatever is still to be written."""
        self._transport.abort()

    def _has_large_head(self) -> bool:
        return len(self._url) + sum(map(len, chain(*self._headers))) > self._limits.head_bytes

    def _go_on(self, rest: bytes) -> None:
        """Stay with HTTP/1.1, as we may: Java's client asks for HTTP/2 with its first request.

        The parser takes the body for the other protocol; a new one gets it after the same head without that wish.
        """
        method = self._parser.get_method()
        if method == b"CONNECT":
            self._refuse_request(405, "CONNECT is for proxies, which this is not.")
            return
        kept = b"".join(b"%b: %b\r\n" % header for header in self._headers if header[0].lower() in _KEPT)
        head = b"%b %b HTTP/1.1\r\n%b" % (method, self._url, kept)
        self._parser = httptools.HttpRequestParser(self)
        self.data_received(head + b"\r\n" + rest)

    def _send_reply(self, reply: Reply, exchange: _Exchange) -> None:
        if reply.ending == "hold":
            self._close_after(min(self._limits.hold, reply.patience))
        elif reply.ending == "reset":
            self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
            self._ended = True
            self._transport.abort()
        else:
            self._write_reply(reply, exchange)

    def _write_reply(self, reply: Reply, exchange: _Exchange) -> None:
        chunked = exchange.is_modern or reply.events is None
        stays = exchange.stays and chunked and reply.ending == "whole"
        data = as_bytes(reply, keep_alive=stays, chunked=chunked)
        if reply.events is None or not (reply.pause or self._limits.write_sizes):
            self._transport.write(data)
            self._finish_reply(stays)
        else:
            self._is_busy = True
            self._transport.pause_reading()
            paced = as_pieces(reply, keep_alive=stays, chunked=chunked)
            pieces = paced if reply.pause else split_pieces(data, self._limits.write_sizes)
            self._write_pieces(pieces, stays, reply.pause)

    def _write_pieces(self, pieces: Iterator[bytes], stays: bool, pause: float) -> None:
        """Write a little, and the rest after the pause, when the loop comes round again."""
        if self._transport.is_closing():
            return
        if piece := next(pieces, b""):
            self._transport.write(piece)
            asyncio.get_running_loop().call_later(pause, self._write_pieces, pieces, stays, pause)
        else:
            self._is_busy = False
            self._finish_reply(stays)
            self._go_on_serving()

    def _finish_reply(self, stays: bool) -> None:
        if not stays:
            self._ended = True
            # Not close: a cut must not overtake what was written before it.
            asyncio.get_running_loop().call_soon(self._transport.close)

    def _watch_request(self) -> None:
        """Time a request that isn't all there, and bound its head."""
        self._received += self._fed
        self._send_ack()
        if self._in_head and self._received > self._limits.head_bytes:
            self._refuse_head()
        elif self._timer is None:
            self._start_timer(self._limits.slow_after, self._too_slow)

    def _send_ack(self) -> None:
        """Acknowledge at once: a client that writes head and body apart waits 40 ms for it otherwise."""
        if _QUICK_ACK is not None and (sock := self._transport.get_extra_info("socket")):
            sock.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)

    def _too_slow(self) -> None:
        if self._received:
            self._refuse_request(408, f"The request wasn't complete after {self._limits.slow_after:g} seconds.")
        else:
            self._transport.close()

    def _refuse_head(self) -> None:
        self._refuse_request(431, f"The headers are larger than {self._limits.head_bytes} bytes.")

    def _refuse_request(self, status: int, message: str) -> None:
        """Reply and leave, but not before the client could read it: closing on one who sends is a reset."""
        self._complaints.add(f"a request was refused: {message}")
        reply = make_error(status, message, "invalid_request_error", "bad_http")
        self._transport.write(as_bytes(reply, keep_alive=False))
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._close_after(_DRAIN)

    def _close_after(self, seconds: float) -> None:
        self._ended = True
        self._stop_timer()
        self._start_timer(seconds, self._transport.close)

    def _start_timer(self, seconds: float, then: Callable[[], None]) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, then)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
