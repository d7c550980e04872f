"""What callbacks hear is held against the runs and the replies, however often they hear of one."""

import pytest

from react_tck.judges.surfaces import find_unheard_events
from react_tck.model.intent import Empty
from react_tck.model.lm import Completion, ToolCall
from react_tck.model.record import Event, Notice
from react_tck.record.evidence import Evidence
from tests.support.hand_made import ADD, GOOD, MANIFEST, ids, played, ran, step

RUN, READING = Notice("tool", "add"), Notice("reading", "ChatAdapter")
NATIVE = step(ADD).model_copy(
    update={"completion": Completion(tool_calls=(ToolCall(id="1", name="add", arguments="{}"),))}
)
INTERRUPTED = ran().model_copy(update={"result": None, "interrupted": True})


@pytest.mark.parametrize(
    ("events", "heard", "unheard"),
    [
        (GOOD, None, 0),
        (GOOD, (READING, RUN, READING, READING), 0),
        (GOOD, (READING, RUN, RUN, READING, READING, READING), 0),
        (GOOD, (READING, READING, READING), 1),
        (GOOD, (RUN, READING), 1),
        (GOOD, (), 2),
        ((step(ADD), ran(), step(ADD), ran()), (READING, RUN, READING), 1),
        ((NATIVE, ran()), (RUN,), 0),
        ((step(ADD), INTERRUPTED), (READING,), 0),
        ((step(Empty(), content=""),), (), 0),
    ],
    ids=[
        "nobody listens",
        "all",
        "oftener",
        "no run",
        "a reply",
        "nothing",
        "one of two",
        "native",
        "interrupted",
        "no text",
    ],
)
def test_what_callbacks_do_not_hear_is_found(
    events: tuple[Event, ...], heard: tuple[Notice, ...] | None, unheard: int
) -> None:
    episode, record = played(*events)
    seen = Evidence(episode, MANIFEST, record.model_copy(update={"heard": heard}))
    assert ids(find_unheard_events(seen)) == ["OBS-001"] * unheard
