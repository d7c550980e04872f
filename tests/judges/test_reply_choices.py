"""What the observers of revision 2 tell of records made by hand, and where they tell nothing."""

import pytest

from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.choices.observers import observe_variants
from react_tck.judges.choices.replies import observe_unfit_args
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, BadArgs, CallTool, Fault, Finish, Garbled, Intent
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from tests.support.hand_made import ADD, ANSWER, extraction, played, ran, returned, step

FAILED = returned({}, status="error", error=Failure(type="ParseError", message="no"))
ENDED = (step(Finish()), extraction(), returned())
PYTHON = BadArgs(tool="add", text="{'a': 2, 'b': 3}")
TEXTS = CallTool(tool="add", args={"a": "2", "b": 3})
NULL = BadArgs(tool="ping", text="null")
FAULT = Fault(fault="rate-limit")


def _observed(choice: str, *events: Event, max_steps: int | None = None) -> set[str]:
    tools = (TOOLBOX["add"], TOOLBOX["ping"])
    return observe_variants([played(*events, tools=tools, max_steps=max_steps)]).get(choice, set())


def test_a_run_that_never_reached_the_tool_tells_nothing() -> None:
    sent = ran("ping").model_copy(update={"args": {}, "error": "no object", "refused": "null"})
    assert _observed("empty-args", step(NULL), sent, *ENDED) == set()


def test_what_becomes_of_args_that_cannot_be_made_to_fit_is_no_declarations_affair(subtests: pytest.Subtests) -> None:
    cases: list[JsonObject] = [{"a": 2}, {}, {"a": "two", "b": 3}]
    for args in cases:
        with subtests.test(args=args):
            unfit = step(CallTool(tool="add", args=args))
            assert _observed("schema-mismatch", unfit, *ENDED) == set()
            told = [
                observe_unfit_args(*played(*events, tools=(TOOLBOX["add"],)))
                for events in (
                    (unfit, *ENDED),
                    (unfit, FAILED),
                    (unfit, step(Finish()), unfit, FAILED),
                    (step(TEXTS), *ENDED),
                )
            ]
            assert told == ["observe", "error", "observe, or error", None]


def test_args_that_neither_fit_nor_are_those_given_tell_nothing() -> None:
    assert _observed("schema-mismatch", step(TEXTS), ran(a="two", b=3), *ENDED) == set()


def test_a_run_with_other_args_than_the_notation_has_repairs_nothing() -> None:
    assert _observed("args-notation", step(PYTHON), ran(a=PYTHON.text), *ENDED) == set()


def test_an_error_after_the_last_step_tells_nothing(subtests: pytest.Subtests) -> None:
    for choice in ["unknown-tool", "malformed-args", "args-notation", "malformed-reply", "lm-fault"]:
        with subtests.test(choice=choice):
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


def test_of_two_replies_the_one_that_counts_tells_nothing(subtests: pytest.Subtests) -> None:
    """Who reads the first object of a text may take the last of two equal keys inside it."""
    cases: list[tuple[Event, ...]] = [(ran(), *ENDED), (FAILED,)]
    for told in cases:
        with subtests.test(told=told):
            twice = step(Garbled(form="two-replies", meant=ADD))
            assert _observed("repeated-field", twice, *told) == set()
            answers = extraction(Garbled(form="two-replies", meant=ANSWER))
            assert answers.ask is not None
            answers = answers.model_copy(
                update={"ask": answers.ask.model_copy(update={"fields": ("reasoning", "answer")})}
            )
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


def test_a_text_that_would_have_to_be_read_as_a_list_tells_nothing_of_conversions() -> None:
    listed = CallTool(tool="add", args={"a": "[2]", "b": 3})
    assert _observed("schema-mismatch", step(listed), *ENDED) == set()
