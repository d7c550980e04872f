"""`ConversationReAct` on dspy: one conversation, whoever drives it."""

import json
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy
from dspy.utils.exceptions import ContextWindowExceededError

from react_tck.model.intent import Fault
from react_tck.reference import ConversationReAct
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


def test_conversation_takes_at_least_one_step(subtests: pytest.Subtests) -> None:
    for max_steps in [0, -1]:
        with subtests.test(max_steps=max_steps), pytest.raises(ValueError, match="at least 1"):
            ConversationReAct("question -> answer", [add], max_steps)


def test_names_of_the_machine_are_refused(subtests: pytest.Subtests) -> None:
    for arrow in ["machine_state -> answer", "question -> history", "history -> answer"]:
        with (
            subtests.test(arrow=arrow),
            pytest.raises(ValueError, match="a name that the conversation uses itself"),
        ):
            ConversationReAct(arrow, [add])


def test_output_may_be_named_like_a_field_of_a_step(stage: ConversationStage) -> None:
    answer = FIVE.model_copy(update={"outputs": {"response": "5"}})
    with stage.says(ADD, DONE, answers=(answer,)):
        assert ConversationReAct("question -> response", [add])(question="2+3").response == "5"


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
