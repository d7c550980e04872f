"""Every judge of the table can be red, and lets the nearest innocent record pass."""

from dataclasses import replace

import pytest

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.table import JUDGES, collect_violations
from react_tck.model.case import Options
from react_tck.model.intent import Answer, BadArgs, CallTool, Fault, Finish
from react_tck.model.lm import Ask, Completion, LMRequest, Message, Role
from react_tck.model.outcome import Failure
from react_tck.model.record import Asked, Changed, Event, Hung, Record
from react_tck.model.tool import Reads
from react_tck.record.evidence import Counterpart, Evidence
from tests.support.hand_made import (
    ADD,
    GOOD,
    MANIFEST,
    OBSERVED,
    TASK,
    evidence,
    extraction,
    ids,
    of,
    ran,
    returned,
    step,
)

BY_NAME = {judge.name: judge for judge in JUDGES}
CAPABLE = MANIFEST.model_copy(update={"capabilities": ("extraction", "trajectory", "global-adapter")})
CRASHED = returned({}, status="error", error=Failure(type="KeyError", message="'[1]'"))
FAILED = ran().model_copy(update={"result": None, "error": "the archive is closed"})
UNTOLD = returned(trajectory={"tool_name_0": "add"}, trajectory_format="mapping")
OTHERWISE = returned(
    trajectory={"tool_name_0": "add", "tool_args_0": {"a": 2, "b": 3}, "observation_0": "about five"},
    trajectory_format="mapping",
)
THOUGHTLESS = returned(
    trajectory={"thought_0": "", "tool_name_0": "add", "tool_args_0": ADD.args, "observation_0": "five"},
    trajectory_format="mapping",
)
SUMMARISED = extraction(Answer(outputs={"summary": "they added"})).model_copy(
    update={"ask": Ask(phase="extraction", dialect="chat", fields=("summary",))}
)
SPACED = extraction(Answer(outputs={"answer": " 5"})).model_copy(update={"completion": Completion(content="{}")})
NUMBERED = returned(trajectory={"action_0": "add"}, trajectory_format="mapping")
ADDED = Changed(invocation=0, what="the tools", before=[], after=["add"])
PLAYED = evidence(*GOOD)
SAME = (Counterpart("ASY-001", PLAYED.record, PLAYED.record),)
SYSTEMS = {name: Options(system=name) for name in ("conversation", "udspy")}
ASKING = TOOLBOX["add"].model_copy(update={"confirm": True})
WAITS = returned(
    {},
    status="suspended",
    suspension={"question": "May I?", "confirmation_id": "1", "tool_call": {"name": "add", "args": ADD.args}},
)
TURN = {"question": "And before?", "answer": "four"}
TRUNCATING = MANIFEST.model_copy(update={"capabilities": ("truncation",)})
UNREAD = evidence(step(ADD), FAILED, step(Finish(), f"{TASK} no such field"), *GOOD[3:])
READING = UNREAD.episode.model_copy(update={"behaviours": {"add": (Reads(),)}})
OVERFLOW = step(Fault(fault="context-window"), f"{TASK} five six")
OVERCUT = (step(ADD), ran(), step(ADD), ran(result="six"), OVERFLOW, step(Finish(), f"{TASK} five"))


def talk(*roles: Role) -> Asked:
    """A request of a conversation, its messages of these roles."""
    asked = step(ADD)
    messages = tuple(Message(role=role, content=TASK) for role in roles)
    ask = Ask(phase="step", dialect="machina", fields=())
    return asked.model_copy(update={"request": LMRequest(messages=messages), "ask": ask})


@pytest.mark.parametrize(
    ("judge", "seen", "violated"),
    [
        ("sanitizers", evidence(step(ADD), ran(), ran(), *GOOD[2:]), "SAN-003"),
        (
            "manifest",
            evidence(*GOOD, manifest=MANIFEST.model_copy(update={"choices": {"extraction": "other"}})),
            "SAN-010",
        ),
        ("inputs", evidence(*GOOD, inputs={}), "SIG-007"),
        ("requests", evidence(*(step(ADD), ran()) * 4, extraction(text=TASK)), "ERR-008"),
        ("oracle", evidence(step(Finish()), step(ADD), ran(), *GOOD[2:]), "LOOP-003"),
        ("missing trajectories", evidence(*GOOD, manifest=CAPABLE), "TRJ-001"),
        ("trajectories", evidence(*GOOD[:-1], UNTOLD, manifest=CAPABLE), "TRJ-002"),
        ("recorded values", evidence(*GOOD[:-1], OTHERWISE, manifest=CAPABLE), "TRJ-007"),
        ("steps told", evidence(*GOOD[:-1], THOUGHTLESS, manifest=CAPABLE), "TRJ-002"),
        ("adapters", evidence(*GOOD, manifest=CAPABLE.model_copy(update={"default_dialect": "json"})), "ADP-003"),
        ("prompts", evidence(step(ADD, "2+3 a b"), *GOOD[1:]), "STEP-004"),
        ("tool names", evidence(step(CallTool(tool="multiply", args={})), extraction(text=TASK)), "ERR-028"),
        ("offers", of(Options(clarification=False), step(ADD, f"{TASK} user_clarification")), "CNF-011"),
        ("errors", evidence(step(BadArgs(tool="add", text="[1]")), CRASHED), "ERR-021"),
        ("observations", evidence(*GOOD[:2], step(ADD, OBSERVED), ran(result="six"), step(ADD, TASK)), "LOOP-002"),
        ("models", replace(UNREAD, episode=READING), "TOOL-009"),
        ("tool errors", evidence(step(ADD), FAILED, *GOOD[2:]), "ERR-007"),
        ("texts", evidence(step(ADD), ran(result="left\x00right"), step(Finish(), f"{TASK} left")), "ERR-017"),
        ("outputs", evidence(*GOOD[:3], SPACED, returned()), "ERR-023"),
        ("silences", evidence(step(Fault(fault="timeout")), Hung(invocation=0, message="no answer")), "ERR-012"),
        (
            "caller's objects",
            evidence(*GOOD, ADDED),
            "ISO-003",
        ),
        ("callbacks", replace(PLAYED, record=PLAYED.record.model_copy(update={"heard": ()})), "OBS-001"),
        ("conversations", of(SYSTEMS["conversation"], talk("system", "user"), talk("user")), "CNV-003"),
        ("suspensions", evidence(step(ADD), WAITS, tools=(ASKING,)), "CNF-002"),
        ("histories", evidence(*GOOD, arrow="question, history: dspy.History -> answer", history=(TURN,)), "HIS-001"),
        ("summaries", of(Options(system="transcript"), SUMMARISED, returned(history=["five"])), "TRN-014"),
        ("udspy's surface", of(SYSTEMS["udspy"], *GOOD[:-1], NUMBERED), "UDS-001"),
        ("truncation", evidence(*OVERCUT, manifest=TRUNCATING), "CTX-001"),
        ("determinism", replace(PLAYED, replayed=Record(case_id="c", events=PLAYED.record.events[:-1])), "SAN-009"),
        (
            "counterparts",
            replace(PLAYED, counterparts=(Counterpart("ASY-001", PLAYED.record, Record(case_id="c")),)),
            "ASY-001",
        ),
    ],
)
def test_a_judge_finds_what_it_is_there_for(judge: str, seen: Evidence, violated: str) -> None:
    assert violated in ids(BY_NAME[judge].find_violations(seen))
    assert list(BY_NAME[judge].find_violations(replace(PLAYED, replayed=PLAYED.record, counterparts=SAME))) == []


