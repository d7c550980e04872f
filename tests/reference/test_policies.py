"""What each field of a policy that is about reading lets pass, or doesn't; and what a step or an answer costs by it."""

import json
from collections.abc import Callable, Iterable
from typing import Any, Literal

import pytest

pytest.importorskip("dspy")

import dspy
from dspy import lm15
from dspy.utils.dummies import DummyLM
from dspy.utils.exceptions import AdapterParseError, LMError

from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct
from react_tck.reference.adapters.policies import match_tool_name, read_args, read_calls
from react_tck.reference.adapters.strict_reading import make_strict
from react_tck.reference.drive import EpisodeFailed
from react_tck.reference.loop import STRICT, Policy
from tests.programs.stage import Mind, adds, played, submits
from tests.support.dspy_stage import add

THOUGHT = {"next_thought": "add them"}
CALL = {**THOUGHT, "next_tool_name": "add", "next_tool_args": {"a": 2, "b": 3}}
FINISH = {**THOUGHT, "next_tool_name": "finish", "next_tool_args": {}}
ANSWER = {"reasoning": "I know", "answer": "5"}
ANSWERS = dspy.Signature("question -> reasoning, answer")
Say = str | tuple[str, str] | Exception


class Talker:
    """An engine that says one thing after the other, each with the reason why it ends."""

    supports_function_calling = False

    def __init__(self, said: Iterable[Say]) -> None:
        self._said = iter(said)
        self.requests: list[Any] = []

    def complete(self, request: Any, **_: Any) -> Any:
        self.requests.append(request)
        said = next(self._said)
        if isinstance(said, Exception):
            raise said
        text, reason = said if isinstance(said, tuple) else (said, "stop")
        message = lm15.Message(role="assistant", parts=(lm15.TextPart(text=text),))
        return lm15.Response(id="1", model=request.model, message=message, finish_reason=reason, usage=lm15.Usage())


def fields(said: dict[str, Any], *, marker: bool = False) -> str:
    parts = [f"[[ ## {n} ## ]]\n{v if isinstance(v, str) else json.dumps(v)}" for n, v in said.items()]
    return "\n\n".join([*parts, *(["[[ ## completed ## ]]"] if marker else [])])


def asked(agent: Any, *said: Say) -> tuple[Any, int]:
    """What came of a call, and how often the LM was asked."""
    engine = Talker(said)
    with dspy.context(lm=dspy.LM("test", engine=engine, cache=False, num_retries=0)):
        made = agent(question="2+3?")
    return made, len(engine.requests)


def ran() -> tuple[list[Any], Callable[..., int]]:
    runs: list[Any] = []

    def note(a: int = 0, b: int = 0) -> int:
        runs.append((a, b))
        return a + b

    note.__name__ = "add"
    return runs, note


# A reply is whole when it is demonstrably whole.


def test_an_lm_that_never_writes_the_marker_costs_as_much_as_with_the_original() -> None:
    said = (fields(CALL), fields(FINISH), fields(ANSWER))
    costs = [asked(react("question -> answer", [add]), *said)[1] for react in (dspy.ReAct, ReAct)]
    assert costs == [3, 3]


def test_where_the_marker_is_required_its_lack_is_named() -> None:
    agent = ReAct("question -> answer", [add], max_steps=1, policy=STRICT)
    made, cost = asked(agent, fields(CALL), json.dumps(CALL), fields(ANSWER, marker=True))
    assert (made.answer, cost) == ("5", 3)
    with pytest.raises(AdapterParseError, match=r"the reply doesn't end with \[\[ ## completed ## \]\]"):
        make_strict(dspy.ChatAdapter(), STRICT).parse(ANSWERS, fields(ANSWER))


def test_a_last_text_is_whole_by_its_finish_reason() -> None:
    cut = (fields(ANSWER)[:-1] + "4 and then", "length")
    agent = ReAct("question -> answer", [add], max_steps=0)
    made, cost = asked(agent, cut, json.dumps(ANSWER))
    assert (made.answer, cost) == ("5", 2)
    engine = Talker([cut, ("", "length")])
    with dspy.context(lm=dspy.LM("test", engine=engine, cache=False)), pytest.raises(AdapterParseError):
        agent(question="2+3?")


def test_args_that_close_are_whole_though_no_tokens_are_left() -> None:
    runs, note = ran()
    asked(ReAct("question -> answer", [note], max_steps=1), (fields(CALL), "length"), fields(ANSWER))
    assert runs == [(2, 3)]


@pytest.mark.parametrize("cut", range(1, 16))
def test_args_that_are_cut_off_run_nothing(cut: int) -> None:
    runs, note = ran()
    agent = ReAct("question -> answer", [note], max_steps=1)
    asked(agent, (fields(CALL)[:-cut], "length"), ("", "length"), fields(ANSWER))
    assert runs == []


