"""What a request demands of the reply by the API's own parameters, and what no provider would reply to it."""

from collections.abc import Iterator, Mapping

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from react_tck.dialects.fields import strict_json
from react_tck.model.lm import Completion, LMRequest


def find_unmet_demands(completion: Completion, request: LMRequest) -> Iterator[str]:
    """Yield a sentence for every demand that the reply doesn't meet."""
    yield from _check_choice(completion, request)
    if len(completion.tool_calls) > 1 and not request.parallel_tool_calls:
        yield f"the request allows one call at a time, and the reply makes {len(completion.tool_calls)}"
    strict = {offer.name: offer.parameters for offer in request.tools if offer.strict}
    for call in completion.tool_calls:
        if wrong := _find_misfit(call.arguments, strict.get(call.name)):
            yield f"{call.name!r} is strict, and its arguments {call.arguments} don't fit: {wrong}"
    if not completion.tool_calls and (wrong := _find_misfit(completion.content or "", request.answer_schema)):
        yield f"the answer isn't what the request's schema demands: {wrong}"


def find_unoffered_tools(completion: Completion, request: LMRequest) -> Iterator[str]:
    """Yield a sentence for every tool that the reply calls, and that the request doesn't offer."""
    offered = [offer.name for offer in request.tools]
    for name in dict.fromkeys(call.name for call in completion.tool_calls):
        if name not in offered:
            yield (
                f"the reply calls {name!r}, which isn't among the tools offered ({', '.join(offered) or 'none'}); "
                "where that is meant, the reply says so: on_purpose"
            )


def _check_choice(completion: Completion, request: LMRequest) -> Iterator[str]:
    called = [call.name for call in completion.tool_calls]
    match request.tool_choice:
        case None | "auto":
            return
        case "none" if called:
            yield f"the request lets no tool be called, and the reply calls {called[0]!r}"
        case "required" if not called:
            yield "the request demands that a tool is called, and the reply calls none"
        case name if name not in ("none", "required") and set(called) != {name}:
            yield f"the request demands a call of {name!r}, and the reply calls {', '.join(called) or 'none'}"


def _find_misfit(text: str, schema: Mapping[str, JsonValue] | None) -> str | None:
    """Return what is wrong with a JSON text, if it has to fit a schema."""
    if schema is None:
        return None
    try:
        value = strict_json(text)
    except ValueError as error:
        return f"it is not JSON: {error}"
    found = next(Draft202012Validator(schema).iter_errors(value), None)
    return found and f"at {found.json_path}, {found.message}"
