"""The sanitizers with turns of several calls, and with answers that came by submit."""

from dataclasses import replace

import pytest

from react_tck.fakes.lm import SPENT
from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.tool_args import find_unread_models
from react_tck.model.case import Resumption
from react_tck.model.intent import Answer, Calls, CallTool, Fault, Submit
from react_tck.model.record import Called, Event, Resumed, Returned, ToolRan
from react_tck.model.tool import Behaviour, Raises, Reads, Tool
from tests.support.hand_made import ADD, TASK, found, ids, ran, returned, scene, step

SEARCH = CallTool(tool="search", args={"query": "sums"})
MORE = CallTool(tool="add", args={"a": 4, "b": 5})
TOOLS = (TOOLBOX["add"], TOOLBOX["search"])
SHOWN = f"{TASK} search {TOOLBOX['search'].description} five"
FIVE = Submit(outputs={"answer": "5"})


def played(*runs: ToolRan, calls: tuple[CallTool, ...] = (ADD, SEARCH, MORE)) -> set[str]:
    """What is found in a run of one turn with several calls, and a submit."""
    events: tuple[Event, ...] = (Called(invocation=0), step(Calls(calls=calls), SHOWN), *runs, step(FIVE, SHOWN))
    return found(*events[1:], returned(), tools=TOOLS)


def searched() -> ToolRan:
    return ran("search", query="sums")


def test_each_call_of_a_turn_may_run_in_any_order() -> None:
    assert played(ran(a=4, b=5), searched(), ran()) == set()


def test_a_call_that_the_kit_ended_is_not_judged() -> None:
    events = (step(Calls(calls=(ADD, SEARCH)), SHOWN), ran())
    assert found(*events, step(FIVE, SHOWN), returned(), tools=TOOLS) == {"SAN-003"}
    assert found(*events, tools=TOOLS) == set()


def test_a_call_that_asked_more_than_an_episode_may_is_not_judged() -> None:
    asked = step(FIVE, SHOWN).model_copy(update={"intent": None, "completion": None})
    refused = [asked.model_copy(update={"refusal": f"{why}: no more"}) for why in ("script exhausted", SPENT)]
    events = (step(Calls(calls=(ADD, SEARCH)), SHOWN), ran())
    first, second = (found(*events, end, returned(), tools=TOOLS) for end in refused)
    assert first == {"SAN-003", "SAN-007"}
    assert second == set()


def test_what_was_submitted_is_the_answer() -> None:
    assert found(step(FIVE, SHOWN), returned(), tools=TOOLS) == set()


def test_a_submit_is_no_call_of_a_tool_of_the_users() -> None:
    assert found(step(FIVE, SHOWN), step(Answer(outputs={"answer": "5"})), returned(), tools=TOOLS) == set()


# Where `add` needs a person's confirmation: the LM calls add, search, and add with other args in one turn.


def suspended(call: CallTool) -> Returned:
    return returned({}, status="suspended", suspension={"tool_call": {"name": call.tool, "args": call.args}})


def refused() -> Returned:
    return returned({}, status="error")


def says(response: str) -> Resumed:
    return Resumed(invocation=0, resumption=Resumption(response=response))


def confirmed(*events: Event) -> set[str]:
    """What is found in a call whose one turn goes on like this."""
    tools = (TOOLBOX["add"].model_copy(update={"confirm": True}), TOOLBOX["search"])
    return found(step(Calls(calls=(ADD, SEARCH, MORE)), SHOWN), *events, tools=tools)


def test_calls_that_each_were_agreed_to_run_beside_the_others() -> None:
    first = (suspended(ADD), says("yes"), ran(), searched(), suspended(MORE))
    assert confirmed(*first, says("yes"), ran(a=4, b=5), step(FIVE, SHOWN), returned()) == set()


def test_nothing_is_due_while_a_call_of_the_turn_waits() -> None:
    assert confirmed(suspended(ADD)) == set()
    assert confirmed(suspended(ADD), says('{"edit": {"args": [1]}}'), refused()) == set()


def test_whether_a_confirmed_call_runs_is_no_sanitizers_affair() -> None:
    both = (suspended(ADD), says("no"), searched(), suspended(MORE), says("yes"))
    assert confirmed(*both, step(FIVE, SHOWN), returned()) == set()
    assert confirmed(*both, ran(a=4, b=5), step(FIVE, SHOWN), returned()) == set()
    assert confirmed(*both, *(ran(a=4, b=5),) * 3, step(FIVE, SHOWN), returned()) == {"SAN-003"}


def test_an_edit_that_is_ignored_changes_no_args_that_the_lm_gave() -> None:
    ignored = (suspended(ADD), says('{"edit": {"args": {"a": 1, "b": 1}}}'), ran(a=2, b=3), searched())
    assert "SAN-002" not in confirmed(*ignored, suspended(MORE), says("no"), step(FIVE, SHOWN), returned())


def test_a_run_that_has_failed_shows_its_results_to_nobody() -> None:
    ran_unseen = (says("yes"), ran(result="six"), searched(), suspended(MORE), says("yes"), ran(a=4, b=5))
    fault = (step(Fault(fault="unauthorized"), SHOWN), refused())
    assert confirmed(suspended(ADD), *ran_unseen, step(FIVE, SHOWN), returned()) == {"SAN-004"}
    assert confirmed(suspended(ADD), *ran_unseen, *fault, says("yes"), step(FIVE, SHOWN), returned()) == set()


def test_a_tool_that_reads_its_models_can_fail_for_no_other_reason(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Tool, Behaviour, list[str]]] = [
        (TOOLBOX["add"], Reads(), ["TOOL-009"]),
        # Of what has a schema and no types nobody can say that it declares a model.
        (TOOLBOX["add"].model_copy(update={"callable_form": "declared"}), Reads(), []),
        (TOOLBOX["add"], Raises(message="no dictionary"), []),
    ]
    for tool, behaviour, violated in cases:
        with subtests.test(tool=tool, behaviour=behaviour, violated=violated):
            failed = ran().model_copy(update={"result": None, "error": "AttributeError: no such field"})
            seen = scene(step(ADD), failed, tools=(tool,))
            episode = seen.episode.model_copy(update={"behaviours": {"add": (behaviour,)}})
            assert ids(find_unread_models(replace(seen, episode=episode))) == violated
