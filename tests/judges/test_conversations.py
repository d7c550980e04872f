"""What a conversation keeps of the LM's own words, in records made by hand (CNV-002)."""

import pytest

from react_tck.judges.conversations import find_conversation_breaks
from react_tck.model.case import Invocation, Options, Resumption
from react_tck.model.intent import CallTool, Intent
from react_tck.model.lm import LMRequest, Message
from react_tck.model.record import Asked, Called, Record, Resumed
from react_tck.record.evidence import Evidence
from tests.support.hand_made import MANIFEST, ids, played, ran, returned, step

ASKED = (Message(role="system", content="Converse."), Message(role="user", content="2+3"))
FIELDS = ("reasoning", "tool_name", "tool_args", "response")


def _asked(intent: Intent, *more: Message) -> Asked:
    asked = step(intent)
    assert asked.ask
    told = {
        "ask": asked.ask.model_copy(update={"dialect": "machina", "fields": FIELDS}),
        "request": LMRequest(messages=(*ASKED, *more)),
    }
    return asked.model_copy(update=told)


@pytest.mark.parametrize("tool", ["add", "multiply"])
@pytest.mark.parametrize(
    ("kept", "violated"),
    [
        ("I call {}.", []),
        ("(unreadable)", ["CNV-002"]),
        ("[[ ## tool_name ## ]]\n{0}\n\n[[ ## response ## ]]\nI call {0}.", []),
        ("[[ ## tool_name ## ]]\n(unreadable)\n\n[[ ## response ## ]]\nI call {0}.", ["CNV-002"]),
    ],
)
def test_the_tool_that_the_lm_named_stays_in_its_own_message(tool: str, kept: str, violated: list[str]) -> None:
    call = CallTool(tool=tool, args={})
    said = Message(role="assistant", content=kept.format(tool))
    episode, record = played(_asked(call), _asked(call, said, Message(role="user", content=f"{tool} said 5")))
    case = episode.case.model_copy(update={"options": Options(system="conversation")})
    found = find_conversation_breaks(Evidence(episode.model_copy(update={"case": case}), MANIFEST, record))
    assert [id_ for id_ in ids(found) if id_ == "CNV-002"] == violated


@pytest.mark.parametrize(("response", "violated"), [('{"edit": {"name": "add"}}', []), ("yes", ["CNV-002"])])
def test_a_person_may_choose_another_tool_than_the_lm_named(response: str, violated: list[str]) -> None:
    call, resumed = CallTool(tool="search", args={}), Resumed(invocation=0, resumption=Resumption(response=response))
    said = Message(role="assistant", content="I call add.")
    episode, record = played(_asked(call), resumed, _asked(call, said, Message(role="user", content="it said 5")))
    case = episode.case.model_copy(update={"options": Options(system="conversation")})
    found = find_conversation_breaks(Evidence(episode.model_copy(update={"case": case}), MANIFEST, record))
    assert [id_ for id_ in ids(found) if id_ == "CNV-002"] == violated


@pytest.mark.parametrize(("kept", "violated"), [("one add five 5, two", []), ("two add", ["CNV-009"] * 3)])
def test_the_history_of_a_later_turn_holds_the_turns_before_it(kept: str, violated: list[str]) -> None:
    calls = (Invocation(inputs={"question": "one"}), Invocation(inputs={"question": "two"}, follows=0))
    call = CallTool(tool="add", args={"a": 2, "b": 3})
    first = (_asked(call), ran(result="five"), returned(history=[{"said": "one add five 5"}]))
    later = (_asked(call), returned(history=[{"said": kept}]))
    events = (*first, *(event.model_copy(update={"invocation": 1}) for event in later))
    episode, _ = played()
    case = episode.case.model_copy(update={"options": Options(system="conversation"), "invocations": calls})
    begun = (Called(invocation=0), Called(invocation=1))
    record = Record(case_id="c", events=(*begun, *events))
    found = find_conversation_breaks(Evidence(episode.model_copy(update={"case": case}), MANIFEST, record))
    assert [id_ for id_ in ids(found) if id_ == "CNV-009"] == violated
