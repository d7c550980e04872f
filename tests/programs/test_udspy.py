"""Programs for `udspy.ReAct` do the same with `reference.UdspyReAct`, but for what docs/DROP_IN.md says."""

from typing import Any

import pytest

pytest.importorskip("udspy")
pytest.importorskip("dspy")

import udspy
from openai.types.chat import ChatCompletion
from udspy.lm.base import LM

from react_tck.model.lm import LMRequest, Message
from react_tck.reference import UdspyReAct
from tests.programs import of_udspy
from tests.programs.stage import Heard, Program, adds, played, programs
from tests.programs.table import differences

#: Programs that show a difference, by the row that tells of it.
DIFFERENT = {
    "error_text": "the text of a tool's error",
    "trajectory": "the trajectory",
    "confirmation": "a call that waits for a person",
    "resumed": "a call that waits for a person",
    "unknown_input": "an input that the signature doesn't have",
}
PROGRAMS = programs(of_udspy)


class UdspyLM(LM):  # type: ignore[misc]  # udspy has no types
    """The LM of the stage as udspy's."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    async def acomplete(self, messages: list[dict[str, Any]], **_: Any) -> ChatCompletion:
        """Answer."""
        said = (Message(role=message["role"], content=message.get("content")) for message in messages)
        message = {"role": "assistant", "content": self._heard.complete(LMRequest(messages=tuple(said))).content}
        choices = [{"index": 0, "finish_reason": "stop", "message": message}]
        return ChatCompletion(id="1", created=0, model="heard", object="chat.completion", choices=choices)


def by_udspy(program: Program) -> tuple[Any, list[str]]:
    """What came of it, and the phases that its LM was asked for."""
    heard = Heard(adds)
    with udspy.settings.context(lm=UdspyLM(heard)):
        try:
            value = program(udspy.ReAct)
        except Exception as error:
            value = type(error).__name__
    return value, [phase for phase, *_ in heard.asked]


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_came_out_and_how_often_the_lm_was_asked(program: Program) -> None:
    seen = played(program, UdspyReAct)
    theirs, ours = by_udspy(program), (seen.value, [phase for phase, *_ in seen.asked])
    if program.__name__ in DIFFERENT:
        assert ours != theirs, f"docs/DROP_IN.md needn't tell of {program.__name__} any more"
    else:
        assert ours == theirs


def test_the_table_tells_of_these_differences_and_no_others() -> None:
    assert differences("UdspyReAct") == set(DIFFERENT.values())
    assert set(DIFFERENT) <= set(PROGRAMS)
