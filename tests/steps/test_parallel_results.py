"""TRN-013: results with the ids of their calls may stand in any order; those without stand in their place."""

import json

import pytest

from react_tck.judges.verdict import Violation
from react_tck.model.intent import Calls, CallTool
from react_tck.model.lm import LMRequest, Message, ToolCall
from react_tck.model.record import Asked, Record
from react_tck.steps.transcript.turns import TurnReader
from tests.support.hand_made import ran, step

_CALLS = tuple(CallTool(tool="search", args={"query": city}) for city in ("Rome", "Oslo"))
_RUNS = tuple(ran("search", f"about {call.args['query']}", **call.args) for call in _CALLS)
_NATIVE = tuple(
    ToolCall(id=f"call_{number}", name=call.tool, arguments=json.dumps(call.args)) for number, call in enumerate(_CALLS)
)
_WRITTEN = [{"id": call.id, "name": call.name, "args": json.loads(call.arguments)} for call in _NATIVE]


def _natively(order: tuple[int, ...]) -> tuple[Message, ...]:
    told = [Message(role="tool", tool_call_id=_NATIVE[n].id, content=str(_RUNS[n].result)) for n in order]
    return Message(role="assistant", tool_calls=_NATIVE), *told


def _in_text(order: tuple[int, ...], *, ids: bool) -> tuple[Message, ...]:
    told = [{**({"tool_call_id": _NATIVE[n].id} if ids else {}), "result": _RUNS[n].result} for n in order]
    said = Message(role="assistant", content=f"[[ ## tool_calls ## ]]\n{json.dumps({'tool_calls': _WRITTEN})}")
    return said, *(Message(role="user", content=json.dumps(each)) for each in told)


def _read(messages: tuple[Message, ...]) -> None:
    request = Message(role="user", content="Which city?")
    shown = Asked(invocation=0, request=LMRequest(messages=(request, *messages)))
    turn = Record(case_id="c", events=(step(Calls(calls=_CALLS)), *_RUNS))
    TurnReader(shown).read_turn({"question": "Which city?"}, turn)


def test_results_with_the_ids_of_their_calls_stand_in_any_order(subtests: pytest.Subtests) -> None:
    cases: list[tuple[int, ...]] = [(0, 1), (1, 0)]
    for order in cases:
        with subtests.test(order=order):
            _read(_natively(order))
            _read(_in_text(order, ids=True))


def test_results_without_ids_stand_in_the_order_of_their_calls() -> None:
    _read(_in_text((0, 1), ids=False))
    with pytest.raises(Violation, match="after what came before"):
        _read(_in_text((1, 0), ids=False))
