"""Records and episodes: read in parts, and carried through JSON without loss."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Empty, Fault, Finish, Intent, Raw, Script
from react_tck.model.lm import Ask, Completion, LMRequest, Message, ToolCall, ToolOffer
from react_tck.model.outcome import Failure, Outcome, make_error_outcome
from react_tck.model.record import Asked, Called, Record, Refused, Returned, ToolRan
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Mutates, Raises, Reports, Returns, ReturnsOddity

OFFER = ToolOffer(name="add", description="Adds.", parameters={"type": "object"})
REQUEST = LMRequest(
    messages=(
        Message(role="system", content="Be brief."),
        Message(role="developer", content="In English."),
        Message(role="user", content="2+3?"),
        Message(role="assistant", tool_calls=(ToolCall(id="1", name="add", arguments='{"a": 2}'),)),
        Message(role="tool", content="5", tool_call_id="1"),
    ),
    tools=(OFFER,),
    tool_choice="auto",
    model="tck",
)
ASKED = Asked(
    invocation=1,
    request=REQUEST,
    ask=Ask(phase="step", dialect="native", fields=("next_tool_name",)),
    intent=CallTool(tool="add", args={"a": 2}),
    completion=Completion(content="…", finish_reason="tool_calls"),
)
RAN = ToolRan(invocation=1, tool="add", args={"a": [1, {"b": None}]}, result={"sum": 5.5})
OK = Returned(invocation=1, outcome=Outcome(status="ok", outputs={"answer": "5"}, trajectory=["a"]))
RECORD = Record(
    case_id="a case",
    events=(
        Called(invocation=0),
        Returned(invocation=0, outcome=make_error_outcome(TypeError("no such input"))),
        Called(invocation=1),
        ASKED,
        RAN,
        Asked(invocation=1, request=REQUEST, refusal="script exhausted"),
        OK,
    ),
    left_over=(Finish(), Empty(sticky=True)),
)


def test_record_gives_requests_tool_runs_and_outcomes_in_order() -> None:
    assert [asked.refusal for asked in RECORD.requests] == [None, "script exhausted"]
    assert RECORD.tool_runs == (RAN,)
    assert [outcome.status for outcome in RECORD.outcomes] == ["error", "ok"]


def test_record_of_a_call_holds_only_what_happened_in_it() -> None:
    assert RECORD.of_call(0).events == RECORD.events[:2]
    assert RECORD.of_call(1).events == RECORD.events[2:]
    assert RECORD.of_call(2).events == ()


def test_refused_construction_is_on_record_and_belongs_to_no_call() -> None:
    refusal = Failure(type="ValueError", message="no outputs")
    record = Record(case_id="a case", events=(Refused(error=refusal),))
    assert record.refusal == refusal
    assert record.of_call(0).events == ()
    assert RECORD.refusal is None


def test_record_survives_json() -> None:
    assert Record.model_validate_json(RECORD.model_dump_json()) == RECORD


def test_error_becomes_an_outcome_with_its_type_and_message() -> None:
    outcome = make_error_outcome(KeyError("question"))
    assert outcome.status == "error"
    assert outcome.error == Failure(type="KeyError", message="'question'")


# What the LM reads


def test_system_text_is_that_of_system_and_developer_messages() -> None:
    assert REQUEST.system_text == "Be brief.\nIn English."


@pytest.mark.parametrize("shown", ["Be brief.", "2+3?", "Adds.", '{"a": 2}', "'type': 'object'"])
def test_text_of_a_request_is_all_that_the_lm_reads(shown: str) -> None:
    assert shown in REQUEST.text


# Episodes


def _episode(script: Script) -> Episode:
    case = Case(
        id="a case",
        signature=parse_arrow("question, past: History -> answer: list[str]"),
        tools=(TOOLBOX["add"].model_copy(update={"is_async": True, "callable_form": "method"}), TOOLBOX["book"]),
        options=Options(max_steps=0, adapter="json", module_adapter="xml"),
        invocations=(Invocation(inputs={"question": "2+3"}, history=({"question": "hi"},), max_steps=2, mode="async"),),
    )
    behaviours = (
        Returns(value=[1, {"a": None}]),
        ReturnsOddity(oddity="bytes"),
        Raises(message="no"),
        Mutates(),
        Reports(),
    )
    return Episode(case=case, script=script, behaviours={"add": behaviours}, nonce="n0nce")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
OBJECTS: st.SearchStrategy[JsonObject] = st.dictionaries(st.text(), JSON, max_size=3)
INTENTS: st.SearchStrategy[Intent] = st.one_of(
    st.builds(CallTool, tool=st.text(), args=OBJECTS, thought=st.text(), sticky=st.booleans()),
    st.builds(Finish, args=OBJECTS, thought=st.text(), sticky=st.booleans()),
    st.builds(Answer, outputs=OBJECTS, reasoning=st.text(), sticky=st.booleans()),
    st.builds(Raw, text=st.text(), sticky=st.booleans()),
    st.builds(Empty, sticky=st.booleans()),
    st.builds(Fault, fault=st.sampled_from(["rate-limit", "timeout", "server-error", "context-window"])),
)
SCRIPTS = st.builds(
    Script, steps=st.lists(INTENTS, max_size=3).map(tuple), answers=st.lists(INTENTS, max_size=3).map(tuple)
)


@given(script=SCRIPTS)
def test_episode_survives_json_so_that_it_can_be_played_again_anywhere(script: Script) -> None:
    episode = _episode(script)
    assert Episode.model_validate_json(episode.model_dump_json()) == episode


def test_misspelt_key_in_a_message_is_an_error() -> None:
    with pytest.raises(ValidationError, match="max_step"):
        Options.model_validate({"max_step": 3})


def test_intent_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValidationError, match="kind"):
        TypeAdapter(Intent).validate_python({"kind": "shout"})


def test_values_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        RAN.tool = "search"  # type: ignore[misc]
