"""A name that no tool has must be told of, to the LM or to the caller (ERR-028), and be kept (TRJ-002)."""

from react_tck.judges.errors import find_concealed_names
from react_tck.model.intent import CallTool
from react_tck.model.lm import ToolOffer
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from tests.support.hand_made import MANIFEST, evidence, extraction, ids, returned, step

UNKNOWN = step(CallTool(tool="multiply", args={}))


def _concealed(*events: Event) -> list[str]:
    return ids(find_concealed_names(evidence(*events)))


def _failed(message: str) -> Event:
    return returned({}, status="error", error=Failure(type="library.UnknownTool", message=message))


def test_submit_is_no_unknown_tool_where_the_outputs_are_committed_by_it() -> None:
    said = step(CallTool(tool="submit", args={}))
    offering = said.request.model_copy(update={"tools": (ToolOffer(name="submit"),)})
    assert _concealed(said, extraction(text="nothing")) == ["ERR-028"]
    assert _concealed(said.model_copy(update={"request": offering}), extraction(text="nothing")) == []


def test_the_error_of_steps_that_ran_out_need_not_name_it() -> None:
    limit = _failed("more than 1 step")
    assert _concealed(UNKNOWN, limit) == ["ERR-028"]
    assert ids(find_concealed_names(evidence(UNKNOWN, limit, max_steps=1))) == []


def test_a_trajectory_of_a_loop_that_ended_there_need_not_name_it() -> None:
    has_one = MANIFEST.model_copy(update={"capabilities": ("trajectory",)})
    ended = (extraction(text="multiply"), returned(trajectory={}, trajectory_format="mapping"))
    assert ids(find_concealed_names(evidence(UNKNOWN, *ended, manifest=has_one))) == []
