"""Drawn episodes under variations: which are drawn, what becomes of them, and what only they show."""

import pytest

from react_tck.cli.commands.replay import command as replay
from react_tck.fuzz.campaign import Campaign
from react_tck.fuzz.findings import make_finding, read_finding, write_finding
from react_tck.fuzz.gherkin import Untellable, describe_episode
from react_tck.fuzz.progress import SilentSearchListener
from react_tck.fuzz.shards import Budget, GivenSubject, SearchScope
from react_tck.fuzz.varying import NOT_DRAWN, list_fitting, vary_episode
from react_tck.judges.table import collect_violations
from react_tck.model.case import Case, Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Raises, Tool
from react_tck.play.again import play_and_compare
from react_tck.subjects.catalogue import resolve
from react_tck.variations.table import VARIATIONS

_NAMES = {each.name for each in VARIATIONS}

#: Mutants that no episode shows that is played as it was drawn.
FOUND = ("loaded-hides-tool-errors", "company-hides-tool-errors")
_CALL = CallTool(tool="add", args={"a": 1}, thought="See.")
_SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
EPISODE = Episode(
    case=Case(
        id="fuzz",
        signature=parse_arrow("question -> answer"),
        tools=(Tool(name="add", description="Adds.", parameters=_SCHEMA),),
        invocations=(Invocation(inputs={"question": "How many?"}),),
    ),
    script=Script(steps=(_CALL, Finish(sticky=True)), answers=(Answer(outputs={"answer": "1"}, sticky=True),)),
    behaviours={"add": (Raises(message="out of order"),)},
    nonce="drawn",
)


def _vary(*names: str, episode: Episode = EPISODE) -> Episode:
    return vary_episode(episode, names)


def _call_with(**changes: object) -> Episode:
    call = EPISODE.case.invocations[0].model_copy(update=changes)
    return EPISODE.model_copy(update={"case": EPISODE.case.model_copy(update={"invocations": (call,)})})


@pytest.mark.parametrize("mutant", FOUND)
def test_what_only_a_variation_shows_is_found(mutant: str) -> None:
    subject, scope = GivenSubject(resolve(f"mutant:{mutant}")), SearchScope(("core", "robustness"))
    assert Campaign(subject, Budget(500), SilentSearchListener(), scope).find_first() is not None


def test_what_a_variation_makes_of_a_case_is_drawn_with_it() -> None:
    varied = _vary("second call", "async", "nested output")
    assert varied.variations == ()
    assert [call.mode for call in varied.case.invocations] == ["sync", "async"]
    assert all("counts" in each.outputs for each in varied.script.answers if isinstance(each, Answer))
    assert len(varied.script.steps) == len(EPISODE.script.steps) + 1
    assert len(describe_episode(varied)) > len(describe_episode(EPISODE))


def test_what_it_changes_in_a_play_is_left_to_the_play() -> None:
    varied = _vary("loaded", "concurrent case")
    assert varied == EPISODE.model_copy(update={"variations": ("loaded", "concurrent case")})
    with pytest.raises(Untellable, match="'loaded', 'concurrent case'"):
        describe_episode(varied)


def test_variations_that_do_not_fit_together_or_change_nothing_are_left_out() -> None:
    assert _vary("second call", "garbled first") == _vary("second call")
    assert _vary("agreed", "agreed elsewhere", "agreed").variations == ("agreed",)
    finishing = EPISODE.model_copy(update={"script": Script(steps=(Finish(),))})
    assert _vary("agreed", "garbled first", episode=finishing) == finishing


def test_a_signature_has_one_history() -> None:
    drawn = _vary("history")
    assert [field.history for field in drawn.case.signature.inputs] == [False, True]
    assert _vary("history", episode=drawn) == drawn


def test_only_what_the_judges_can_be_held_to_is_drawn() -> None:
    manifest = resolve("reference").initialize()
    fitting = {each.name for each in list_fitting(EPISODE, manifest)}
    assert {"loaded", "concurrent case", "agreed", "second call", "nested output"} <= fitting
    assert not fitting & {*NOT_DRAWN, "follow-up", "summarised steps", manifest.default_dialect}
    assert NOT_DRAWN.keys() <= _NAMES
    asked, following = _call_with(resumptions=(Resumption(response="no"),)), _call_with(follows=0)
    assert not {each.name for each in list_fitting(asked, manifest)} & {"agreed", "JSON later", "concurrent call"}
    assert {each.name for each in list_fitting(EPISODE, manifest)} - {
        each.name for each in list_fitting(following, manifest)
    } == {"agreed elsewhere", "concurrent call", "called while waiting"}


def test_callbacks_listen_where_one_instance_takes_all_calls() -> None:
    """The reference was accused of OBS-001: what resumed its call had callbacks of its own."""
    manifest = resolve("reference").initialize()
    case = EPISODE.case.model_copy(update={"options": EPISODE.case.options.model_copy(update={"callbacks": True})})
    heard = EPISODE.model_copy(update={"case": case})
    left_out = {each.name for each in list_fitting(EPISODE, manifest)} - {
        each.name for each in list_fitting(heard, manifest)
    }
    assert left_out == {"agreed elsewhere"}


@pytest.mark.parametrize("names", [("loaded",), ("concurrent case",), ("concurrent call",), ("agreed",)])
def test_the_reference_is_innocent_and_what_was_played_is_told(names: tuple[str, ...]) -> None:
    evidence = play_and_compare(resolve("reference"), _vary(*names), again=True)
    assert collect_violations(evidence) == {}
    assert evidence.episode.variations == names
    assert (evidence.beside is not None) == names[0].startswith("concurrent")
    assert (evidence.episode.case.state is not None) == (names == ("loaded",))
    assert bool(evidence.episode.case.invocations[0].resumptions) == (names == ("agreed",))


def test_what_is_wrong_with_the_call_beside_is_found() -> None:
    evidence = play_and_compare(resolve("mutant:tool-run-twice"), _vary("concurrent case"), again=False)
    assert evidence.beside is not None
    own = evidence.__class__(EPISODE, evidence.manifest, evidence.record.model_copy(update={"events": ()}))
    assert collect_violations(own) == {}
    beside = evidence.__class__(own.episode, own.manifest, own.record, beside=evidence.beside)
    assert collect_violations(beside).keys() == collect_violations(evidence.beside).keys() != set()


def test_a_finding_keeps_its_variations(tmp_path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:  # type: ignore[no-untyped-def]
    mutant = resolve("mutant:loaded-hides-tool-errors")
    finding = make_finding(mutant.initialize(), _vary("loaded"), ["ERR-007"])
    path = write_finding(finding, tmp_path)
    assert read_finding(path).episode.variations == ("loaded",)
    monkeypatch.chdir(tmp_path)
    assert replay.main([str(path), "mutant:loaded-hides-tool-errors"], standalone_mode=False) == 1
    told = capsys.readouterr().out
    assert "played under: loaded" in told
    assert "no sentence says that it is played under 'loaded'" in told
