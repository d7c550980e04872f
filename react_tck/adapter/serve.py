"""Drives a class under an interpreter in which the kit isn't installed: `PYTHON serve.py module:Class`.

It answers the requests of docs/PROTOCOL.md, and two more that say what was seen beside the outcome: `changes` and
`heard`. What the agent's tools and LM do it asks the kit for.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import IO, Any, Callable  # noqa: UP035 - Python 3.9
from urllib.parse import urlsplit


def find_kit() -> None:
    """Have `import react_tck` find this file's package, and nothing else that lies beside it."""
    folder = Path(__file__).resolve().parents[1]
    spec = spec_from_file_location("react_tck", folder / "__init__.py", submodule_search_locations=[str(folder)])
    assert spec, "the file is there"
    assert spec.loader, "it is Python"
    sys.modules["react_tck"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["react_tck"])


# Processes that the user's code spawns run this, too.
if __name__ != "react_tck.adapter.serve":
    find_kit()

from react_tck.adapter.agent import BuiltAgent, OperationMissing, read_reply  # noqa: E402
from react_tck.adapter.declare import SubjectError, find_declaration  # noqa: E402
from react_tck.adapter.values import (  # noqa: E402
    AdapterBroken,
    Caller,
    wait_for_threads,
)

#: Codes of JSON-RPC errors; the latter three are docs/PROTOCOL.md's, and one that only a kit and this file speak.
_METHOD_NOT_FOUND, _CONSTRUCTION_REFUSED, _OPERATION_REFUSED, BROKEN = -32601, -32001, -32002, -32003
#: Seconds in which the kit answers; it never takes as long.
_TIMEOUT = 120
#: The operations whose errors are outcomes.
_WITH_OUTCOME = ("call", "calls", "resume")


class Route:
    """Asks the kit by HTTP, each thread on a connection of its own."""

    def __init__(self, url: str, endpoint: dict[str, Any]) -> None:
        self._parts = urlsplit(url)
        self._endpoint = endpoint

    def ask(self, kind: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Return what the kit says."""
        if kind == "endpoint":
            return self._endpoint
        connection = http.client.HTTPConnection(str(self._parts.hostname), self._parts.port, timeout=_TIMEOUT)
        try:
            connection.request("POST", f"{self._parts.path}/{kind}", json.dumps(asked))
            answer: dict[str, Any] = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        if "error" in answer:
            raise AdapterBroken(str(answer["error"]))
        said: dict[str, Any] = answer["result"]
        return said


class Served:
    """An agent, and what its caller sees."""

    def __init__(self, made: type, params: Mapping[str, Any], is_watched: bool) -> None:
        self.threads: set[threading.Thread] = set(threading.enumerate())
        self._is_watched = is_watched
        self._caller = Caller()
        self.agent = BuiltAgent(made, params, Route(params["tools_url"], params["lm"]).ask, self._caller)

    def list_changes(self) -> list[Any]:
        """Return the objects that have changed, once the threads that the latest call has left were granted a while."""
        wait_for_threads(self.threads)
        self.threads = set(threading.enumerate())
        return [list(change) for change in self._caller.find_changes()] if self._is_watched else []


class Server:
    """Answers the requests for one class."""

    def __init__(self, made: type, manifest: Mapping[str, Any]) -> None:
        self._made, self._manifest = made, manifest
        self._agents: dict[str, Served] = {}
        self._methods: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "initialize": lambda _: manifest,
            "construct": self._construct_agent,
            "calls": self._call_at_once,
            "call": lambda params: self._find(params).agent.call(params),
            "resume": lambda params: self._find(params).agent.resume(params),
            "status": lambda params: {"status": self._find(params).agent.status(params["confirmation_id"])},
            "describe": lambda params: {"told": self._find(params).agent.describe()},
            "dump": lambda params: {"state": self._find(params).agent.dump()},
            "load": self._load_state,
            "parse": lambda params: read_reply(made, params, manifest["parse_errors"]),
            "changes": lambda params: {"changes": self._find(params).list_changes()},
            "heard": lambda params: {"notices": self._find(params).agent.list_notices()},
        }

    def serve_lines(self, requests: IO[bytes], responses: IO[str]) -> None:
        """Answer line by line until there are no more requests."""
        for line in requests:
            request = json.loads(line)
            answer = {"jsonrpc": "2.0", "id": request["id"], **self._answer_request(request)}
            responses.write(json.dumps(answer) + "\n")
            responses.flush()

    def _answer_request(self, request: Mapping[str, Any]) -> dict[str, Any]:
        name = request["method"]
        if name not in self._methods:
            return _make_error(_METHOD_NOT_FOUND, f"there is no {name!r}")
        try:
            return {"result": self._methods[name](request["params"])}
        except AdapterBroken as broken:
            return _make_error(BROKEN, str(broken))
        except OperationMissing as missing:
            return _make_error(_OPERATION_REFUSED, str(missing))
        except (Exception, SystemExit) as error:
            told = f"{type(error).__name__}: {error}"
            if name in _WITH_OUTCOME or not isinstance(error, Exception):
                return _make_error(BROKEN, f"{'constructing' if name == 'construct' else 'calling'} raised {told}")
            return _make_error(_CONSTRUCTION_REFUSED if name == "construct" else _OPERATION_REFUSED, told)

    def _construct_agent(self, params: Mapping[str, Any]) -> dict[str, str]:
        served = Served(self._made, params, "caller-objects" in self._manifest["capabilities"])
        name = str(len(self._agents) + 1)
        self._agents[name] = served
        return {"instance": name}

    def _call_at_once(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Each in a thread of its own, an event loop of its own in it where the calls are asynchronous."""
        calls = params["calls"]
        with ThreadPoolExecutor(len(calls)) as threads:
            return {"outcomes": list(threads.map(lambda call: self._find(call).agent.call(call), calls))}

    def _load_state(self, params: Mapping[str, Any]) -> dict[str, Any]:
        self._find(params).agent.load(params["state"])
        return {}

    def _find(self, params: Mapping[str, Any]) -> Served:
        return self._agents[params["instance"]]


def _make_error(code: int, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def own_output() -> IO[str]:
    """Return the standard output, for answers alone: whatever else writes there goes to the standard error.

    So does what a logger writes that was made before, and kept the standard output that it found.
    """
    sys.stdout.flush()
    responses = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return responses


def find_class(path: str) -> tuple[type, dict[str, Any]]:
    """Return the class and its manifest; where it can't be had, the process ends with a sentence."""
    module, _, name = path.partition(":")
    try:
        made: Any = getattr(import_module(module), name, None)
    except SubjectError as error:
        sys.exit(f"{module}: {error}")
    except Exception as error:
        sys.exit(f"importing {module!r} with {sys.executable} raised {type(error).__name__}: {error}")
    manifest = find_declaration(made)
    if manifest is None:
        sys.exit(f"{module!r} has no class {name!r} that @react_tck.subject(name, version=…, …) has decorated")
    return made, manifest


def main() -> None:
    """Serve the class that is named until standard input ends."""
    responses = own_output()
    # Modules are found where the user stands, as `python -m` has it, and not beside this file.
    sys.path[:] = [os.getcwd(), *(path for path in sys.path if path != str(Path(__file__).parent))]  # noqa: PTH109
    Server(*find_class(sys.argv[1])).serve_lines(sys.stdin.buffer, responses)


if __name__ == "__main__":
    main()
