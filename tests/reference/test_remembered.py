"""What is made once for many requests and agents: nobody sees by it what another has changed."""

from typing import Annotated

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ReAct, TranscriptReAct
from react_tck.reference.adapters.conversation import (
    assistant_message,
    drop_fields,
    replace_instructions,
    system_message,
    user_message,
)
from tests.support.dspy_stage import add

CHAT = dspy.ChatAdapter()


def test_it_is_as_the_adapter_writes_it(subtests: pytest.Subtests) -> None:
    cases: list[dspy.Adapter] = [dspy.ChatAdapter(), dspy.JSONAdapter(), dspy.XMLAdapter()]
    for adapter in cases:
        with subtests.test(adapter=adapter):
            signature = dspy.Signature("question, hint -> answer, parts: list[int]", "Add.")
            for _ in range(2):
                assert system_message(adapter, signature) == adapter.format_system_message(signature)
                for said in ({"answer": "5", "parts": "[2, 3]"}, {"answer": "5" * 5000, "parts": [2, 3]}):
                    written = adapter.format_assistant_message_content(signature, said)
                    assert assistant_message(adapter, signature, said) == written
                for asked in ({"hint": " 2+3? \n", "question": "{}"}, {"hint": ""}, {"question": ["2", "3"]}, {}):
                    for how in ((), ("Before.", "Behind.", True)):
                        written = adapter.format_user_message_content(signature, asked, *how)
                        assert user_message(adapter, signature, asked, *how) == written


def test_a_signature_that_is_changed_in_place_is_another_one() -> None:
    signature = dspy.Signature("question -> answer, doubt", "Add.")
    before = system_message(CHAT, signature), drop_fields(signature, "doubt"), replace_instructions(signature, "Count.")
    assert drop_fields(signature, "doubt") is before[1]
    signature.output_fields["answer"].json_schema_extra["desc"] = "in fathoms"
    signature.instructions = "Measure."
    assert "in fathoms" in system_message(CHAT, signature)
    assert "Measure." in system_message(CHAT, signature)
    assert drop_fields(signature, "doubt").instructions == "Measure."
    assert replace_instructions(signature, "Count.") is not before[2]


def test_a_signature_that_cannot_be_compared_is_written_too() -> None:
    unhashable = list[Annotated[int, {"unit": "fathoms"}]]
    signature = dspy.Signature({"depths": (unhashable, dspy.InputField()), "sum": (int, dspy.OutputField())}, "Add.")
    for _ in range(2):
        assert system_message(CHAT, signature) == CHAT.format_system_message(signature)


def test_agents_of_one_function_share_nothing_that_can_be_changed() -> None:
    one, other = ReAct("question -> answer", [add]), ReAct("question -> answer", [add])
    one.tools["add"].args["a"]["type"] = "string"
    assert other.tools["add"].args["a"]["type"] == "integer"
    assert ReAct("question -> answer", [add]).tools["add"].args["a"]["type"] == "integer"
    predictors = zip(one.predictors(), other.predictors(), strict=True)
    assert all(mine.signature is not theirs.signature for mine, theirs in predictors)


def test_submit_takes_the_outputs_of_each_agent() -> None:
    unhashable = dspy.Signature({"answer": (list[Annotated[int, {"unit": "fathoms"}]], dspy.OutputField())}, "Add.")
    tasks = (
        "question -> answer: int | str",
        "question -> answer: str | int",
        "question -> answer: int | str",
        unhashable,
    )
    made = [TranscriptReAct(task, []).tools["submit"] for task in tasks]
    shown = [[each["type"] for each in submit.args["answer"].get("anyOf", [])] for submit in made]
    assert shown == [["integer", "string"], ["string", "integer"], ["integer", "string"], []]
    assert (made[0].func is made[2].func, made[0].args is made[2].args) == (True, False)
