"""What the observers of revision 2 tell of records made by hand, and where they tell nothing."""

import pytest

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.choices.declared import is_as_declared
from react_tck.judges.choices.misfits import observe_unfit_args
from react_tck.judges.choices.observers import observe_variants
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, BadArgs, CallTool, Fault, Finish, Garbled, Intent, Submit
from react_tck.model.lm import Completion
from react_tck.model.outcome import Failure
from react_tck.model.record import Asked, Event
from tests.support.hand_made import ADD, ANSWER, extraction, played, ran, returned, step

FAILED = returned({}, status="error", error=Failure(type="ParseError", message="no"))
ENDED = (step(Finish()), extraction(), returned())
QUOTED, CAPITAL = (CallTool(tool=name, args=ADD.args) for name in ('"add"', "ADD"))
PYTHON = BadArgs(tool="add", text="{'a': 2, 'b': 3}")
TWICE = BadArgs(tool="add", text='{"a": 1, "a": 2, "b": 3}')
TEXTS = CallTool(tool="add", args={"a": "2", "b": 3})
NULL = BadArgs(tool="ping", text="null")
FAULT = Fault(fault="rate-limit")


def _observed(choice: str, *events: Event, max_steps: int | None = None) -> set[str]:
    tools = (TOOLBOX["add"], TOOLBOX["ping"])
    return observe_variants([played(*events, tools=tools, max_steps=max_steps)]).get(choice, set())


@pytest.mark.parametrize(
    ("events", "seen"),
    [
        ((step(QUOTED), step(CAPITAL)), {"exact"}),
        ((step(QUOTED), ran(), step(CAPITAL)), {"quotes and space ignored"}),
        ((step(QUOTED), ran(), step(CAPITAL), ran()), {"case ignored"}),
        ((step(CAPITAL), ran()), {"case ignored"}),
        ((step(QUOTED), ran()), set()),
        ((step(CAPITAL),), set()),
    ],
)
def test_how_names_are_matched_is_told_by_near_misses_of_both_kinds(events: tuple[Event, ...], seen: set[str]) -> None:
    assert _observed("tool-name-matching", *events, *ENDED) == seen


@pytest.mark.parametrize(
    ("choice", "fault", "run", "variants"),
    [
        ("args-notation", PYTHON, ran(), ("repaired when certain", "JSON only", "JSON only")),
        ("empty-args", NULL, ran("ping").model_copy(update={"args": {}}), ("empty object", "observe", "error")),
        ("repeated-field", TWICE, ran(a=1, b=3), ("first in chat", "refused in chat", "refused in chat")),
        ("repeated-field", TWICE, ran(a=2, b=3), ("last in chat", "refused in chat", "refused in chat")),
        ("schema-mismatch", TEXTS, ran(), ("coerce when lossless", "observe", "error")),
        ("schema-mismatch", TEXTS, ran(a="2", b=3), ("passed as given", "observe", "error")),
    ],
)
def test_a_run_a_further_step_and_an_error_tell_the_variant(
    choice: str, fault: Intent, run: Event, variants: tuple[str, str, str]
) -> None:
    told = (_observed(choice, step(fault), run, *ENDED), _observed(choice, step(fault), *ENDED))
    assert (*told, _observed(choice, step(fault), FAILED)) == tuple({variant} for variant in variants)


def test_a_run_that_never_reached_the_tool_tells_nothing() -> None:
    sent = ran("ping").model_copy(update={"args": {}, "error": "no object", "refused": "null"})
    assert _observed("empty-args", step(NULL), sent, *ENDED) == set()


@pytest.mark.parametrize("args", [{"a": 2}, {}, {"a": "two", "b": 3}])
def test_what_becomes_of_args_that_cannot_be_made_to_fit_is_no_declarations_affair(args: JsonObject) -> None:
    unfit = step(CallTool(tool="add", args=args))
    assert _observed("schema-mismatch", unfit, *ENDED) == set()
    told = [
        observe_unfit_args(*played(*events, tools=(TOOLBOX["add"],)))
        for events in ((unfit, *ENDED), (unfit, FAILED), (unfit, step(Finish()), unfit, FAILED), (step(TEXTS), *ENDED))
    ]
    assert told == ["observe", "error", "observe, or error", None]


