"""`ConversationReAct` on dspy: one conversation, whoever drives it."""

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy
from dspy.utils.exceptions import ContextWindowExceededError

from react_tck.model.intent import Fault, Raw
from react_tck.reference import ConfirmationRequired, ConversationReAct, tool
from react_tck.reference.loop import Policy
from tests.support.dspy_stage import ADD, DONE, FIVE, DspyStage, add


class ConversationStage(DspyStage):
    """A stage whose LM understands the machine."""

    def lm(self, *steps: Any, **options: Any) -> Any:
        return super().lm(*steps, **{**options, "dialects": ("machina",)})

    @property
    def states(self) -> list[str]:
        """The state that each request asks in."""
        texts = (asked.request.messages[-1].content or "" for asked in self.requests)
        return [text.splitlines()[1] for text in texts]


@pytest.fixture(name="stage")
def _stage() -> ConversationStage:
    return ConversationStage()


def test_prediction_has_outputs_trajectory_and_history(stage: ConversationStage) -> None:
    with stage.says(ADD, DONE):
        prediction = ConversationReAct("question -> answer", [add])(question="2+3")
    assert prediction.answer == "5"
    assert prediction.history.messages[-1]["reasoning"] == "2 and 3 is 5"
    assert prediction.trajectory["observation_0"] == 5
    states = [exchange["machine_state"] for exchange in prediction.history.messages]
    assert states == stage.states == ["user_query", "tool_result", "finish"]


def test_history_survives_json(stage: ConversationStage) -> None:
    agent = ConversationReAct("question -> answer", [add])
    with stage.says(ADD, DONE, ADD, DONE, answers=(FIVE, FIVE)):
        first = agent(question="2+3")
        messages = json.loads(json.dumps(first.history.messages))
        agent(question="again", history=dspy.History(messages=messages))
    before, after = stage.requests[2].request.messages, stage.requests[3].request.messages
    assert after[: len(before)] == before


def test_a_prompt_that_does_not_fit_is_not_made_again_as_it_was(stage: ConversationStage) -> None:
    agent = ConversationReAct("question -> answer", [add])
    with stage.says(ADD, ADD, Fault(fault="context-window"), answers=()), pytest.raises(ContextWindowExceededError):
        agent(question="2+3")
    assert len(stage.requests) == 3


def test_callers_history_is_left_alone(stage: ConversationStage) -> None:
    agent = ConversationReAct("question -> answer", [add])
    history = dspy.History(messages=[])
    with stage.says(ADD, DONE):
        prediction = agent(question="2+3", history=history)
    assert history.messages == []
    assert prediction.history is not history


def test_turn_of_another_module_is_shown_with_what_it_has(stage: ConversationStage) -> None:
    history = dspy.History(messages=[{"question": "1+1", "answer": "2"}])
    with stage.says(DONE):
        ConversationReAct("question -> answer", [add])(question="2+3", history=history)
    _, asked, told, *_ = stage.requests[0].request.messages
    assert "[[ ## question ## ]]\n1+1" in (asked.content or "")
    assert told.content == "[[ ## answer ## ]]\n2\n\n[[ ## completed ## ]]\n"


def test_async_call_gives_the_same(stage: ConversationStage) -> None:
    agent = ConversationReAct("question -> answer", [add])
    with stage.says(ADD, DONE):
        sync = agent(question="2+3")
    with ConversationStage().says(ADD, DONE):
        awaited = asyncio.run(agent.acall(question="2+3"))
    assert sync.toDict() == awaited.toDict()


def test_finishing_at_once_can_be_made_illegal(stage: ConversationStage) -> None:
    agent = ConversationReAct("question -> answer", [add], policy=Policy(finish_from_first_state="illegal"))
    with stage.says(DONE, DONE):
        agent(question="2+3")
    assert stage.states == ["user_query", "tool_result", "finish"]


def test_answer_that_cannot_be_read_is_raised(stage: ConversationStage) -> None:
    agent = ConversationReAct("question -> answer", [add])
    with stage.says(DONE, answers=(Raw(text="five, I think"),)), pytest.raises(dspy.utils.exceptions.AdapterParseError):
        agent(question="2+3")