@pytest.mark.parametrize(
    "then",
    [
        step(Finish(), f"{TASK} left\\u0000right"),
        step(Finish(), f"{TASK} The result can't be shown."),
        returned({}, status="error", error=Failure(type="ValueError", message="no text")),
    ],
    ids=["shown", "refused", "refused the caller"],
)
def test_a_text_that_nobody_can_encode_is_shown_or_refused(then: Event) -> None:
    texts = BY_NAME["texts"]
    assert ids(texts.find_violations(evidence(step(ADD), ran(result="left\x00right"), then))) == []
    assert ids(texts.find_violations(evidence(step(ADD), ran(result="left\x00right"), CRASHED))) == ["ERR-017"]


def test_the_answer_is_asked_for_with_every_input_thought_and_observation() -> None:
    before = (step(ADD), ran(result="the first"), step(ADD, f"{TASK} the first"), ran(), step(Finish(), OBSERVED))
    histories = BY_NAME["histories"]
    without_first, without_input = f"{OBSERVED} think", "the first think think five"
    whole = f"{without_first} the first"
    without_thought = whole.replace("think", "")
    assert ids(histories.find_violations(evidence(*before, extraction(text=whole)))) == []
    assert ids(histories.find_violations(evidence(*before, extraction(text=without_first)))) == ["EXT-001"]
    assert ids(histories.find_violations(evidence(*before, extraction(text=without_input)))) == ["EXT-001"]
    assert ids(histories.find_violations(evidence(*before, extraction(text=without_thought)))) == ["EXT-001", "EXT-001"]
    # Each of two steps has its thought, though it is the same.
    assert ids(histories.find_violations(evidence(*before, extraction(text=f"{OBSERVED} the first")))) == ["EXT-001"]
    # What doesn't fit may be left out.
    shorter = (*before, extraction(Fault(fault="context-window"), whole), extraction(text=without_first))
    assert ids(histories.find_violations(evidence(*shorter))) == []


@pytest.mark.parametrize(
    ("observation", "status", "violated"),
    [
        ("Task completed", "ok", []),
        ("Completed.", "ok", ["UDS-001"]),
        (["828 m"], "ok", ["UDS-001"]),
        ("Completed.", "suspended", []),
    ],
)
def test_a_step_of_udspys_ends_in_a_text_and_the_last_in_its_word(
    observation: object, status: str, violated: list[str]
) -> None:
    told = {"reasoning_0": "", "tool_name_0": "finish", "tool_args_0": {}, "observation_0": observation}
    ended = returned(trajectory=told, trajectory_format="mapping", status=status)
    assert ids(BY_NAME["udspy's surface"].find_violations(of(SYSTEMS["udspy"], step(Finish()), ended))) == violated


def test_no_judge_is_left_out_above_and_no_two_have_one_name() -> None:
    (marks,) = test_a_judge_finds_what_it_is_there_for.pytestmark  # type: ignore[attr-defined]
    assert [row[0] for row in marks.args[1]] == [judge.name for judge in JUDGES] == list(BY_NAME)


def test_of_each_requirement_the_first_violation_counts() -> None:
    twice = evidence(step(ADD), ran(), ran(), ran(), *GOOD[2:])
    found = collect_violations(twice)
    assert list(found) == list(dict.fromkeys(ids(v for judge in JUDGES for v in judge.find_violations(twice))))
    assert str(found["SAN-003"]) == str(next(iter(BY_NAME["sanitizers"].find_violations(twice))))


def test_what_no_requirement_is_about_is_no_finding() -> None:
    refusing = evidence(returned({}, status="error", error=Failure(type="ValueError", message="an empty question")))
    assert "" in ids(BY_NAME["oracle"].find_violations(refusing))
    assert collect_violations(refusing) == {}


def test_what_was_not_played_again_may_be_anything() -> None:
    assert collect_violations(PLAYED) == {}
