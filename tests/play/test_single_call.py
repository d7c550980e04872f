"""A second call is held against the same call alone: what is counted over the episode tells nothing."""

from react_tck.model.record import Record
from react_tck.play.again import make_single_call_record
from react_tck.record.difference import find_difference
from tests.support.hand_made import ADD, returned, step


def _record(*ids: int | str, invocation: int = 0) -> Record:
    told = step(ADD, text=" ".join(f"[call_{id_}]" for id_ in ids))
    events = [event.model_copy(update={"invocation": invocation}) for event in (told, returned())]
    return Record(case_id="c", events=tuple(events))


def test_ids_of_calls_are_counted_from_the_first() -> None:
    assert find_difference(make_single_call_record(_record(7, 8, 7, invocation=1), 1), _record(3, 4, 3), ()) is None


def test_which_call_an_id_stands_for_is_kept() -> None:
    assert find_difference(_record(1, 4, 1), _record(1, 2, 1), ()) is None
    assert find_difference(_record(1, 4, 1), _record(1, 2, 2), ()) is not None
    assert find_difference(_record(1, 4, 4), _record(4, 1, 4), ()) is not None
