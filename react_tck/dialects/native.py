"""`native`: the provider's own tool calls; an answer is plain text or the call of a tool that takes it."""

import json
from collections.abc import Mapping

from react_tck.dialects.fields import FINISH, THOUGHT, TOOL_ARGS, TOOL_NAME, ParseError, checked
from react_tck.dialects.markup import as_text
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, CallTool, Finish
from react_tck.model.lm import Ask, Completion, LMRequest, ToolCall

_STEP = (THOUGHT, TOOL_NAME, TOOL_ARGS)


def classify(request: LMRequest) -> Ask | None:
    """Tools are offered and may be chosen."""
    if not request.tools or request.tool_choice == "none":
        return None
    return Ask(phase="step", dialect="native", fields=_STEP)


def classify_last(request: LMRequest) -> Ask | None:
    """No tools are offered any more, or none may be chosen: what is left to say is the answer."""
    return None if classify(request) else Ask(phase="extraction", dialect="native", fields=())


def classify_answer(request: LMRequest, answer_tool: str) -> Ask | None:
    """The tool that takes the answer is offered."""
    offer = next((offer for offer in request.tools if offer.name == answer_tool), None)
    if offer is None:
        return None
    properties = offer.parameters.get("properties")
    fields = tuple(properties) if isinstance(properties, dict) else ()
    return Ask(phase="step", dialect="native", fields=fields, answer_tool=answer_tool)


def may_answer(request: LMRequest) -> bool:
    """Whether the LM is free to answer in text instead of calling one of the tools offered."""
    return bool(request.tools) and request.tool_choice in (None, "auto")


def render(intent: CallTool | Finish | Answer, ask: Ask) -> Completion:
    """A tool call beside the thought; an answer as text, or as the call of the tool that takes it."""
    if isinstance(intent, Answer):
        return _answer(intent, ask)
    return _call(FINISH if isinstance(intent, Finish) else intent.tool, intent.args, intent.thought)


def parse(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """The step that the reply's only tool call takes.

    Raises:
        ParseError: if there isn't exactly one call, or its arguments aren't a JSON object.
    """
    if len(completion.tool_calls) != 1:
        raise ParseError(f"the reply has {len(completion.tool_calls)} tool calls, not one")
    call = completion.tool_calls[0]
    try:
        args = json.loads(call.arguments)
    except ValueError as error:
        raise ParseError(f"the arguments of {call.name!r} are not JSON: {error}") from error
    return checked({THOUGHT: completion.content or "", TOOL_NAME: call.name, TOOL_ARGS: args}, schemas)


def _answer(intent: Answer, ask: Ask) -> Completion:
    outputs = intent.outputs
    value = next(iter(outputs.values())) if len(outputs) == 1 else outputs
    if ask.answer_tool is None:
        return Completion(content=as_text(value))
    # A tool that knows nothing of the signature's outputs takes whatever the answer is.
    takes_outputs = set(outputs) <= set(ask.fields)
    return _call(ask.answer_tool, outputs if takes_outputs else {ask.fields[0]: value}, intent.reasoning)


def _call(name: str, args: JsonObject, thought: str) -> Completion:
    # The id is made unique by the LM's door: one reply holds one call here.
    call = ToolCall(id="call_0", name=name, arguments=json.dumps(args, ensure_ascii=False))
    return Completion(content=thought or None, tool_calls=(call,), finish_reason="tool_calls")
