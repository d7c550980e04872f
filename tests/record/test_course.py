"""Episodes as they are drawn: what stands in a beat, and how much of a long episode is shown."""

import pytest

from react_tck.model.intent import BadArgs, Calls, Empty, Fault, Finish, Garbled, Raw, Reply, Submit
from react_tck.model.record import Returned
from react_tck.model.report import Beat
from react_tck.record.course import draw_course
from tests.support.hand_made import ADD, ANSWER, played, returned, step

DUE = (Beat(lane="agent", does="ends"),)
SUM = '{"a": 2, "b": 3}'


def test_what_the_lm_means(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Reply, str]] = [
        (Calls(calls=(ADD, ADD)), f"add({SUM}) and add({SUM})"),
        (Submit(outputs={"answer": "5"}), 'submit({"answer": "5"})'),
        (BadArgs(tool="add", text="{"), "add({)"),
        (Garbled(form="truncated", meant=Finish()), "finish({}), garbled: truncated"),
        (Raw(text="hello"), "hello"),
        (Empty(), "nothing"),
        (Fault(fault="timeout"), "fails: timeout"),
        (ANSWER, '{"answer": "5"}'),
    ]
    for reply, said in cases:
        with subtests.test(reply=reply, said=said):
            assert draw_course(*played(step(reply)), None, DUE).beats[1].reply == said


def test_of_a_long_episode_what_is_around_the_departure_is_drawn() -> None:
    steps = [step(ADD, f"request {number}") for number in range(30)]
    drawn = draw_course(*played(*steps), steps[19], DUE)
    assert (drawn.before, len(drawn.beats), drawn.after) == (14, 9, 8)
    assert drawn.departure == 6
    whole = draw_course(*played(*steps), None, DUE)
    assert (whole.before, len(whole.beats), whole.after, whole.departure) == (25, 6, 0, None)


def test_what_is_long_is_cut() -> None:
    flood = returned({"answer": "x" * 10_000})
    assert isinstance(flood, Returned)
    drawn = draw_course(*played(flood), flood, (Beat(lane="agent", does="y" * 10_000),))
    assert drawn.beats[1].does.endswith("x…")
    assert max(len(drawn.beats[1].does), len(drawn.due[0].does)) < 200