def test_args_that_neither_fit_nor_are_those_given_tell_nothing() -> None:
    assert _observed("schema-mismatch", step(TEXTS), ran(a="two", b=3), *ENDED) == set()


def test_a_run_with_other_args_than_the_notation_has_repairs_nothing() -> None:
    assert _observed("args-notation", step(PYTHON), ran(a=PYTHON.text), *ENDED) == set()


@pytest.mark.parametrize("choice", ["unknown-tool", "malformed-args", "args-notation", "malformed-reply", "lm-fault"])
def test_an_error_after_the_last_step_tells_nothing(choice: str) -> None:
    faults: dict[str, Intent] = {
        "unknown-tool": CallTool(tool="multiply"),
        "malformed-args": BadArgs(tool="add", text="two"),
        "args-notation": PYTHON,
        "malformed-reply": Garbled(form="prose", meant=ADD),
        "lm-fault": FAULT,
    }
    fault = step(faults[choice])
    assert _observed(choice, fault, FAILED, max_steps=2)
    assert _observed(choice, fault, FAILED, max_steps=1) == set()


def test_a_tool_that_raises_in_the_last_step_tells_nothing_by_an_error() -> None:
    failed = ran().model_copy(update={"result": None, "error": "no"})
    assert _observed("tool-error", step(ADD), failed, FAILED, max_steps=1) == set()
    assert _observed("tool-error", step(ADD), failed, FAILED, max_steps=2) == {"error"}
    assert _observed("tool-error", step(ADD), failed, extraction(), returned(), max_steps=1) == {"observe"}


@pytest.mark.parametrize(
    ("following", "seen"),
    [
        ((extraction(), returned()), {"extract"}),
        ((FAILED,), {"error"}),
        ((returned(),), {"last observation"}),
    ],
)
def test_what_follows_the_last_step_is_told_by_one_that_went_well(following: tuple[Event, ...], seen: set[str]) -> None:
    assert _observed("steps-exhausted", step(ADD), ran(), *following, max_steps=1) == seen
    assert _observed("steps-exhausted", step(ADD), ran(), *following, max_steps=2) == set()
    assert _observed("steps-exhausted", step(CallTool(tool="multiply")), *following, max_steps=1) == set()
    assert _observed("steps-exhausted", step(ADD), ran(result="half a pair \ud83d"), FAILED, max_steps=1) == set()


def _again(intent: Intent) -> Asked:
    return step(intent).model_copy(update={"attempt": 1})


def test_a_fault_is_told_by_what_follows_its_last_attempt() -> None:
    assert _observed("lm-fault", step(FAULT), FAILED) == {"error"}
    assert _observed("lm-fault", step(FAULT), _again(FAULT), FAILED) == {"retries 1, then error"}
    unread = step(Garbled(form="empty", meant=ADD))
    assert _observed("lm-fault", unread, _again(FAULT), FAILED) == {"error"}
    assert _observed("lm-fault", step(FAULT), *ENDED) == {"observe"}
    assert _observed("lm-fault", step(FAULT), extraction(), returned()) == {"extract"}
    assert _observed("lm-fault", step(FAULT), _again(ADD), ran(), *ENDED) == set()
    assert _observed("lm-fault", step(Fault(fault="unauthorized")), FAILED) == set()


@pytest.mark.parametrize(
    ("outcome", "seen"),
    [
        (returned(), {"first in chat"}),
        (returned({"answer": "finish"}), {"last in chat"}),
        (returned({"answer": "5 finish"}), set()),
        (FAILED, {"refused in chat"}),
    ],
)
def test_which_of_two_answers_counts_is_told_by_the_outputs(outcome: Event, seen: set[str]) -> None:
    asked = extraction(Garbled(form="contradicted-field", meant=ANSWER))
    assert asked.ask is not None
    asked = asked.model_copy(update={"ask": asked.ask.model_copy(update={"fields": ("reasoning", "answer")})})
    assert _observed("repeated-field", step(Finish()), asked, outcome) == seen


