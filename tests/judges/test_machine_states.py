"""How the machine of a conversation goes from state to state, in records made by hand (CNV-005, CNV-006, CNV-013)."""

from collections.abc import Iterator

import pytest

from react_tck.judges.conversations import find_conversation_breaks
from react_tck.model.case import Options
from react_tck.model.intent import Answer, Finish, Intent
from react_tck.model.lm import LMRequest, Message
from react_tck.model.record import Asked, Event
from react_tck.record.evidence import Evidence
from tests.support.hand_made import ADD, ANSWER, MANIFEST, extraction, played, ran, returned, step


def _asked_in(state: str, said: Intent, shown: str = "", attempt: int = 0) -> Asked:
    """A request of the machine in a state, and what the LM said to it."""
    system = Message(role="system", content="Input fields:\n1. `machine_state`")
    user = Message(role="user", content=f"[[ ## machine_state ## ]]\n{state}\n\n{shown}")
    asked = step(said) if state in ("user_query", "tool_result") else extraction(said)
    assert asked.ask
    return asked.model_copy(
        update={
            "request": LMRequest(messages=(system, user)),
            "ask": asked.ask.model_copy(update={"dialect": "machina"}),
            "attempt": attempt,
        }
    )


def _find_breaks(*events: Event) -> Iterator[tuple[str, int]]:
    """What is wrong with the states, and at which event."""
    episode, record = played(*events)
    case = episode.case.model_copy(update={"options": Options(system="conversation")})
    for violation in find_conversation_breaks(Evidence(episode.model_copy(update={"case": case}), MANIFEST, record)):
        if violation.requirement_id in ("CNV-005", "CNV-006", "CNV-013"):
            assert violation.at
            yield violation.requirement_id, events.index(violation.at)


BEGUN = (_asked_in("user_query", ADD), ran())
FINISHED = (*BEGUN, _asked_in("tool_result", Finish(), "five"))


def test_the_legal_moves_are_nobodys_fault() -> None:
    assert not list(_find_breaks(*FINISHED, _asked_in("finish", ANSWER), returned()))
    assert not list(_find_breaks(*BEGUN, _asked_in("interrupted", ANSWER, "five"), returned()))


def test_finish_leads_to_its_own_state() -> None:
    """It was an illegal move, and the sentence that says where `finish` leads was blocked by that."""
    assert list(_find_breaks(*FINISHED, _asked_in("interrupted", ANSWER), returned())) == [("CNV-013", 3)]
    assert list(_find_breaks(_asked_in("interrupted", ANSWER), returned())) == [("CNV-005", 0)]


@pytest.mark.parametrize(
    ("said", "violated"),
    [
        (ANSWER, [("CNV-005", 4)]),
        (Answer(outputs={"answer": ""}), []),
        (Answer(outputs={"answer": 5}), []),
        (Answer(outputs={}), []),
        (ADD, []),
    ],
)
def test_the_last_state_is_asked_in_again_only_for_want_of_an_answer(
    said: Intent, violated: list[tuple[str, int]]
) -> None:
    again = _asked_in("finish", ANSWER, attempt=1)
    assert list(_find_breaks(*FINISHED, _asked_in("finish", said), again, returned())) == violated


def test_an_interruption_shows_what_was_gathered() -> None:
    """That the last result was lost SAN-004 said alone, in all rows but those of CNV-006."""
    assert list(_find_breaks(*BEGUN, _asked_in("interrupted", ANSWER), returned())) == [("CNV-006", 2)]
    assert not list(_find_breaks(*BEGUN, _asked_in("tool_result", Finish()), returned()))
