"""Drawn episodes are held against themselves without what is to make no difference; who differs is told by whose."""

import pytest

from react_tck.fuzz.playing import vary_episode
from react_tck.judges.table import collect_violations
from react_tck.model.case import Case, Invocation, Options, Resumption
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Intent, Script, Submit
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Behaviour, Raises, Returns, ReturnsOddity, Tool
from react_tck.play.again import play_and_compare
from react_tck.subjects.catalogue import resolve

_SCHEMA = {"type": "object", "properties": {"a": {"type": "string", "default": "\\n"}}, "required": []}
_CALLED = Invocation(inputs={"question": "How many?"})
_BROKEN = Raises(message="out of order")
_AGREED = Resumption(response="yes", elsewhere=True)


def _episode(*calls: Invocation, confirm: bool = False, does: tuple[Behaviour, ...] = ()) -> Episode:
    """Each call runs its tool once and finishes."""
    tool = Tool(name="add", description="Adds.", parameters=_SCHEMA, confirm=confirm)
    steps = tuple(CallTool(tool="add", args={"a": str(n)}, thought=f"Step {n}.") for n in range(len(calls)))
    said = [each for step in steps for each in (step, Finish(thought="Done."))]
    said[-1] = said[-1].model_copy(update={"sticky": True})
    answer = Answer(outputs={"answer": "one"}, reasoning="So.", sticky=True)
    case = Case(id="held", signature=parse_arrow("question -> answer"), tools=(tool,), invocations=calls)
    return Episode(
        case=case, script=Script(steps=tuple(said), answers=(answer,)), behaviours={"add": does}, nonce="held"
    )


def _transcribe(episode: Episode, *steps: Intent, adapter: str = "chat") -> Episode:
    """The same as a transcript, in which the LM does something else."""
    options = Options(system="transcript", module_adapter=adapter)
    case = episode.case.model_copy(update={"options": options})
    return episode.model_copy(update={"case": case, "script": Script(steps=steps)})


def _vary(episode: Episode, name: str) -> Episode:
    return vary_episode(episode, [name])


ONE, TWO = _episode(_CALLED), _episode(_CALLED, _CALLED, does=(_BROKEN, Returns(value=5)))
AWAITED = _episode(_CALLED.model_copy(update={"mode": "async", "max_steps": 1}))
ELSEWHERE = _episode(_CALLED.model_copy(update={"resumptions": (_AGREED,)}), confirm=True, does=(_BROKEN,))
ADDED = CallTool(tool="add", args={"a": "1"}, thought="Add.")
SUBMITTED = Submit(outputs={"answer": "one"}, thought="Done.", sticky=True)
FOLLOWED = _transcribe(
    _episode(_CALLED, _CALLED.model_copy(update={"follows": 0}), does=(Returns(value={"sum": 5}),)), ADDED, SUBMITTED
)
FINISH_WITH_ARGS = Finish(args={"answer": "one"}, thought="Done.", sticky=True)
#: A mutant, what shows it, and the requirement that it breaks.
HELD = (
    ("async-takes-a-step-less", AWAITED, "ASY-001"),
    ("failed-tool-is-broken-for-good", TWO, "ISO-001"),
    ("inputs-on-the-instance", _vary(ONE, "concurrent call"), "ISO-002"),
    ("resumed-elsewhere-hides-tool-errors", ELSEWHERE, "CNF-008"),
    ("loaded-listing-loses-backslashes", _vary(ONE, "loaded"), "SAV-002"),
    ("values-become-text-in-serialisation", FOLLOWED, "TRN-010"),
)


@pytest.mark.parametrize(("mutant", "episode", "requirement_id"), HELD)
def test_what_is_to_make_no_difference_makes_none(mutant: str, episode: Episode, requirement_id: str) -> None:
    keeper = "reference" if episode.case.options.system is None else "reference-transcript"
    for name, is_violated in ((f"mutant:{mutant}", True), (keeper, False)):
        evidence = play_and_compare(resolve(name), episode, again=False)
        assert requirement_id in {each.requirement_id for each in evidence.counterparts}
        assert (requirement_id in collect_violations(evidence)) is is_violated


@pytest.mark.parametrize(
    "episode",
    [
        AWAITED.model_copy(update={"behaviours": {"add": (_BROKEN,)}}),
        AWAITED.model_copy(update={"script": Script(steps=(FINISH_WITH_ARGS,), answers=AWAITED.script.answers)}),
        TWO.model_copy(update={"behaviours": {"add": (ReturnsOddity(oddity="set"),)}}),
    ],
    ids=[
        "an error names functions",
        "finish may be run",
        "what was returned can't be told again",
    ],
)
def test_what_may_differ_is_held_against_nothing(episode: Episode) -> None:
    assert play_and_compare(resolve("reference"), episode, again=False).counterparts == ()
