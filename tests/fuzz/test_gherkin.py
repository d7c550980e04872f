"""An episode told as a scenario is the same episode when the scenario is played."""

from inspect import signature
from pathlib import Path

import pytest

from react_tck.adapter.results import Notice
from react_tck.catalogue.features import load_feature
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sentences import load_step_definitions
from react_tck.fakes.strategies import PROFILES
from react_tck.fuzz.findings import add_scenario
from react_tck.fuzz.gherkin import Untellable, describe_episode, write_scenario
from react_tck.model.case import Demos, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.steps.world import World
from react_tck.subjects.python import BuiltSubject
from tests.fakes.test_strategies import RICH, generated
from tests.support.hand_made import MANIFEST, played

_DEFINITIONS = load_step_definitions().definitions


class Idle:
    """An instance that does nothing."""

    def call(self, invocation: Invocation) -> Outcome:
        return Outcome(status="ok", outputs={"calls": invocation.mode})

    @property
    def heard(self) -> tuple[Notice, ...]:
        return ()


def world() -> World:
    manifest: Manifest = MANIFEST.model_copy(update={"dialects": RICH.dialects, "capabilities": RICH.capabilities})
    return World(BuiltSubject(manifest, lambda *_: Idle()), "idle", 0, "told")


def acted_out(lines: list[str]) -> Episode:
    """What the scenario of these lines plays."""
    stage, keyword = world(), ""
    for line in lines:
        word, _, text = line.strip().partition(" ")
        keyword = keyword if word == "And" else word.lower()
        (found,) = [one.context for one in _DEFINITIONS if one.matches_step(keyword, text)]
        taken = signature(found.step_func).parameters
        values = {name: value for name, value in (found.parser.parse_arguments(text) or {}).items() if name in taken}
        found.step_func(stage, **values)
    return stage.episode


def nameless(episode: Episode) -> Episode:
    case = episode.case.model_copy(update={"id": ""})
    return episode.model_copy(update={"case": case, "nonce": ""})


@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_told_is_what_is_played(profile: str) -> None:
    for episode in generated(RICH, examples=40, profiles=(profile,)):
        assert nameless(acted_out(describe_episode(episode))) == nameless(episode)


@pytest.mark.parametrize(
    "change",
    [
        {"options": Options(demos=Demos(step=({"next_thought": "Adding."},)))},
        {"invocations": (Invocation(inputs={}, suspension={"confirmation_id": "1"}),)},
    ],
)
def test_what_no_sentence_speaks_of_is_said_so(change: dict[str, object]) -> None:
    episode, _ = played()
    case = episode.case.model_copy(update=change)
    with pytest.raises(Untellable, match="no sentence"):
        describe_episode(episode.model_copy(update={"case": case}))


def test_a_scenario_is_added_to_its_rule(tmp_path: Path) -> None:
    episode, _ = played()
    by_id = load_registry().by_id
    text = add_scenario("@core\nFeature: Found\n", "One", write_scenario(episode, by_id["SAN-003"], "First"))
    text = add_scenario(text, "Two", write_scenario(episode, by_id["SAN-004"], "Second"))
    text = add_scenario(text, "One", write_scenario(episode, by_id["SAN-003"], "Third"))
    path = tmp_path / "core" / "found.feature"
    path.parent.mkdir()
    path.write_text(text)
    assert [(s.rule, s.title, s.requirement_id) for s in load_feature(path)] == [
        ("One", "First", "SAN-003"),
        ("One", "Third", "SAN-003"),
        ("Two", "Second", "SAN-004"),
    ]
    assert "\n\n\n" not in text
