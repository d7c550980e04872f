"""How the machine of a conversation goes from state to state, in records made by hand (CNV-005, CNV-006, CNV-013)."""

from collections.abc import Iterator

import pytest

from react_tck.judges.conversations import find_conversation_breaks
from react_tck.model.case import Options
from react_tck.model.intent import Answer, Finish, Garbled, Intent
from react_tck.model.lm import Completion, LMRequest, Message
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked, Event
from react_tck.record.evidence import Evidence
from tests.support.hand_made import ADD, ANSWER, MANIFEST, extraction, played, ran, returned, step

INSTRUCTIONS = "[[ ## interruption_instructions ## ]]\n"


def _asked_in(state: str, said: Intent, shown: str = "", attempt: int = 0) -> Asked:
    """A request of the machine in a state, and what the LM said to it."""
    system = Message(role="system", content="Input fields:\n1. `machine_state`")
    if state == "interrupted" and "##" not in shown:
        shown = f"{shown}\n\n{INSTRUCTIONS}Answer now."
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


def _find_breaks(
    *events: Event, manifest: Manifest = MANIFEST, of: tuple[str, ...] = ("CNV-005", "CNV-006", "CNV-013")
) -> Iterator[tuple[str, int]]:
    """What is wrong with the states, and at which event."""
    episode, record = played(*events)
    case = episode.case.model_copy(update={"options": Options(system="conversation")})
    for violation in find_conversation_breaks(Evidence(episode.model_copy(update={"case": case}), manifest, record)):
        if violation.requirement_id in of:
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


def test_an_interruption_says_what_to_do_in_its_own_message() -> None:
    blank = _asked_in("interrupted", ANSWER, f"five\n\n{INSTRUCTIONS}\nRespond with [[ ## answer ## ]]")
    assert not list(_find_breaks(*BEGUN, _asked_in("interrupted", ANSWER, "five"), returned()))
    assert list(_find_breaks(*BEGUN, blank, returned())) == [("CNV-006", 2)]


def test_an_interruption_shows_what_was_gathered() -> None:
    """That the last result was lost SAN-004 said alone, in all rows but those of CNV-006."""
    assert list(_find_breaks(*BEGUN, _asked_in("interrupted", ANSWER), returned())) == [("CNV-006", 2)]
    assert not list(_find_breaks(*BEGUN, _asked_in("tool_result", Finish()), returned()))


@pytest.mark.parametrize(
    ("said", "declared", "violated"),
    [
        ("no markers", "retries 0, then observe", [("CNV-006", 5)]),
        ("no markers", "retries 0, then extract", []),
        ("finish, in other words", "retries 0, then observe", []),
    ],
)
def test_the_machine_is_interrupted_when_its_steps_are_used_up(
    said: str, declared: str, violated: list[tuple[str, int]]
) -> None:
    """An unreadable last reply led to the state `finish`, of which the LM hadn't spoken, and no judge saw it."""
    last = _asked_in("tool_result", Garbled(form="truncated", meant=ADD), "five")
    last = last.model_copy(update={"completion": Completion(content=said)})
    events = (
        *BEGUN,
        _asked_in("tool_result", ADD, "five"),
        ran(),
        last,
        _asked_in("finish", ANSWER, "five"),
        returned(),
    )
    manifest = MANIFEST.model_copy(update={"choices": {"malformed-reply": declared}})
    assert list(_find_breaks(*events, manifest=manifest)) == violated


@pytest.mark.parametrize(
    ("state", "asked_for", "violated"),
    [
        ("tool_result", "tool_name tool_args response completed answer", False),
        ("tool_result", "reasoning tool_name tool_args response completed answer", False),
        ("finish", "answer completed tool_name tool_args response", False),
        ("interrupted", "tool_name tool_args response completed answer", True),
        ("finish", "answer tool_name tool_args response", True),
        ("finish", "answer completed", True),
    ],
)
def test_a_state_asks_for_its_own_fields_and_names_the_others(state: str, asked_for: str, violated: bool) -> None:
    fields = " ".join(f"[[ ## {name} ## ]]" for name in asked_for.split())
    asked = _asked_in(state, ANSWER, f"five\n\nRespond with {fields}")
    events = (*BEGUN, asked, returned())
    assert (("CNV-007", 2) in _find_breaks(*events, of=("CNV-007",))) is violated
