"""JSON-RPC with a harness, strictly one request at a time; every breach is told with its evidence."""

import json
from typing import Protocol, TypeVar

from pydantic import JsonValue, ValidationError

from react_tck.model.base import JsonObject, Value
from react_tck.model.protocol import RpcError, RpcRequest, RpcResponse
from react_tck.subjects.protocol import HarnessBroken
from react_tck.subjects.stdio.process import LineTooLong

Result = TypeVar("Result", bound=Value)

#: Characters of a harness's own text that a message shows.
_SHOWN = 500


class RpcFailure(Exception):
    """The harness answered with an error."""

    def __init__(self, error: RpcError) -> None:
        super().__init__(error.message)
        self.error = error


class Channel(Protocol):
    """What a conversation goes through: a process's streams, or a person who copies and pastes."""

    @property
    def stderr(self) -> str:
        """The end of what the harness wrote on its standard error."""

    def write(self, line: bytes) -> None:
        """Write a line. Raises OSError if nobody reads any more."""

    def read(self, timeout: float) -> bytes | None:
        """The next line; None if there will be no more. Raises TimeoutError, LineTooLong."""

    def describe_end(self) -> str:
        """How it ended, once it has."""

    def end(self) -> None:
        """End it."""


class Connection:
    """The conversation with one harness."""

    def __init__(self, process: Channel) -> None:
        self._process = process
        self._last_id = 0

    def request(self, method: str, params: Value, result: type[Result], timeout: float) -> Result:
        """Send a request and wait, at most so many seconds, for its result.

        Raises:
            RpcFailure: if the harness answers with an error.
            HarnessBroken: if it answers with anything else than the protocol allows, or not at all.
        """
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": params.model_dump(mode="json")}
        self._send(RpcRequest.model_validate(message))
        response = self._response(method, timeout)
        if response.error:
            raise RpcFailure(response.error)
        try:
            # Strict JSON: a number in quotes is no number.
            return result.model_validate_json(json.dumps(response.result), strict=True)
        except ValidationError as error:
            raise self._broken(f"its result of {method!r} doesn't fit the schema: {_first(error)}") from error

    def _send(self, request: RpcRequest) -> None:
        try:
            self._process.write(request.model_dump_json().encode())
        except OSError as error:
            raise self._broken(f"it {self._process.describe_end()} before {request.method!r}") from error

    def _response(self, method: str, timeout: float) -> RpcResponse:
        line = self._line(method, timeout)
        message = self._message(line)
        try:
            response = RpcResponse.model_validate_json(line, strict=True)
        except ValidationError as error:
            problem = f"its answer to {method!r} is not JSON-RPC 2.0: {_first(error)}: {_cut(line)}"
            raise self._broken(problem) from error
        if response.id != self._last_id:
            raise self._broken(f"it answered request {response.id!r} when {self._last_id} was asked: {_cut(line)}")
        if ("result" in message) == ("error" in message):
            raise self._broken(f"its answer to {method!r} needs exactly one of result and error: {_cut(line)}")
        return response

    def _line(self, method: str, timeout: float) -> bytes:
        try:
            line = self._process.read(timeout)
        except TimeoutError:
            raise self._broken(f"it did not answer {method!r} within {timeout:g} seconds") from None
        except LineTooLong as error:
            raise self._broken(f"it answered {method!r} with {error}") from error
        if line is None:
            raise self._broken(f"it {self._process.describe_end()} instead of answering {method!r}")
        return line

    def _message(self, line: bytes) -> JsonObject:
        try:
            message: JsonValue = json.loads(line.decode())
        except UnicodeDecodeError:
            raise self._broken(f"its standard output is not UTF-8: {line[:_SHOWN]!r}") from None
        except ValueError:
            advice = "standard output carries JSON-RPC only; print to standard error instead"
            raise self._broken(f"it wrote noise on its standard output ({advice}): {_cut(line)}") from None
        if not isinstance(message, dict):
            raise self._broken(f"its answer is not a JSON object: {_cut(line)}")
        return message

    def _broken(self, what: str) -> HarnessBroken:
        stderr = self._process.stderr
        evidence = f"\nits standard error ends: {stderr}" if stderr else ""
        return HarnessBroken(f"the harness broke the protocol: {what}{evidence}")


def _first(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"]) or "the message"
    return f"{place}: {problem['msg']}"


def _cut(line: bytes) -> str:
    text = repr(line.decode(errors="backslashreplace"))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(line)} bytes)"
