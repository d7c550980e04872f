"""JSON-RPC with a harness, a line a message, strictly one request at a time; every breach is told with its evidence."""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Generic, Literal, Protocol, TypeVar

from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from react_tck.dialects.fields import NotFinite, check_finite, may_be_not_finite
from react_tck.dialects.markup import replace_half_pairs
from react_tck.judges.verdict import shorten_text
from react_tck.model.base import JsonObject, Value
from react_tck.model.protocol import RpcError, RpcResponse
from react_tck.subjects.api import HarnessBroken, TimedOut
from react_tck.subjects.stdio.process import LineTooLong

Result = TypeVar("Result", bound=Value)
#: What a request says: only what arrives has to be checked.
Params = Value | Mapping[str, object]

#: Characters of a harness's own text that a message shows.
_SHOWN = 500
_BROKE = "the harness broke the protocol:"
_REQUEST = b'{"jsonrpc":"2.0","id":%d,"method":"%b","params":%b}'


class RpcFailure(Exception):
    """The harness answered with an error."""

    def __init__(self, error: RpcError) -> None:
        self.error = error.model_copy(update={"message": shorten_text(error.message)})
        super().__init__(self.error.message)


class _Answer(Value, Generic[Result]):
    """An answer that is right."""

    jsonrpc: Literal["2.0"]
    id: int
    result: Result


@cache
def _build_reader(result: type[Result]) -> Callable[[bytes], _Answer[Result]]:
    """Return what reads an answer with such a result, compiled once. Strict JSON: a number in quotes is no number."""
    answer: type[_Answer[Result]] = _Answer[result]  # type: ignore[valid-type]  # made while running, for each kind
    return partial(TypeAdapter(answer).validator.validate_json, strict=True)


class Channel(Protocol):
    """What a conversation goes through: a process's streams, or a person who copies and pastes."""

    @property
    def stderr(self) -> str:
        """The end of what the harness wrote on its standard error."""

    def write_line(self, line: bytes) -> None:
        """Write a line. Raises OSError if nobody reads any more."""

    def read_line(self, timeout: float) -> bytes | None:
        """Return the next line; None if there will be no more. Raises TimeoutError, LineTooLong."""

    def describe_end(self, closed: str = "output") -> str:
        """Return how it ended, once it has; if it goes on, which of its streams it closed."""

    @property
    def has_more(self) -> bool:
        """Whether more than the latest line has come already."""

    def read_unasked(self, seconds: float = 0.0) -> bytes | None:
        """Return what is written that nobody asked for; empty at its end, None if nothing comes in time."""

    def has_read_input(self) -> bool:
        """Tell whether any of what was written last has been read, as far as can be known."""

    def end_harness(self) -> None:
        """End the harness and all that it started; of a person, ask for it."""


class Unasked(HarnessBroken):
    """What the harness did instead of answering a request may come of an earlier one.

    It does where the request hasn't been read, or the answer is another's; noise may be of either.
    """

    def __init__(self, message: str, *, is_certain: bool) -> None:
        super().__init__(message)
        self.is_certain = is_certain


