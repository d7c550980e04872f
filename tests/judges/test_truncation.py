"""What is left out of a prompt that doesn't fit, of records made by hand."""

from dataclasses import replace

from react_tck.judges.surfaces import find_udspy_deviations
from react_tck.judges.truncation import find_overcut_prompts, request_bound
from react_tck.model.case import Options, Resumption
from react_tck.model.intent import CallTool, Fault, Finish
from react_tck.model.outcome import Failure
from react_tck.model.record import Event, Resumed
from tests.support.hand_made import ADD, MANIFEST, OBSERVED, TASK, extraction, ids, ran, returned, scene, step

TRUNCATES = MANIFEST.model_copy(update={"capabilities": ("truncation",)})
OVERFLOW, EVER_AGAIN = Fault(fault="context-window"), Fault(fault="context-window", sticky=True)
BEFORE = (step(ADD), ran(result="the first"), step(ADD), ran())


def test_a_prompt_made_shorter_is_asked_beside_the_others() -> None:
    anew = (*BEFORE, step(OVERFLOW, OBSERVED), step(OVERFLOW, OBSERVED + "x"), step(Finish(), OBSERVED))
    the_same = (*BEFORE, step(OVERFLOW, OBSERVED), step(OVERFLOW, OBSERVED), step(Finish(), OBSERVED + "x"))
    assert request_bound(scene(*anew, manifest=TRUNCATES)) == 6
    assert request_bound(scene(*the_same, manifest=TRUNCATES)) == 5
    assert request_bound(scene(*anew)) == 4


def _overcut(*events: Event) -> list[str]:
    return ids(find_overcut_prompts(scene(*events, manifest=TRUNCATES)))


def test_a_step_without_a_run_is_newer_than_the_newest_run() -> None:
    unknown = step(CallTool(tool="multiply"), OBSERVED)
    assert _overcut(*BEFORE, unknown, step(OVERFLOW, OBSERVED + "x"), step(Finish(), TASK)) == []


def test_a_trajectory_says_what_was_kept_in_words_of_its_own() -> None:
    kept = {f"{key}_0": "" for key in ("reasoning", "tool_name", "tool_args", "observation")}
    ended = returned(trajectory={**kept, "left_out_0": True}, trajectory_format="mapping")

    def misnamed(*events: Event) -> list[str]:
        made = scene(*events)
        case = made.case.model_copy(update={"options": Options(system="udspy")})
        episode = made.episode.model_copy(update={"case": case})
        return ids(find_udspy_deviations(replace(made, episode=episode)))

    assert misnamed(extraction(OVERFLOW), extraction(), ended) == []
    assert misnamed(extraction(), ended) == ["UDS-001"]


def test_what_is_said_to_a_response_after_the_end_is_about_that() -> None:
    failed = returned({}, status="error", error=Failure(type="ContextWindowExceededError", message="too long"))
    late = Resumed(invocation=0, resumption=Resumption(response="yes"))
    refused = returned({}, status="error", error=Failure(type="ResponseRefused", message="it has been responded to"))
    assert _overcut(*BEFORE[:2], step(OVERFLOW, OBSERVED), failed, late, refused) == []
