"""What the requests of all forms have in common, read into the model's words: their JSON, texts, offers and wishes."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, cast
from urllib.parse import parse_qs

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from react_tck.dialects.fields import check_finite, is_json, may_be_too_large
from react_tck.dialects.markup import replace_half_pairs
from react_tck.fakes.server.errors import BadRequest
from react_tck.model.base import list_mistakes
from react_tck.model.lm import LMRequest, ToolCall

#: Why nobody is told how likely a word was.
NO_LOGPROBS = "a scripted LM has no probabilities"
#: What pydantic has compiled: its own methods look it up for every request.
_REQUEST = TypeAdapter(LMRequest).validator


def json_object(body: bytes) -> dict[str, Any]:
    """Return the object that is the body.

    Raises:
        BadRequest: if it is none.
    """
    try:
        values = _parse_body(body)
    except ValueError as error:
        raise BadRequest(f"the body is not JSON: {error}") from error
    if isinstance(values, dict):
        return values
    raise BadRequest("the body is not a JSON object")


def _parse_body(body: bytes) -> Any:
    try:
        values = from_json(body, allow_inf_nan=False)
    except ValueError:
        check_finite(body)
        return from_json(replace_half_pairs(body))
    if may_be_too_large(body):
        check_finite(body)
    return values


def refuse_unmet(values: Mapping[str, Any], unmet: Mapping[str, str]) -> None:
    """Refuse what asks for more than is given here, by the name of the parameter and what to do.

    Raises:
        BadRequest: if one of the parameters has a value that asks for anything.
    """
    for name, instead in unmet.items():
        if values.get(name):
            raise BadRequest(f"`{name}` isn't supported here; {instead}")


def read_list(value: Any, name: str, *, is_needed: bool = False) -> list[Any]:
    """Return a list, an empty one where there is none.

    Raises:
        BadRequest: if it is something else, or is needed and isn't there.
    """
    if not isinstance(value, list) and (is_needed or value is not None):
        raise BadRequest(f"`{name}` is not a list")
    return value or []


def validate_request(values: Mapping[str, object]) -> LMRequest:
    """Return the request with these values.

    Raises:
        BadRequest: if they don't make one, with all that is wrong.
    """
    try:
        return cast("LMRequest", _REQUEST.validate_python(values))
    except ValidationError as error:
        raise BadRequest("; ".join(list_mistakes(error))) from error


def text_of(content: Any, where: str) -> str | None:
    """Return the text of a content that is a text or a list of parts; a part that is no text is named.

    Raises:
        BadRequest: if it is neither.
    """
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise BadRequest(f"{where}.content is neither text nor a list of parts")
    return "\n".join(_read_part(part, where) for part in content)


def _read_part(part: Any, where: str) -> str:
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        raise BadRequest(f"{where}.content has a part without a type")
    if not part["type"].endswith("text"):  # text, input_text, output_text
        return f"[{part['type']}]"
    if not isinstance(part.get("text"), str):
        raise BadRequest(f"{where}.content has a text part without a text")
    return str(part["text"])


def read_offers(tools: Any) -> list[dict[str, Any]]:
    """Return the functions offered, as chat completions nest them or as responses write them flat.

    Raises:
        BadRequest: if one isn't a function, or they are no list.
    """
    return [_read_offer(tool, f"tools[{at}]") for at, tool in enumerate(read_list(tools, "tools"))]


def _read_offer(tool: Any, where: str) -> dict[str, Any]:
    if not isinstance(tool, dict) or tool.get("type") != "function":
        raise BadRequest(f'{where} is not of type "function"')
    function = tool.get("function", tool)
    if not isinstance(function, dict):
        raise BadRequest(f"{where}.function is not an object")
    return {
        "name": function.get("name"),
        "description": function.get("description") or "",
        "parameters": function.get("parameters") or {},
        "strict": function.get("strict") or False,
    }


def read_choice(wanted: Any) -> str | None:
    """`auto`, `none`, `required`, or the name of the one tool to call; of allowed tools, which of these."""
    if not isinstance(wanted, dict):
        return wanted  # type: ignore[no-any-return]  # the model checks it
    if wanted.get("type") == "allowed_tools":
        mode: str | None = wanted.get("allowed_tools", wanted).get("mode")
        return mode
    function = wanted.get("function", wanted)
    return function.get("name") if isinstance(function, dict) else None


def read_format_kind(wanted: Any) -> str | None:
    """Return the type of a response format: `text`, `json_object` or `json_schema`; None if none is wanted."""
    return wanted.get("type") if isinstance(wanted, dict) else wanted


def read_schema(wanted: Any) -> dict[str, Any] | None:
    """Return the schema of a `json_schema` format, as chat completions nest it or as responses write it flat."""
    if not isinstance(wanted, dict) or wanted.get("type") != "json_schema":
        return None
    named = wanted.get("json_schema", wanted)
    schema = named.get("schema") if isinstance(named, dict) else None
    return schema if isinstance(schema, dict) else None


def find_args(call: ToolCall) -> dict[str, Any] | None:
    """Return the args of a call, if they are an object, as they have to be where they aren't a text."""
    args = from_json(call.arguments) if is_json(call.arguments) else None
    return args if isinstance(args, dict) else None


def read_stream(values: dict[str, Any]) -> bool:
    """Tell whether the reply is wanted as a stream.

    Raises:
        BadRequest: if that is neither true nor false.
    """
    if (said := values.get("stream")) not in (None, True, False):
        raise BadRequest("`stream` is neither true nor false")
    return bool(said)


def read_usage_wish(values: Mapping[str, Any]) -> bool:
    """Tell whether a stream is to say at its end what it has cost."""
    options = values.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))


_DEPLOYMENT = re.compile(r"/openai/deployments/(?P<name>[^/]+)(?P<rest>/.+)")
#: Newer paths, and those that name no deployment.
_NO_DEPLOYMENT = re.compile(r"/openai(?:/v1)?(?P<rest>/.+)")


#: A model, and what is asked of it.
_GOOGLES = re.compile(r"/v1(?:beta|alpha)?/(?:models|tunedModels)/(?P<name>[^/]+?)(?P<what>:\w+)")


class NamedPath(NamedTuple):
    """What is asked, as OpenAI has it, and the model that the path names."""

    path: str
    model: str = ""


def find_place(path: str, target: bytes) -> NamedPath:
    """Return the place that this path is of Azure's or Google's, or the path itself; the target has its query.

    Raises:
        BadRequest: if a deployment is asked without the version of the API, which Azure demands, or Google for a stream
            that isn't one of events.

    >>> from react_tck.fakes.server.reading import find_place
    >>> find_place("/openai/deployments/mine/chat/completions", b"/openai/?api-version=2024-10-21")
    NamedPath(path='/v1/chat/completions', model='mine')
    """
    if ":" not in path and not path.startswith("/openai/"):
        return NamedPath(path)
    query = parse_qs(target.partition(b"?")[2].decode("latin-1"))
    if found := _GOOGLES.fullmatch(path):
        if found["what"].startswith(":stream") and query.get("alt") != ["sse"]:
            raise BadRequest("the query has no `alt=sse`: a stream is given as events alone")
        return NamedPath(f"/v1beta/models/MODEL{found['what']}", found["name"])
    if found := _DEPLOYMENT.fullmatch(path):
        if "api-version" not in query:
            raise BadRequest("the query has no `api-version`, which Azure demands")
        return NamedPath(f"/v1{found['rest']}", found["name"])
    other = _NO_DEPLOYMENT.fullmatch(path)
    return NamedPath(f"/v1{other['rest']}" if other else path)
