"""The sanitizers with turns of several calls, and with answers that came by submit."""

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.intent import Answer, Calls, CallTool, Submit
from react_tck.model.record import Called, Event, ToolRan
from tests.hand_made import ADD, TASK, found, ran, returned, step

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


def test_a_call_of_a_turn_that_is_skipped() -> None:
    assert played(ran(), searched()) == {"SAN-003"}


def test_a_call_of_a_turn_that_runs_twice() -> None:
    assert played(ran(), searched(), searched(), ran(a=4, b=5)) == {"SAN-003"}


def test_a_tool_that_no_call_of_the_turn_names() -> None:
    assert played(ran(), searched(), calls=(ADD,)) == {"SAN-001"}


def test_args_that_no_call_of_the_turn_gave() -> None:
    assert played(ran(), searched(), ran(a=4, b=6)) == {"SAN-002"}


def test_a_result_of_the_turn_that_is_not_shown() -> None:
    hidden = searched().model_copy(update={"result": "six"})
    assert played(ran(), hidden, ran(a=4, b=5)) == {"SAN-004"}


def test_what_was_submitted_is_the_answer() -> None:
    assert found(step(FIVE, SHOWN), returned(), tools=TOOLS) == set()


def test_another_value_than_was_submitted() -> None:
    assert found(step(FIVE, SHOWN), returned({"answer": "6"}), tools=TOOLS) == {"SAN-007"}


def test_a_submit_is_no_call_of_a_tool_of_the_users() -> None:
    assert found(step(FIVE, SHOWN), step(Answer(outputs={"answer": "5"})), returned(), tools=TOOLS) == set()
