"""An agent of langgraph that waits for a person before it pays, and goes on where it stood, perhaps days later."""

import pytest

from react_tck import ScriptedLM

pytest.importorskip("langchain_openai", reason="pip install langchain langchain-openai langgraph")
agents = pytest.importorskip("langchain.agents")
middleware = pytest.importorskip("langchain.agents.middleware")
memory = pytest.importorskip("langgraph.checkpoint.memory")
types = pytest.importorskip("langgraph.types")

PAID: list[int] = []


def refund(order: int) -> str:
    """Pays the price of an order back."""
    PAID.append(order)
    return f"{order} is paid back"


@pytest.mark.parametrize(("decision", "paid", "said"), [("approve", [17], "Done."), ("reject", [], "I can't.")])
def test_nothing_is_paid_before_a_person_agrees(
    scripted_lm: ScriptedLM, decision: str, paid: list[int], said: str
) -> None:
    PAID.clear()
    lm = scripted_lm(environment=True)
    lm.calls("refund", order=17).after("refund").says(said)
    agent = agents.create_agent(
        "openai:any",
        [refund],
        middleware=[middleware.HumanInTheLoopMiddleware(interrupt_on={"refund": True})],
        checkpointer=memory.InMemorySaver(),
    )
    thread = {"configurable": {"thread_id": "1"}}

    waiting = agent.invoke({"messages": [{"role": "user", "content": "I want my money back for 17."}]}, thread)
    assert (bool(waiting["__interrupt__"]), PAID) == (True, [])

    done = agent.invoke(types.Command(resume={"decisions": [{"type": decision}]}), thread)
    assert (done["messages"][-1].content, PAID) == (said, paid)
