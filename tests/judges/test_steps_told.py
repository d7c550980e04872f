"""By which requirement a trajectory owes a step that a person was asked about, or that came before (TRJ-002)."""

import json

import pytest

from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.steps_told import find_untold_steps
from react_tck.judges.verdict import Violation
from react_tck.model.case import Case, Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.signature import parse_arrow
from react_tck.play.again import gather_evidence
from react_tck.subjects.catalogue import resolve

EDIT = json.dumps({"edit": {"name": "translate", "args": {"text": "the new letter"}}})


def test_it_is_not_the_contexts_affair_after_a_response(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str, str]] = [
        ("edit-not-recorded", EDIT, "CNF-014"),
        ("steps-lost-in-serialisation", "yes", "TRJ-002"),
        ("steps-lost-in-serialisation", "no", "TRJ-002"),
    ]
    for mutant, response, due in cases:
        with subtests.test(mutant=mutant, response=response, due=due):
            told = [one for one in _departures(mutant, response) if "the trajectory tells of" in one.expected]
            assert [one.requirement_id for one in told] == [due]


def test_who_keeps_the_steps_departs_from_nothing() -> None:
    assert [*_departures("edit-not-recorded", "yes"), *_departures("steps-lost-in-serialisation", None)] == []


def _departures(mutant: str, response: str | None) -> list[Violation]:
    case = Case(
        id="a case",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["search"], TOOLBOX["translate"].model_copy(update={"confirm": response is not None})),
        invocations=(
            Invocation(
                inputs={"question": "What does it say?"},
                resumptions=() if response is None else (Resumption(response=response),),
            ),
        ),
    )
    search = CallTool(tool="search", args={"query": "the old letter"}, thought="Where is it?")
    translate = CallTool(tool="translate", args={"text": "the old letter"}, thought="It is in Latin.")
    script = Script(
        steps=(search, translate, Finish(thought="Enough.", sticky=True)),
        answers=(Answer(outputs={"answer": "greetings"}, reasoning="So.", sticky=True),),
    )
    evidence = gather_evidence(resolve(f"mutant:{mutant}"), Episode(case=case, script=script, nonce="~1"), again=False)
    return [one for scene in evidence.scenes for one in find_untold_steps(scene)]