@pytest.mark.parametrize(("variant", "cost"), [("returned", 1), ("refused", 2)])
def test_an_answer_after_which_no_tokens_were_left(variant: Any, cost: int) -> None:
    agent = ReAct("question -> answer", [add], max_steps=0, policy=Policy(cut_off_answer=variant))
    whole = (fields(ANSWER, marker=True), "length")
    assert asked(agent, whole, json.dumps(ANSWER))[1] == cost


# How args and names are written.


@pytest.mark.parametrize(
    "text", ["{'a': 2, 'b': 3}", '{"a": 2, "b": 3,}', "{a: 2, b: 3}", '```json\n{"a": 2, "b": 3}\n```']
)
def test_another_notation_is_read_where_the_policy_repairs(text: str) -> None:
    assert read_args(text, Policy()) == {"a": 2, "b": 3}
    with pytest.raises(ValueError, match="is not valid JSON"):
        read_args(text, Policy(args_notation="JSON only"))


@pytest.mark.parametrize("text", ['{"a": 2 "b": 3}', '{"a": 2', "the sum", "[2]", '{"a": NaN}'])
def test_what_is_not_certain_is_read_under_no_policy(text: str) -> None:
    with pytest.raises(ValueError, match="next_tool_args is not"):
        read_args(text, Policy())


@pytest.mark.parametrize("text", ["", "null", '""'])
def test_empty_args_are_an_object_or_refused(text: str) -> None:
    assert read_args(text, Policy()) == {}
    with pytest.raises(ValueError, match="next_tool_args is not"):
        read_args(text, Policy(empty_args="observe"))


@pytest.mark.parametrize(
    ("variant", "meant"),
    [
        ("exact", ["add", "`add`", "ADD"]),
        ("quotes and space ignored", ["add", "add", "ADD"]),
        ("case ignored", ["add", "add", "add"]),
    ],
)
def test_a_name_is_taken_for_a_tools(variant: Any, meant: list[str]) -> None:
    policy = Policy(tool_name_matching=variant)
    assert [match_tool_name(name, ("add", "finish"), policy) for name in ("add", "`add`", "ADD")] == meant


def test_another_letter_case_is_no_name_where_two_tools_fit() -> None:
    assert match_tool_name("Add", ("ADD", "add"), Policy(tool_name_matching="case ignored")) == "Add"


def test_a_quoted_name_costs_one_step() -> None:
    runs, note = ran()
    said = (fields(CALL | {"next_tool_name": '"add"'}), fields(FINISH), fields(ANSWER))
    assert asked(ReAct("question -> answer", [note]), *said)[1] == 3
    assert runs == [(2, 3)]


# What stands twice.


@pytest.mark.parametrize(("variant", "answer"), [("first", "5"), ("last", "6")])
@pytest.mark.parametrize("kind", [dspy.ChatAdapter, dspy.JSONAdapter, dspy.XMLAdapter])
def test_of_a_field_that_stands_twice_one_counts(kind: Any, variant: Any, answer: str) -> None:
    said = {
        dspy.ChatAdapter: fields(ANSWER) + "\n\n" + fields({"answer": "6"}),
        dspy.JSONAdapter: '{"reasoning": "I know", "answer": "5", "answer": "6"}',
        dspy.XMLAdapter: "<reasoning>I know</reasoning><answer>5</answer><answer>6</answer>",
    }[kind]
    assert make_strict(kind(), Policy(repeated_field=variant)).parse(ANSWERS, said)["answer"] == answer
    with pytest.raises(AdapterParseError, match="twice"):
        make_strict(kind(), Policy(repeated_field="refused")).parse(ANSWERS, said)


@pytest.mark.parametrize(("variant", "a"), [("first", 2), ("last", 4)])
def test_of_a_key_that_stands_twice_one_counts(variant: Any, a: int) -> None:
    policy, text = Policy(repeated_field=variant), '{"a": 2, "a": 4}'
    assert read_args(text, policy) == {"a": a}
    assert read_calls(f'[{{"name": "add", "args": {text}}}]', policy) == [{"name": "add", "args": {"a": a}}]
    with pytest.raises(ValueError, match="twice"):
        read_args(text, Policy(repeated_field="refused"))


# What follows then.


@pytest.mark.parametrize("said", ["null", "", '""'])
def test_empty_args_may_be_an_error(said: str) -> None:
    agent = ReAct("question -> answer", [add], policy=Policy(empty_args="error"))
    with pytest.raises(EpisodeFailed, match="next_tool_args is not"):
        asked(agent, fields(CALL | {"next_tool_args": said}))


def test_other_malformed_args_are_none_of_the_empty_ones() -> None:
    agent = ReAct("question -> answer", [add], policy=Policy(empty_args="error"))
    said = (fields(CALL | {"next_tool_args": "[2]"}), fields(FINISH), fields(ANSWER))
    assert asked(agent, *said)[0].answer == "5"


