"""The choices `fallback` and `extraction` are observed in runs that could have submitted (TRN-006)."""

import pytest

pytest.importorskip("dspy")

from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.choices.observers import observe_variants
from react_tck.judges.table import collect_violations
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Attempts, Calls, CallTool, Empty, Fault, Intent, Script, Submit
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Raises
from react_tck.play.again import gather_evidence
from react_tck.play.session import play_episode
from react_tck.subjects.catalogue import resolve

SEARCH = CallTool(tool="search", args={"query": "hills"})
SEVEN = {"answer": "seven"}


def observed(subject_name: str, *steps: Intent, raises: str | None = None) -> dict[str, set[str]]:
    case = Case(
        id="a case",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["search"], TOOLBOX["weather"]),
        options=Options(system="transcript", max_steps=2),
        invocations=(Invocation(inputs={"question": "How many hills?"}),),
    )
    script = Script(steps=steps, answers=(Answer(outputs=SEVEN),))
    behaviours = {"search": (Raises(message=raises),)} if raises else {}
    episode = Episode(case=case, script=script, behaviours=behaviours, nonce="n0nce")
    return observe_variants([(episode, play_episode(resolve(subject_name), episode))])


def test_a_run_that_submitted_shows_no_fallback(subtests: pytest.Subtests) -> None:
    for subject in ["reference-transcript", "dspy-v2"]:
        with subtests.test(subject=subject):
            seen = observed(subject, Submit(outputs=SEVEN))
            assert "fallback" not in seen
            assert seen["extraction"] == {"none (submit)"}


def test_a_tool_that_raises_beside_another_one_is_observed() -> None:
    both = Calls(calls=(SEARCH, CallTool(tool="weather", args={"city": "Rome"})))
    assert observed("reference-transcript", both, Submit(outputs=SEVEN), raises="closed")["tool-error"] == {"observe"}


def test_a_prompt_made_shorter_costs_no_step() -> None:
    """Found by fuzzing: a step asked for again after a summary was taken for the answer."""
    told = Submit(outputs={"summary": "seven"})
    unheard = Attempts(replies=(Empty(), Fault(fault="context-window")))
    case = Case(
        id="a case",
        signature=parse_arrow("question -> summary"),
        tools=(TOOLBOX["search"],),
        options=Options(system="transcript", max_steps=2),
        invocations=(
            Invocation(inputs={"question": "How many hills?"}),
            Invocation(inputs={"question": "And how many roads?"}, follows=0),
            Invocation(inputs={"question": "Both together?"}, follows=1),
        ),
    )
    steps = (told, told, SEARCH, unheard, told.model_copy(update={"sticky": True}))
    answer = Answer(outputs={"summary": "seven"}, sticky=True)
    episode = Episode(case=case, script=Script(steps=steps, answers=(answer,)), nonce="n0nce")
    evidence = gather_evidence(resolve("reference-transcript"), episode, again=False)
    assert collect_violations(evidence) == {}
    assert [asked.ask.phase for asked in evidence.record.requests if asked.ask][-2:] == ["extraction", "step"]