class Dialogue:
    """The conversation with one harness."""

    def __init__(self, process: Channel) -> None:
        self._process = process
        self._last_id = 0
        self._answered = ""

    def find_breach(self, seconds: float = 0.0) -> str | None:
        """Return what the harness did after its latest answer, or does in so many seconds; None if it keeps quiet."""
        more = self._process.read_unasked(seconds)
        if more is None:
            return None
        did = f"wrote more ({_cut_line(more)})" if more else self._process.describe_end()
        return self._add_stderr(f"{_BROKE} it {did} after its answer to {self._answered!r}")

    def send_request(self, method: str, params: Params, result: type[Result], timeout: float) -> Result:
        """Send a request and wait, at most so many seconds, for its result.

        Raises:
            RpcFailure: if the harness answers with an error.
            HarnessBroken: if it answers with anything else than the protocol allows, or not at all.
        """
        self._last_id += 1
        self._write_request(method, _REQUEST % (self._last_id, method.encode(), _write_params(params)))
        line = self._read_line(method, timeout)
        try:
            read = self._read_answer(method, line, result)
        except RecursionError as error:
            told = f"its answer to {method!r} is nested too deep to be read: {_cut_line(line)}"
            raise self._breach_error(told) from error
        finally:
            self._answered = method
        if self._process.has_more and (breach := self.find_breach()):
            raise HarnessBroken(breach)
        return read

    def _read_answer(self, method: str, line: bytes, result: type[Result]) -> Result:
        if may_be_not_finite(line):
            self._check_numbers(method, line)
        try:
            answer: _Answer[Result] = _build_reader(result)(line)
        except ValidationError:
            pass
        else:
            if answer.id == self._last_id:
                return answer.result
        if self._is_unread():
            raise self._make_unasked_error(f"it wrote {_cut_line(line)} before it had read {method!r}")
        return self._examine_answer(method, line, result)

    def _is_unread(self) -> bool:
        """Tell whether the harness, which has answered before, has read nothing of the request."""
        return bool(self._answered) and not self._process.has_read_input()

    def _check_numbers(self, method: str, line: bytes) -> None:
        try:
            check_finite(line)
        except NotFinite as error:
            raise self._breach_error(f"its answer to {method!r} is not JSON: {error}: {_cut_line(line)}") from error

    def _examine_answer(self, method: str, line: bytes, result: type[Result]) -> Result:
        """Return the result of an answer that isn't plainly right: an error, or a breach that is to be told exactly.

        Half a surrogate pair in it is neither (ERR-017).
        """
        response = self._parse_response(method, replace_half_pairs(line))
        if response.error:
            raise RpcFailure(response.error)
        try:
            # Strict JSON: a number in quotes is no number.
            return result.model_validate_json(json.dumps(response.result), strict=True)
        except ValidationError as error:
            told = f"its result of {method!r} doesn't fit the schema: {_describe_first_error(error)}"
            raise self._breach_error(told) from error

    def _write_request(self, method: str, request: bytes) -> None:
        try:
            self._process.write_line(request)
        except TimeoutError:
            raise self._make_unasked_error(f"it did not read {method!r} within a minute") from None
        except OSError as error:
            raise self._make_unasked_error(f"it {self._process.describe_end('input')} before {method!r}") from error

    def _parse_response(self, method: str, line: bytes) -> RpcResponse:
        message = self._parse_message(method, line)
        try:
            response = RpcResponse.model_validate_json(line, strict=True)
        except ValidationError as error:
            problem = f"its answer to {method!r} is not JSON-RPC 2.0: {_describe_first_error(error)}: {_cut_line(line)}"
            raise self._breach_error(problem) from error
        if response.id != self._last_id:
            told = f"it answered request {response.id!r} when {self._last_id} was asked: {_cut_line(line)}"
            is_late = 0 < (response.id or 0) < self._last_id
            raise self._make_unasked_error(told) if is_late else self._breach_error(told)
        if ("result" in message) == ("error" in message):
            told = f"its answer to {method!r} needs exactly one of result and error: {_cut_line(line)}"
            raise self._breach_error(told)
        return response

    def _read_line(self, method: str, timeout: float) -> bytes:
        try:
            line = self._process.read_line(timeout)
        except TimeoutError:
            if self._is_unread():
                raise self._make_unasked_error(f"it did not read {method!r} within {timeout:g} seconds") from None
            told = f"the harness did not answer {method!r} within {timeout:g} seconds"
            if method == "initialize":
                told = f"{told}; `--start-timeout SECONDS` gives it more"
            if begun := self._process.read_unasked():
                told = f"{told}; it wrote, without a line break, {_cut_line(begun)}"
            raise TimedOut(self._add_stderr(told)) from None
        except LineTooLong as error:
            told = f"it wrote {error} where its answer to {method!r} was due"
            raise self._make_unasked_error(told, is_certain=self._is_unread()) from error
        if line is None and self._is_unread():
            raise self._make_unasked_error(f"it {self._process.describe_end()} before it had read {method!r}")
        if line is None:
            raise self._breach_error(f"it {self._process.describe_end()} instead of answering {method!r}")
        return line

    def _parse_message(self, method: str, line: bytes) -> JsonObject:
        try:
            message: JsonValue = json.loads(line.decode())
        except UnicodeDecodeError:
            raise self._breach_error(f"its standard output is not UTF-8: {line[:_SHOWN]!r}") from None
        except json.JSONDecodeError:
            advice = "standard output carries JSON-RPC only; print to standard error instead"
            raise self._make_unasked_error(
                f"it wrote noise on its standard output ({advice}): {_cut_line(line)}", is_certain=False
            ) from None
        except ValueError as error:  # of a number of 5,000 digits
            told = f"its answer to {method!r} is not JSON: {error}: {_cut_line(line)}"
            raise self._breach_error(told) from error
        if not isinstance(message, dict):
            raise self._breach_error(f"its answer is not a JSON object: {_cut_line(line)}")
        return message

    def _breach_error(self, what: str) -> HarnessBroken:
        return HarnessBroken(self._add_stderr(f"{_BROKE} {what}"))

    def _make_unasked_error(self, what: str, *, is_certain: bool = True) -> Unasked:
        return Unasked(self._add_stderr(f"{_BROKE} {what}"), is_certain=is_certain)

    def _add_stderr(self, what: str) -> str:
        stderr = self._process.stderr
        return f"{what}\nits standard error ends: {stderr}" if stderr else what


def _write_params(params: Params) -> bytes:
    try:
        return to_json(params, inf_nan_mode="null")
    except PydanticSerializationError:  # half a surrogate pair is no UTF-8, which JSON can escape
        said = params.model_dump() if isinstance(params, Value) else params
        return json.dumps(said).encode()


def _describe_first_error(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"]) or "the message"
    return f"{place}: {problem['msg']}"


def _cut_line(line: bytes) -> str:
    text = repr(line.decode(errors="backslashreplace"))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(line)} bytes)"
