"""A second call is held against the same call alone: what is counted over the episode tells nothing."""

from react_tck.model.record import Record
from react_tck.play.single_call import as_only_call, counted_anew
from tests.support.hand_made import ADD, returned, step


def _record(first_id: int, invocation: int = 0) -> Record:
    told = step(ADD, text=f"[call_{first_id}, call_{first_id + 1}, call_{first_id}]")
    events = [event.model_copy(update={"invocation": invocation}) for event in (told, returned())]
    return Record(case_id="c", events=tuple(events))


def test_ids_of_calls_are_counted_from_the_first() -> None:
    assert as_only_call(_record(7, invocation=1), 1) == counted_anew(_record(3))


def test_which_call_an_id_stands_for_is_kept() -> None:
    assert "[call_0, call_1, call_0]" in counted_anew(_record(5)).requests[0].request.text
