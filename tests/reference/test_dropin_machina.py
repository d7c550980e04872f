"""Who uses `ReActMachina` can use `ConversationReAct` instead: the public call patterns of source 000.

Each pattern is run on the reference, and on the real thing where it is installed.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy

import react_tck
from react_tck.fakes.lm import EpisodeLM
from react_tck.model.intent import Answer, CallTool, Finish, Intent, Raw
from react_tck.reference import ConversationReAct
from react_tck.subjects.libraries.dspy.bridge import language_model
from tests.support.texts import Stage

CITIES = "Available cities for weather: Paris, London, Tokyo, New York"
LIST = CallTool(tool="list_weather_cities", thought="I need to list all available cities.")
LONDON = CallTool(tool="get_weather", args={"city": "London"}, thought="London first.")
TOKYO = CallTool(tool="get_weather", args={"city": "Tokyo"}, thought="Now Tokyo.")
DONE = Finish(thought="That is all.")
ANSWER = Answer(outputs={"answer": "Paris, London, Tokyo, New York"}, reasoning="The tool listed them.")
WEATHER = Answer(outputs={"answer": "Rain in both."}, reasoning="Both were looked up.")


def list_weather_cities() -> str:
    """Lists the cities whose weather is known."""
    return CITIES


def get_weather(city: str) -> str:
    """Reports the weather of a city."""
    return f"Weather in {city}: rain"


TOOLS = [list_weather_cities, get_weather]


class WeatherQuestion(dspy.Signature):  # type: ignore[misc] # dspy has no types
    """Answer questions about the weather."""

    question: str = dspy.InputField()
    history: dspy.History = dspy.InputField()
    answer: str = dspy.OutputField()


@pytest.fixture(name="module", params=["reference", "dspy_react_machina"])
def _module(request: pytest.FixtureRequest) -> Any:
    if request.param == "reference":
        return ConversationReAct
    return pytest.importorskip("dspy_react_machina").ReActMachina


class Talk(Stage):
    """A stage on which an LM that understands the machine says its lines."""

    @contextmanager
    def says(self, *steps: Intent, answers: tuple[Intent, ...] = (ANSWER,)) -> Iterator[EpisodeLM]:
        """Within, dspy's LM says these."""
        lm = self.lm(*steps, answers=answers, dialects=("machina",))
        with dspy.context(lm=language_model(react_tck.LM(lm.complete))):
            yield lm
        assert lm.left_over == ()

    @property
    def states(self) -> list[str]:
        """The state that each request asks in."""
        requests = self.journal.read_record("a case").requests
        return [(asked.request.messages[-1].content or "").splitlines()[1] for asked in requests]


@pytest.fixture(name="talk")
def _talk() -> Talk:
    return Talk()


def test_two_prompts_in_one_conversation(module: Any, talk: Talk) -> None:
    agent = module("history: dspy.History, question -> answer", tools=TOOLS)
    history = dspy.History(messages=[])
    with talk.says(LIST, DONE, LONDON, TOKYO, DONE, answers=(ANSWER, WEATHER)):
        response = agent(question="Which cities can I check the weather for?", history=history)
        assert response.answer == "Paris, London, Tokyo, New York"
        history = response.history
        response = agent(question="Check London and Tokyo", history=history)
    assert response.answer == "Rain in both."
    assert talk.states == ["user_query", "tool_result", "finish", "user_query", "tool_result", "tool_result", "finish"]
    assert response.history.messages[:3] == history.messages


def test_signature_class(module: Any, talk: Talk) -> None:
    with talk.says(LIST, DONE):
        response = module(WeatherQuestion, TOOLS)(question="Which cities?", history=dspy.History(messages=[]))
    assert response.answer == "Paris, London, Tokyo, New York"


def test_history_that_the_signature_does_not_name(module: Any, talk: Talk) -> None:
    agent = module("question -> answer", TOOLS)
    with talk.says(LIST, DONE, LONDON, DONE, answers=(ANSWER, WEATHER)):
        first = agent(question="Which cities?")
        second = agent(question="Check London", history=first.history)
    assert len(second.history.messages) == 6


@pytest.mark.parametrize("predictor", [dspy.Predict, dspy.ChainOfThought])
def test_different_predictors(module: Any, talk: Talk, predictor: Any) -> None:
    agent = module("question -> answer", TOOLS, predictor_class=predictor)
    with talk.says(LIST, DONE):
        response = agent(question="Which cities?")
    assert ("reasoning" in response.history.messages[0]) == (predictor is dspy.ChainOfThought)


def test_max_steps(module: Any, talk: Talk) -> None:
    agent = module("question -> answer", TOOLS, max_steps=2)
    with talk.says(LONDON, TOKYO, answers=(WEATHER,)):
        response = agent(question="Check London and Tokyo")
    assert response.answer == "Rain in both."
    assert talk.states == ["user_query", "tool_result", "interrupted"]
    assert response.history.messages[-1]["interruption_instructions"]


def test_ten_steps_by_default(module: Any) -> None:
    assert module("question -> answer", TOOLS).max_steps == 10


def test_async(module: Any, talk: Talk) -> None:
    agent = module("question -> answer", TOOLS)
    with talk.says(LIST, DONE):
        response = asyncio.run(agent.acall(question="Which cities?"))
    assert response.answer == "Paris, London, Tokyo, New York"


def test_trajectory_of_the_last_response(module: Any, talk: Talk) -> None:
    with talk.says(LIST, DONE):
        trajectory = module("question -> answer", TOOLS)(question="Which cities?").trajectory
    assert trajectory["tool_name_0"] == "list_weather_cities"
    assert trajectory["tool_args_0"] == {}
    assert CITIES in trajectory["observation_0"]


def test_malformed_markers_at_step_two(module: Any, talk: Talk) -> None:
    broken = Raw(text='[[ ## tool_name ]]\nget_weather\n\n[[ ## tool_args ]]\n{"city": "Tokyo"}')
    with talk.says(LONDON, broken, TOKYO, DONE, answers=(WEATHER,)):
        response = module("question -> answer", TOOLS)(question="Check London and Tokyo")
    assert response.answer == "Rain in both."


def test_history_is_readable_as_messages(module: Any, talk: Talk) -> None:
    with talk.says(LIST, DONE):
        response = module("question -> answer", TOOLS)(question="Which cities?")
    first, second, last = response.history.messages
    assert (first["machine_state"], first["question"]) == ("user_query", "Which cities?")
    assert (first["tool_name"], first["tool_args"]) == ("list_weather_cities", {})
    assert second["machine_state"] == "tool_result"
    assert CITIES in second["tool_result"]
    assert (last["machine_state"], last["answer"]) == ("finish", "Paris, London, Tokyo, New York")
