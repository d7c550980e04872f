"""`POST /tools/{name}`: runs the kit's own tools for subjects that can't be handed Python functions."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from react_tck.fakes.server.chat import json_object
from react_tck.fakes.server.errors import BadRequest, error, invalid
from react_tck.fakes.server.wire import Reply

Tools = Mapping[str, Callable[[dict[str, Any]], Any]]


def run(tools: Tools, name: str, body: bytes) -> Reply:
    """Run a tool with the args object that is the body; what it raises is an answer too."""
    if name not in tools:
        known = ", ".join(tools) or "none"
        return error(404, f"There is no tool {name!r}; there are: {known}.", "invalid_request_error", "unknown_tool")
    try:
        args = json_object(body)
    except BadRequest as wrong:
        return invalid(f"The body is the args object of the tool: {wrong}.")
    return Reply(body=_run(tools[name], args))


def _run(tool: Callable[[dict[str, Any]], Any], args: dict[str, Any]) -> bytes:
    try:
        result = tool(args)
    except Exception as raised:
        return json.dumps({"error": str(raised)}).encode()
    return _as_json(result)


def _as_json(result: Any) -> bytes:
    """What JSON can't hold is shown as Python writes it."""
    try:
        return json.dumps({"result": result}, allow_nan=False).encode()
    except (TypeError, ValueError):
        return json.dumps({"result": repr(result)}).encode()
