"""The choice `finish-from-first-state` is observed from what the LM was asked next (CNV-005)."""

from typing import Literal

import pytest

pytest.importorskip("dspy")

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.choices.observers import observe_variants
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Intent, Script
from react_tck.model.signature import parse_arrow
from react_tck.play.session import play_episode
from react_tck.reference.loop import Policy
from react_tck.subjects.libraries.reference import react as reference

SEARCH = CallTool(tool="search", args={"query": "hills"})
FINISH = Finish(sticky=True)


def _observed(policy: Policy, *steps: Intent) -> set[str] | None:
    case = Case(
        id="hello",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["search"],),
        options=Options(system="conversation"),
        invocations=(Invocation(inputs={"question": "Hello!"}),),
    )
    episode = Episode(case=case, script=Script(steps=steps, answers=(Answer(outputs={"answer": "hello"}),)), nonce="n")
    subject = reference.conversation(policy)
    return observe_variants([(episode, play_episode(subject, episode))]).get("finish-from-first-state")


def test_finish_without_any_tool_shows_the_choice(subtests: pytest.Subtests) -> None:
    cases: list[Literal["legal", "illegal"]] = ["legal", "illegal"]
    for variant in cases:
        with subtests.test(variant=variant):
            assert _observed(Policy(finish_from_first_state=variant), FINISH) == {variant}


def test_finish_after_a_tool_shows_nothing() -> None:
    assert _observed(Policy(), SEARCH, FINISH) is None
