"""How the machine of a conversation goes from state to state, in records made by hand (CNV-005, CNV-006, CNV-013)."""

from collections.abc import Iterator

from react_tck.judges.conversations import find_conversation_breaks
from react_tck.model.case import Options
from react_tck.model.intent import Finish, Intent
from react_tck.model.lm import LMRequest, Message
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