@pytest.mark.parametrize(("variant", "cost"), [("observe", 3), ("extract", 2)])
def test_a_fault_that_may_pass_is_absorbed(variant: Any, cost: int) -> None:
    agent = ReAct("question -> answer", [add], policy=Policy(lm_fault=variant))
    said = (*([fields(FINISH)] if variant == "observe" else []), fields(ANSWER))
    made, asked_for = asked(agent, lm15.ServerError("overloaded"), *said)
    assert (made.answer, asked_for) == ("5", cost)


@pytest.mark.parametrize(
    ("fault", "policy"),
    [
        (lm15.ServerError("overloaded"), Policy()),
        (lm15.AuthError("who are you?"), Policy(lm_fault="observe")),
        (lm15.InvalidRequestError("what?"), Policy(lm_fault="observe")),
    ],
)
def test_another_fault_is_an_error_at_once(fault: Exception, policy: Policy) -> None:
    with pytest.raises(LMError):
        asked(ReAct("question -> answer", [add], policy=policy), fault)


def test_steps_that_run_out_may_be_an_error() -> None:
    agent = ReAct("question -> answer", [add], max_steps=1, policy=Policy(steps_exhausted="error"))
    with pytest.raises(EpisodeFailed, match="no step is left"):
        asked(agent, fields(CALL))
    assert asked(ReAct("question -> answer", [add], max_steps=1), fields(CALL), fields(ANSWER))[1] == 2


# Whatever adapter carries it.


def test_an_adapter_that_does_not_say_how_it_reads_is_read_as_its_base() -> None:
    class Mine(dspy.ChatAdapter):  # type: ignore[misc]  # dspy has no types
        """Writes otherwise."""

        def format_system_message(self, signature: Any) -> str:
            return "Hello.\n" + str(super().format_system_message(signature))

    with pytest.raises(AdapterParseError, match="doesn't end with"):
        make_strict(Mine(), STRICT).parse(ANSWERS, fields(ANSWER))


@pytest.mark.parametrize(
    ("react", "mind", "steps"), [(ReAct, adds, 2), (ConversationReAct, adds, 2), (TranscriptReAct, submits, 1)]
)
def test_a_trajectory_is_a_mapping_or_a_list_of_the_same_steps(react: Any, mind: Mind, steps: int) -> None:
    def trajectory(shape: Literal["mapping", "list"]) -> Any:
        policy = Policy(trajectory_format=shape, derived_trajectory="given")
        agent = react("question -> answer", [add], policy=policy)
        return played(lambda asked: asked(question="2+3?").trajectory, agent, mind).value

    listed = trajectory("list")
    assert len(listed) == steps
    assert {f"{name}_{n}": value for n, step in enumerate(listed) for name, value in step.items()} == trajectory(
        "mapping"
    )


@pytest.mark.parametrize("adapter", [dspy.ChatAdapter, dspy.JSONAdapter, dspy.XMLAdapter])
@pytest.mark.parametrize("react", [ReAct, UdspyReAct])
def test_dummy_lm_works_with_every_adapter(react: Any, adapter: Any) -> None:
    lm = DummyLM([CALL, FINISH, ANSWER], adapter=adapter())
    with dspy.context(lm=lm, adapter=adapter()):
        made = react("question -> answer", [add])(question="2+3?")
    assert (made.answer, made.trajectory["observation_0"] in (5, "5"), len(lm.history)) == ("5", True, 3)


@pytest.mark.parametrize("react", [ReAct, UdspyReAct])
def test_finish_ends_the_loop_with_args_that_cannot_be_read(react: Any) -> None:
    lm = DummyLM([{**FINISH, "next_tool_args": '{"answer": "5'}, ANSWER])
    with dspy.context(lm=lm):
        made = react("question -> answer", [add])(question="2+3?")
    assert (made.answer, len(lm.history)) == ("5", 2)


@pytest.mark.parametrize("adapter", [dspy.ChatAdapter, dspy.JSONAdapter, dspy.XMLAdapter])
def test_dummy_lm_works_with_a_transcript(adapter: Any) -> None:
    turns = [[{"name": "add", "args": {"a": 2, "b": 3}}], [{"name": "submit", "args": {"answer": "5"}}]]
    lm = DummyLM([{**THOUGHT, "tool_calls": calls} for calls in turns], adapter=adapter())
    with dspy.context(lm=lm, adapter=adapter()):
        made = TranscriptReAct("question -> answer", [add])(question="2+3?")
    (result,) = made.history.messages[0]["tool_calls"].tool_call_results.tool_call_results
    assert (made.answer, result.value, len(lm.history)) == ("5", 5, 2)


def test_dummy_lm_works_with_a_conversation() -> None:
    def step(tool: str, args: Any) -> dict[str, Any]:
        return {"reasoning": "I see", "tool_name": tool, "tool_args": args, "response": "One moment."}

    lm = DummyLM([step("add", {"a": 2, "b": 3}), step("finish", {}), ANSWER])
    with dspy.context(lm=lm):
        made = ConversationReAct("question -> answer", [add])(question="2+3?")
    assert (made.answer, made.trajectory["observation_0"], len(lm.history)) == ("5", 5, 3)
