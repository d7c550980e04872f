"""Drawn episodes under variations: which are drawn, what becomes of them, and what only they show."""

import pytest

from react_tck.cli.commands.replay import command as replay
from react_tck.fuzz.campaign import Campaign, SilentSearchListener
from react_tck.fuzz.findings import make_finding, read_finding, write_finding
from react_tck.fuzz.playing import vary_episode
from react_tck.fuzz.shards import Budget, GivenSubject, SearchScope
from react_tck.judges.table import collect_violations
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Raises, Tool
from react_tck.play.again import play_and_compare
from react_tck.subjects.catalogue import resolve

#: Mutants that no episode shows that is played as it was drawn.
FOUND = ("loaded-hides-tool-errors", "concurrent-hides-tool-errors")
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


@pytest.mark.parametrize("mutant", FOUND)
def test_what_only_a_variation_shows_is_found(mutant: str) -> None:
    subject, scope = GivenSubject(resolve(f"mutant:{mutant}")), SearchScope(("core", "robustness"))
    assert Campaign(subject, Budget(500), SilentSearchListener(), scope).find_first() is not None


@pytest.mark.parametrize("names", [("loaded",), ("concurrent case",), ("concurrent call",), ("agreed",)])
def test_nothing_is_found_in_the_reference_and_what_was_played_is_told(names: tuple[str, ...]) -> None:
    evidence = play_and_compare(resolve("reference"), _vary(*names), again=True)
    assert collect_violations(evidence) == {}
    assert evidence.episode.variations == names
    assert (evidence.beside is not None) == names[0].startswith("concurrent")
    assert (evidence.episode.case.state is not None) == (names == ("loaded",))
    assert bool(evidence.episode.case.invocations[0].resumptions) == (names == ("agreed",))


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