@pytest.mark.parametrize(("outcome", "seen"), [(returned(), {"first in chat"}), (FAILED, set())])
def test_of_a_submit_that_stands_twice_only_the_first_can_be_read(outcome: Event, seen: set[str]) -> None:
    twice = step(Garbled(form="contradicted-field", meant=Submit(outputs=ANSWER.outputs)))
    assert _observed("repeated-field", twice, outcome) == seen


def test_an_extraction_after_a_finish_with_a_field_of_another_type_tells_nothing() -> None:
    for form, seen in (("null-thought", set()), ("prose", {"retries 0, then extract"})):
        finish = step(Garbled(form=form, meant=Finish()))
        assert _observed("malformed-reply", finish, extraction(), returned()) == seen


def test_how_often_an_adapter_of_the_callers_asks_again_tells_nothing() -> None:
    episode, record = played(step(Garbled(form="prose", meant=ADD)), FAILED)
    assert observe_variants([(episode, record)])["malformed-reply"] == {"retries 0, then error"}
    own = episode.case.model_copy(update={"options": episode.case.options.model_copy(update={"adapter": "json"})})
    assert "malformed-reply" not in observe_variants([(episode.model_copy(update={"case": own}), record)])
    # Found by fuzzing: one that is configured between the calls.
    changed = played(step(Garbled(form="prose", meant=ADD)), FAILED, adapter="json")
    assert "malformed-reply" not in observe_variants([changed])


def test_of_a_step_that_stands_twice_an_extraction_tells_nothing() -> None:
    twice = step(Garbled(form="contradicted-field", meant=ADD))
    assert _observed("repeated-field", twice, ran(), *ENDED) == {"first in chat"}
    assert _observed("repeated-field", twice, FAILED) == {"refused in chat"}
    assert _observed("repeated-field", twice, extraction(), returned()) == set()


@pytest.mark.parametrize("told", [(ran(), *ENDED), (FAILED,)])
def test_of_two_replies_the_one_that_counts_tells_nothing(told: tuple[Event, ...]) -> None:
    """Who reads the first object of a text may take the last of two equal keys inside it."""
    twice = step(Garbled(form="two-replies", meant=ADD))
    assert _observed("repeated-field", twice, *told) == set()
    answers = extraction(Garbled(form="two-replies", meant=ANSWER))
    assert answers.ask is not None
    answers = answers.model_copy(update={"ask": answers.ask.model_copy(update={"fields": ("reasoning", "answer")})})
    assert _observed("repeated-field", step(Finish()), answers, told[-1]) == set()


def test_a_whole_answer_without_tokens_left_is_returned_or_refused() -> None:
    whole = extraction(Garbled(form="truncated", meant=Answer(outputs={"answer": "5"}), cut=1))
    assert whole.ask is not None
    assert whole.completion is not None
    cut = whole.model_copy(
        update={
            "ask": whole.ask.model_copy(update={"fields": ("answer",)}),
            "completion": whole.completion.model_copy(update={"finish_reason": "length"}),
        }
    )
    assert _observed("cut-off-answer", step(Finish()), cut, returned()) == {"returned"}
    assert _observed("cut-off-answer", step(Finish()), cut, FAILED) == {"refused"}


def test_what_is_declared_of_no_dialect_holds_in_all() -> None:
    assert is_as_declared("first", ["first in chat", "first in json"])
    assert is_as_declared("first in chat, or last in json", ["first in chat", "last in json"])
    assert not is_as_declared("first in chat", ["first in json"])


def test_a_text_that_would_have_to_be_read_as_a_list_tells_nothing_of_conversions() -> None:
    listed = CallTool(tool="add", args={"a": "[2]", "b": 3})
    assert _observed("schema-mismatch", step(listed), *ENDED) == set()


@pytest.mark.parametrize(("cut", "seen"), [(1, {"refused"}), (0.95, set())])
def test_a_refusal_tells_of_cut_off_answers_only_where_nothing_is_missing(cut: float, seen: set[str]) -> None:
    whole = extraction(Garbled(form="truncated", meant=ANSWER, cut=cut))
    asked = whole.ask and whole.ask.model_copy(update={"fields": ("answer",)})
    cut_off = whole.model_copy(update={"ask": asked, "completion": Completion(content="", finish_reason="length")})
    assert _observed("cut-off-answer", step(Finish()), cut_off, FAILED) == seen
