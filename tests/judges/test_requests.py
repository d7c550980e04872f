"""Steps and extraction are asked for in the dialect that was configured, with all that each of them shows."""

from dataclasses import replace

from react_tck.judges.requests import find_unshown_parts
from react_tck.model.intent import Fault
from react_tck.model.record import Event
from react_tck.record.evidence import Scene
from tests.support.hand_made import ADD, MANIFEST, TASK, ids, scene, step

KEEPER = "Answer as a keeper would."


def test_a_prompt_that_is_made_to_fit_may_show_less() -> None:
    overflow = step(Fault(fault="context-window"), f"{TASK} {KEEPER}")
    assert ids(find_unshown_parts(_instruct(overflow, step(ADD, "2+3")))) == []


def _instruct(*events: Event) -> Scene:
    """A call whose signature has instructions."""
    seen = scene(*events, manifest=MANIFEST.model_copy(update={"capabilities": ("step-signature",)}))
    return _sign(seen, instructions=KEEPER)


def _sign(seen: Scene, **changed: object) -> Scene:
    """The call with another signature."""
    signature = seen.case.signature.model_copy(update=changed)
    case = seen.case.model_copy(update={"signature": signature})
    return replace(seen, episode=seen.episode.model_copy(update={"case": case}))
