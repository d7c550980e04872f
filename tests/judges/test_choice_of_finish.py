"""The choice `finish-from-first-state` is observed from what the LM was asked next (CNV-005)."""

from typing import Any

import pytest

pytest.importorskip("dspy")

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.choices import observe
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Intent, Script
from react_tck.model.signature import parse_arrow
from react_tck.play.session import play
from react_tck.reference import ConversationReAct
from react_tck.reference.loop import Policy
from react_tck.subjects.libraries.reference import react as reference

SEARCH = CallTool(tool="search", args={"query": "hills"})
FINISH = Finish(sticky=True)


class Strict(ConversationReAct):
    """Finishes only after a tool has run, as S0 has it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options, policy=Policy(finish_from_first_state="illegal"))


def _observed(react: type[ConversationReAct] | None, *steps: Intent) -> set[str] | None:
    case = Case(
        id="hello",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["search"],),
        options=Options(system="conversation"),
        invocations=(Invocation(inputs={"question": "Hello!"}),),
    )
    episode = Episode(case=case, script=Script(steps=steps, answers=(Answer(outputs={"answer": "hello"}),)), nonce="n")
    subject = reference.subject(lambda made: react if react and made is ConversationReAct else made)
    return observe([(episode, play(subject, episode))]).get("finish-from-first-state")


@pytest.mark.parametrize(("react", "variant"), [(None, "legal"), (Strict, "illegal")])
def test_finish_without_any_tool_shows_the_choice(react: type[ConversationReAct] | None, variant: str) -> None:
    assert _observed(react, FINISH) == {variant}


def test_finish_after_a_tool_shows_nothing() -> None:
    assert _observed(None, SEARCH, FINISH) is None
