"""An agent of smolagents': what it thought stands in its memory, beside the call that it made."""

import pytest

import react_tck

smolagents = pytest.importorskip("smolagents")


def test_it_remembers_the_text_beside_a_call(scripted_lm: react_tck.ScriptedLM) -> None:
    @smolagents.tool  # type: ignore[untyped-decorator, unused-ignore]
    def add(a: int, b: int) -> int:
        """Adds two numbers.

        Args:
            a: one.
            b: the other.
        """
        return a + b

    lm = scripted_lm()
    lm.says("Let me add.", calls=[("add", {"a": 2, "b": 3})]).calls("final_answer", answer="It is 5.")
    model = smolagents.OpenAIServerModel("m", api_base=lm.base_url, api_key=lm.api_key)
    agent = smolagents.ToolCallingAgent(tools=[add], model=model, verbosity_level=0)

    assert agent.run("What is 2+3?") == "It is 5."
    first = next(step for step in agent.memory.steps if getattr(step, "step_number", 0) == 1)
    assert (first.model_output, first.observations) == ("Let me add.", "5")
    lm.assert_asked("Let me add.")
