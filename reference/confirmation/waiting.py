"""From a loop whose call waits for a person to an exception that is a value, and back (S3)."""

import json
from functools import partial
from typing import Any
from uuid import uuid4

from pydantic import ValidationError

from react_tck.model.base import JsonObject
from react_tck.reference.confirmation.response import CLARIFY, read_response
from react_tck.reference.confirmation.suspension import (
    CONFIRMATIONS,
    ConfirmationRequired,
    ResponseRefused,
    WaitingCall,
)
from react_tck.reference.loop import AwaitResponse, Call, Ending, Event, State
from react_tck.reference.seams import Site
from react_tck.reference.tools import BoundTool


def suspend_call(
    state: State, context: dict[str, Any], kind: type[ConfirmationRequired] = ConfirmationRequired
) -> ConfirmationRequired:
    """Return what is raised where a call waits; a person counts as asked from here on (CNF-001, CNF-002, CNF-007)."""
    assert isinstance(state.action, AwaitResponse)
    call, confirmation_id = state.action.call, str(uuid4())
    waiting = WaitingCall(name=call.name, args=call.args, call_id=call.id)
    CONFIRMATIONS.record_question(confirmation_id, waiting)
    # With the id, so that a response can't be given to another confirmation than it was asked for.
    saved = {"confirmation_id": confirmation_id, "loop": state.model_dump(mode="json")}
    return kind(
        _write_question(call), confirmation_id=confirmation_id, tool_call=waiting, context=context | {"state": saved}
    )


def reopen_call(saved: ConfirmationRequired, ending: Ending, tools: tuple[str, ...]) -> tuple[State, Call]:
    """Return the loop's state, and the call that waits in it (CNF-008).

    Raises:
        ResponseRefused: if it isn't a suspended call of an agent with these tools, or not of that id.
    """
    context = saved.context.get("state")
    if not isinstance(context, dict) or context.get("confirmation_id") != saved.confirmation_id:
        raise ResponseRefused(f"the confirmation id {saved.confirmation_id!r} is unknown")
    try:
        state = State.model_validate(context["loop"])
    except ValidationError as error:
        raise ResponseRefused(f"the saved state can't be read: {error}") from error
    if state.ending != ending:
        raise ResponseRefused(f"the saved state can't be read: its run ends by {state.ending!r}, not by {ending!r}")
    if not isinstance(state.action, AwaitResponse) or not set(state.tools) <= set(tools):
        raise ResponseRefused(f"the saved state is not of an agent with the tools {', '.join(tools)}")
    return state, state.action.call


def apply_response(site: Site, call: Call, confirmation_id: str, said: str) -> Event:
    """Return what a person's response to a call that waits comes to; there is one response to each.

    Raises:
        ResponseRefused: if it isn't one, or comes twice.
    """
    tools = tuple(name for name in site.state.tools if name != CLARIFY)
    decision = site.agent.seams.response(site, partial(read_response, call=call, tools=tools), said)
    CONFIRMATIONS.record_response(confirmation_id, decision.status)
    made: Event = decision.event
    return made


def make_clarification_tool() -> BoundTool:
    """Return the built-in tool with which the agent asks a person; it never runs, for its answer comes from outside."""
    description = "Ask the user when something needed is missing or unclear. The observation is the answer."
    args: JsonObject = {"question": {"type": "string"}}
    return BoundTool(CLARIFY, description, args, _refuse_to_run, require_confirmation=True)


def _write_question(call: Call) -> str:
    args = json.dumps(call.args, ensure_ascii=False)
    if call.name == CLARIFY:
        return str(call.args.get("question") or args)
    return f"Confirm execution of {call.name} with args: {args}? (yes/no)"


def _refuse_to_run(question: str) -> str:
    raise AssertionError(f"nobody was asked: {question}")
