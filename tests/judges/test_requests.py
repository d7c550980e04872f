"""Steps and extraction are asked for in the dialect that was configured, with all that each of them shows."""

from dataclasses import replace

import pytest

from react_tck.dialects.fields import STEPS
from react_tck.fakes.toolbox import make_tool
from react_tck.judges.requests import find_unshown_parts, find_wrong_dialects
from react_tck.model.case import Invocation, Options
from react_tck.model.intent import Fault, Finish
from react_tck.model.lm import Ask
from react_tck.model.record import Asked, Event
from react_tck.model.signature import Field, Form
from react_tck.play.others import RED_DOT
from react_tck.record.evidence import Evidence, Scene
from tests.support.hand_made import ADD, MANIFEST, TASK, extraction, ids, played, returned, scene, step

KEEPER = "Answer as a keeper would."
NATIVE = Ask(phase="step", dialect="native", fields=())
IMAGE = Field(name="photo", json_schema={"type": "string", "contentMediaType": "image/png"})
CONFIGURABLE = MANIFEST.model_copy(update={"capabilities": ("global-adapter", "module-adapter")})


@pytest.mark.parametrize(
    ("options", "default", "violated"),
    [
        (Options(), "chat", []),
        (Options(), "json", ["ADP-003"]),
        (Options(adapter="chat"), "json", []),
        (Options(adapter="json"), "chat", ["ADP-001"]),
        (Options(adapter="json", module_adapter="chat"), "json", []),
        (Options(adapter="chat", module_adapter="xml"), "chat", ["ADP-002"]),
        # Tools are called natively; in which form an extraction, which has none, asks for fields the name doesn't say.
        (Options(adapter="native"), "json", []),
        (Options(adapter="json", module_adapter="native"), "json", []),
        (Options(adapter="native", module_adapter="xml"), "chat", ["ADP-002"]),
    ],
)
def test_module_wins_over_global_wins_over_default(options: Options, default: str, violated: list[str]) -> None:
    manifest = CONFIGURABLE.model_copy(update={"default_dialect": default})
    again = extraction().model_copy(update={"attempt": 1})
    episode, record = played(extraction(), again, returned())
    case = episode.case.model_copy(update={"options": options})
    asked_for = episode.model_copy(update={"case": case})
    assert ids(find_wrong_dialects(Evidence(asked_for, manifest, record))) == violated
    assert list(find_wrong_dialects(Evidence(asked_for, MANIFEST, record))) == []


@pytest.mark.parametrize(("configured", "violated"), [("chat", []), ("json", ["ADP-005"]), (None, [])])
def test_what_is_configured_for_a_call_governs_it(configured: str | None, violated: list[str]) -> None:
    episode, record = played(extraction(), returned())
    calls = (Invocation(inputs={}, adapter=configured),)
    case = episode.case.model_copy(update={"options": Options(adapter="chat"), "invocations": calls})
    asked_for = episode.model_copy(update={"case": case})
    assert ids(find_wrong_dialects(Evidence(asked_for, CONFIGURABLE, record))) == violated


@pytest.mark.parametrize(
    ("declared", "asked", "violated"),
    [
        ("same as extraction", "chat", ["ADP-001"]),
        ("same as extraction", "json", []),
        ("same as extraction", "native", []),
        ("JSON only", "chat", []),
        ("JSON only, or same as extraction", "chat", []),
        ("", "chat", []),
    ],
)
def test_steps_are_asked_for_as_configured_where_they_are_declared_to_be(
    declared: str, asked: str, violated: list[str]
) -> None:
    """ADP-001 was seen in one row, and a contradicted declaration, the same fault, in three."""
    manifest = CONFIGURABLE.model_copy(update={"choices": {"step-adapter": declared} if declared else {}})
    first = step(Finish()).model_copy(update={"ask": Ask(phase="step", dialect=asked, fields=STEPS[0])})
    again = first.model_copy(update={"attempt": 1})
    episode, record = played(first, again, returned())
    case = episode.case.model_copy(update={"options": Options(adapter="json")})
    asked_for = episode.model_copy(update={"case": case})
    assert ids(find_wrong_dialects(Evidence(asked_for, manifest, record))) == violated


@pytest.mark.parametrize(
    ("asked", "violated"),
    [
        (step(ADD), ["STEP-005"]),
        (step(ADD, f"{TASK} {KEEPER}"), []),
        (extraction(), ["EXT-005"]),
        (extraction(text=KEEPER), []),
        (step(ADD, f"{KEEPER} 2+3 add"), ["STEP-004"]),
        (step(ADD, f"{KEEPER} add Adds two whole numbers."), ["STEP-003"]),
        # Who asks for the same once more may say less.
        (step(ADD, "").model_copy(update={"attempt": 1}), []),
        # A step that is called for natively has no fields for inputs to stand beside.
        (step(ADD, f"{KEEPER} add Adds two whole numbers.").model_copy(update={"ask": NATIVE}), []),
    ],
)
def test_each_request_shows_all_that_its_kind_has(asked: Asked, violated: list[str]) -> None:
    assert ids(find_unshown_parts(_instruct(asked))) == violated


@pytest.mark.parametrize(
    ("form", "asked", "violated"),
    [
        (Form.CLASS, extraction(), ["SIG-009"]),
        (Form.VALUE, extraction(), ["SIG-008"]),
        (Form.CLASS, extraction(text="Fit to be shouted"), []),
        # What the answer is to be, a step needn't say.
        (Form.CLASS, step(ADD), []),
    ],
)
def test_an_extraction_is_told_what_the_signature_says_of_its_outputs(
    form: Form, asked: Asked, violated: list[str]
) -> None:
    seen = scene(asked)
    (answer,) = seen.case.signature.outputs
    outputs = (answer.model_copy(update={"description": "Fit to be shouted"}),)
    assert ids(find_unshown_parts(_sign(seen, form=form, outputs=outputs))) == violated


@pytest.mark.parametrize(("shown", "violated"), [("", ["TOOL-011"]), ("long wave", [])])
def test_each_step_shows_the_default_of_a_parameter(shown: str, violated: list[str]) -> None:
    tune = make_tool("tune", "Tunes a radio.", {"setting": {"type": "string", "default": "long wave"}})
    assert ids(find_unshown_parts(scene(step(ADD, f"tune Tunes a radio. {shown}"), tools=(tune,)))) == violated


@pytest.mark.parametrize(("shown", "violated"), [((), ["TRN-016"]), ((RED_DOT,), [])])
def test_an_image_is_a_part_of_each_message_of_a_transcript(shown: tuple[str, ...], violated: list[str]) -> None:
    asked = extraction()
    message = asked.request.messages[0].model_copy(update={"images": shown})
    asked = asked.model_copy(update={"request": asked.request.model_copy(update={"messages": (message,)})})
    seen = _sign(scene(asked, inputs={"photo": RED_DOT}), inputs=(IMAGE,))
    case = seen.case.model_copy(update={"options": Options(system="transcript")})
    assert ids(find_unshown_parts(replace(seen, episode=seen.episode.model_copy(update={"case": case})))) == violated


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
