"""Serves an in-process subject over standard input and output, as a harness in another language would."""

import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from pydantic import ValidationError

from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Resumption
from react_tck.model.protocol import (
    CONSTRUCTION_REFUSED,
    OPERATION_REFUSED,
    CallParams,
    CallsParams,
    ConfirmationStatus,
    Constructed,
    ConstructParams,
    DescribeParams,
    Dumped,
    DumpParams,
    Loaded,
    LoadParams,
    Parsing,
    ResumeParams,
    RpcError,
    RpcRequest,
    RpcResponse,
    StatusParams,
)
from react_tck.subjects.api import (
    ConstructionError,
    Endpoints,
    Inspectable,
    Instance,
    OperationRefused,
    Parser,
    Portable,
    Resumable,
    Subject,
    run_operation,
)
from react_tck.subjects.stdio.remote import RemoteLM, RemoteTool

_INVALID_PARAMS = -32602
_INVALID_REQUEST = -32600
_METHOD_NOT_FOUND = -32601
#: What only the process that the kit runs in can show: the wire carries neither objects nor what interrupts a thread.
_IN_PROCESS = ("caller-objects", "model-args", "live-results", "opaque-results", "tool-interruptions", "callbacks")


class Harness:
    """Answers the protocol's requests for one subject."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._instances: dict[str, Instance] = {}
        self._methods: dict[str, Callable[[JsonObject], Any]] = {
            "initialize": self._initialize_subject,
            "construct": self._construct_instance,
            "call": self._call_instance,
            "calls": self._call_at_once,
            "resume": self._resume_call,
            "status": self._read_status,
            "describe": self._describe_instance,
            "dump": self._dump_state,
            "load": self._load_state,
        }
        if isinstance(subject, Parser):
            self._methods["parse"] = lambda params: _parse_reply(subject, params)

    def serve_lines(self, requests: IO[str], responses: IO[str]) -> None:
        """Answer line by line until there are no more requests."""
        for line in requests:
            responses.write(self.answer_request(line) + "\n")
            responses.flush()

    def answer_request(self, line: str) -> str:
        """Return the answer to one request."""
        try:
            request = RpcRequest.model_validate_json(line)
        except ValidationError as error:
            return _render_failure(None, _INVALID_REQUEST, str(error))
        if request.method not in self._methods:
            return _render_failure(request.id, _METHOD_NOT_FOUND, f"there is no {request.method!r}")
        try:
            result = self._methods[request.method](request.params)
        except ConstructionError as refusal:
            return _render_failure(request.id, CONSTRUCTION_REFUSED, str(refusal))
        except OperationRefused as refusal:
            return _render_failure(request.id, OPERATION_REFUSED, str(refusal))
        except ValidationError as error:
            return _render_failure(request.id, _INVALID_PARAMS, str(error))
        return json.dumps({"jsonrpc": "2.0", "id": request.id, "result": result})

    def _initialize_subject(self, _: JsonObject) -> Any:
        manifest = self._subject.initialize()
        here = tuple(name for name in manifest.capabilities if name not in _IN_PROCESS)
        return manifest.model_copy(update={"capabilities": here}).model_dump(mode="json")

    def _construct_instance(self, params: JsonObject) -> Any:
        wanted = ConstructParams.model_validate(params)
        endpoints = Endpoints(
            lm=RemoteLM(wanted.lm).complete,
            tools=tuple(RemoteTool(tool, wanted.tools_url) for tool in wanted.tools),
            endpoint=wanted.lm,
        )
        instance = self._subject.construct(wanted.signature, wanted.tools, wanted.options, endpoints)
        name = str(len(self._instances) + 1)
        self._instances[name] = instance
        return Constructed(instance=name).model_dump()

    def _call_instance(self, params: JsonObject) -> Any:
        wanted = CallParams.model_validate(params)
        invocation = Invocation.model_validate(wanted.model_dump(exclude={"instance"}))
        return self._instances[wanted.instance].call(invocation).model_dump(mode="json")

    def _call_at_once(self, params: JsonObject) -> Any:
        """Return each in a thread of its own, an event loop of its own in it where the calls are asynchronous."""
        wanted = [call.model_dump() for call in CallsParams.model_validate(params).calls]
        with ThreadPoolExecutor(len(wanted)) as threads:
            return {"outcomes": list(threads.map(self._call_instance, wanted))}

    def _resume_call(self, params: JsonObject) -> Any:
        wanted = ResumeParams.model_validate(params)
        resumption = Resumption(response=wanted.response, mode=wanted.mode)
        return self._find_resumable(wanted.instance).resume(wanted.suspension, resumption).model_dump(mode="json")

    def _read_status(self, params: JsonObject) -> Any:
        wanted = StatusParams.model_validate(params)
        status = self._find_resumable(wanted.instance).status(wanted.confirmation_id)
        return ConfirmationStatus(status=status).model_dump()

    def _describe_instance(self, params: JsonObject) -> Any:
        instance = self._instances[DescribeParams.model_validate(params).instance]
        if not isinstance(instance, Inspectable):
            raise _make_refusal("inspected")
        return run_operation(instance.describe).model_dump(mode="json")

    def _dump_state(self, params: JsonObject) -> Any:
        wanted = DumpParams.model_validate(params)
        return Dumped(state=run_operation(self._find_portable(wanted.instance).dump)).model_dump()

    def _load_state(self, params: JsonObject) -> Any:
        wanted = LoadParams.model_validate(params)
        portable = self._find_portable(wanted.instance)
        run_operation(lambda: portable.load(wanted.state))
        return Loaded().model_dump()

    def _find_resumable(self, name: str) -> Resumable:
        instance = self._instances[name]
        if not isinstance(instance, Resumable):
            raise _make_refusal("resumed")
        return instance

    def _find_portable(self, name: str) -> Portable:
        instance = self._instances[name]
        if not isinstance(instance, Portable):
            raise _make_refusal("saved")
        return instance


def serve_subject(subject: Subject) -> None:
    """Serve on the real standard streams; what the subject prints goes to the standard error.

    So does what a logger writes that was made before, and kept the standard output that it found.
    """
    sys.stdout.flush()
    output = sys.stdout.fileno()
    with os.fdopen(os.dup(output), "w", encoding=sys.stdout.encoding, errors=sys.stdout.errors) as responses:
        os.dup2(sys.stderr.fileno(), output)
        sys.stdout = sys.stderr
        Harness(subject).serve_lines(sys.stdin, responses)


def _parse_reply(parser: Parser, params: JsonObject) -> Any:
    return parser.parse(Parsing.model_validate(params)).model_dump(mode="json")


def _make_refusal(done: str) -> OperationRefused:
    return OperationRefused(f"an instance of this subject can't be {done}")


def _render_failure(request_id: int | None, code: int, message: str) -> str:
    error = RpcError(code=code, message=message)
    response = RpcResponse(jsonrpc="2.0", id=request_id, error=error)
    return response.model_dump_json(exclude={"result"})
