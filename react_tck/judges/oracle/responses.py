"""Where a suspended call goes on after a person's response (CNF-003 to CNF-006, CNF-011, CNF-012)."""

from collections.abc import Iterator
from dataclasses import replace

from react_tck.judges.oracle.positions import Position, Reason, refuse_response
from react_tck.judges.oracle.rules import Rules
from react_tck.model.intent import CallTool
from react_tck.model.record import Resumed
from react_tck.record.approvals import find_agreed_call, is_taken, read_decision
from react_tck.reference import loop


def follow_response(rules: Rules, position: Position, said: Resumed) -> Iterator[Position]:
    """Yield the positions to which a response leads; one that can't be taken is refused, and the call waits on."""
    action = position.action
    if position.stage != "suspended" or not isinstance(action, loop.AwaitResponse):
        yield refuse_response(position)
        return
    is_answer = action.call.name == rules.clarification_tool and said.resumption.confirmation_id is None
    if is_answer and said.resumption.response.strip():
        yield rules.advance_position(position, loop.Declined(observation=None), "clarified")
    elif is_taken(said):
        for after in _follow_decision(rules, position, action.call, said):
            yield after
            # Who doesn't keep the LM's reply asks for it once more; what the person said holds for it (udspy).
            if after.stage != "refusing":
                yield replace(after, stage="repeating")
    else:
        yield refuse_response(position)


def _follow_decision(rules: Rules, position: Position, call: loop.Call, said: Resumed) -> Iterator[Position]:
    asked = CallTool(tool=call.name, args=call.args)
    may_run = find_agreed_call(asked, (said,))
    if may_run is None:
        rejected = read_decision(said.resumption.response) == "no"
        yield rules.advance_position(position, loop.Declined(observation=None), "declined" if rejected else "fed back")
        return
    if may_run.tool not in position.state.tools:
        yield refuse_response(position)
        yield rules.advance_position(position, loop.Declined(observation=None), "replaced")
        return
    reason: Reason = "approved" if may_run == asked else "edited" if may_run.tool == asked.tool else "replaced"
    yield rules.advance_position(position, loop.Approved(tool=may_run.tool, args=may_run.args), reason)
