"""The journal keeps what happened as it was when it happened, from whatever thread it came."""

from concurrent.futures import ThreadPoolExecutor

from pydantic import JsonValue

from react_tck.fakes.journal import Journal
from react_tck.model.lm import LMRequest, Message, ToolOffer
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked, Called, Returned, ToolRan


def test_args_that_change_later_stay_on_record_as_they_were() -> None:
    journal = Journal()
    inner: list[JsonValue] = ["a"]
    args: dict[str, JsonValue] = {"dishes": inner}
    journal.add_event(ToolRan(invocation=0, tool="book", args=args))
    inner.append("b")
    args["guests"] = 2
    assert journal.read_record("a case").tool_runs[0].args == {"dishes": ["a"]}


def test_trajectory_that_changes_later_stays_on_record_as_it_was() -> None:
    journal = Journal()
    trajectory: dict[str, JsonValue] = {"observation_0": ["a"]}
    journal.add_event(Returned(invocation=0, outcome=Outcome(status="ok", trajectory=trajectory)))
    observation = trajectory["observation_0"]
    assert isinstance(observation, list)
    observation.append("b")
    assert journal.read_record("a case").outcomes[0].trajectory == {"observation_0": ["a"]}


def test_offered_tool_whose_schema_changes_later_stays_on_record_as_it_was() -> None:
    journal = Journal()
    properties: dict[str, JsonValue] = {"a": {"type": "integer"}}
    offer = ToolOffer(name="add", parameters={"properties": properties})
    request = LMRequest(messages=(Message(role="user", content="2+3?"),), tools=(offer,))
    journal.add_event(Asked(invocation=0, request=request))
    properties.clear()
    kept = journal.read_record("a case").requests[0].request.tools[0]
    assert kept.parameters == {"properties": {"a": {"type": "integer"}}}


def test_events_of_many_threads_are_all_kept() -> None:
    journal = Journal()
    with ThreadPoolExecutor(max_workers=8) as threads:
        list(threads.map(journal.add_event, [Called(invocation=number) for number in range(200)]))
    kept = [event.invocation for event in journal.read_record("a case").events if isinstance(event, Called)]
    assert sorted(kept) == list(range(200))


def test_what_goes_astray_is_kept_beside_the_events() -> None:
    journal = Journal()
    journal.add_event(Called(invocation=0))
    journal.add_stray("POST /tools/nothing")
    journal.add_event(Returned(invocation=0, outcome=Outcome(status="ok")))
    journal.add_stray("POST /v1/nowhere")
    record = journal.read_record("a case")
    assert [(stray.what, stray.late) for stray in record.strays] == [
        ("POST /tools/nothing", False),
        ("POST /v1/nowhere", True),
    ]
    assert len(record.events) == 2
    assert record.of_call(0).strays == record.strays