def test_finish_is_part_of_the_conversation_whatever_the_policy(stage: ConversationStage) -> None:
    agent = ConversationReAct("question -> answer", [add], policy=Policy(finish_recorded=False))
    with stage.says(ADD, DONE):
        agent(question="2+3")
    assert stage.states == ["user_query", "tool_result", "finish"]


@pytest.mark.parametrize("max_steps", [0, -1])
def test_conversation_takes_at_least_one_step(max_steps: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        ConversationReAct("question -> answer", [add], max_steps)


def test_suspended_conversation_goes_on_where_it_was(stage: ConversationStage) -> None:
    agent = ConversationReAct("question -> answer", [tool(require_confirmation=True)(add)])
    with stage.says(ADD, DONE):
        with pytest.raises(ConfirmationRequired) as suspended:
            agent(question="2+3")
        dumped = json.loads(json.dumps(suspended.value.dump()))
        prediction = agent.resume("yes", ConfirmationRequired.load(dumped))
    assert prediction.answer == "5"
    assert stage.states == ["user_query", "tool_result", "finish"]
    before, after = stage.requests[0].request.messages, stage.requests[1].request.messages
    assert after[: len(before)] == before


def test_rejected_call_is_a_result_like_any_other(stage: ConversationStage) -> None:
    agent = ConversationReAct("question -> answer", [tool(require_confirmation=True)(add)])
    with stage.says(ADD, DONE):
        with pytest.raises(ConfirmationRequired) as suspended:
            agent(question="2+3")
        agent.resume("no", suspended.value)
    assert stage.states == ["user_query", "tool_result", "finish"]


@pytest.mark.parametrize("arrow", ["machine_state -> answer", "question -> history", "history -> answer"])
def test_names_of_the_machine_are_refused(arrow: str) -> None:
    with pytest.raises(ValueError, match="a name that the conversation uses itself"):
        ConversationReAct(arrow, [add])


def test_output_may_be_named_like_a_field_of_a_step(stage: ConversationStage) -> None:
    answer = FIVE.model_copy(update={"outputs": {"response": "5"}})
    with stage.says(ADD, DONE, answers=(answer,)):
        assert ConversationReAct("question -> response", [add])(question="2+3").response == "5"


def test_instructions_stand_in_the_system_prompt_alone(stage: ConversationStage) -> None:
    signature = dspy.Signature("question -> answer", "Add what is asked for.")
    with stage.says(ADD, DONE):
        ConversationReAct(signature, [add])(question="2+3")
    system, *others = stage.requests[-1].request.messages
    assert "Add what is asked for." in (system.content or "")
    assert not any("Add what is asked for." in (message.content or "") for message in others)


def test_predictors_are_found_by_dspy() -> None:
    names = [name for name, _ in ConversationReAct("question -> answer", [add]).named_predictors()]
    assert len(names) == 4


def test_state_of_the_module_is_saved_and_loaded() -> None:
    agent, other = (ConversationReAct("question -> answer", [add]) for _ in range(2))
    predictor = agent.state_predictors["finish"].predictors()[0]
    predictor.signature = predictor.signature.with_instructions("Answer in a word.")
    other.load_state(agent.dump_state())
    assert other.state_predictors["finish"].predictors()[0].signature.instructions == "Answer in a word."


def test_a_loaded_conversation_names_the_tools_that_it_has_itself() -> None:
    """The field for a tool's name was loaded with the list of those that the saved one had (SAV-003)."""

    def search(query: str) -> str:
        """Looks something up."""
        return query

    agent, other = (ConversationReAct("question -> answer", [tool]) for tool in (add, search))
    other.load_state(agent.dump_state())
    for state in ("user_query", "tool_result"):
        predictor = other.state_predictors[state].predictors()[0]
        assert predictor.signature.output_fields["tool_name"].json_schema_extra["desc"] == "one of: search, finish"
        assert "search" in predictor.signature.instructions
