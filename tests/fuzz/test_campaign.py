"""The fuzzer: what it finds, and what becomes of it."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_tck.fuzz import findings, playing
from react_tck.fuzz.campaign import Campaign, HarnessBrokenIn, SilentSearchListener
from react_tck.fuzz.findings import UnreadableFinding, make_finding, read_finding, write_finding
from react_tck.fuzz.shards import Budget, GivenSubject, SearchScope, Sighting
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.verdict import Violation
from react_tck.model.episode import Episode
from react_tck.model.intent import CallTool, Finish, Script
from react_tck.model.manifest import Manifest
from react_tck.model.record import Record
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import resolve
from tests.fakes.test_strategies import RICH
from tests.support.hand_made import MANIFEST, played, returned

#: Enough to find what is looked for; and attempts enough to see that what is found gets smaller, but not how small.
EXAMPLES, FEW = 60, 20


class Watcher:
    """Counts what it is told."""

    def __init__(self) -> None:
        self.examples = 0
        self.attempts: list[str] = []
        #: What was found, and after how many attempts to make anything smaller.
        self.found: list[tuple[str, int]] = []
        self.chosen_after = 0

    def show_progress(self, shards: int, examples: int, findings: int) -> None:
        self.examples = examples

    def show_found(self, ids: str, sighting: Sighting) -> None:
        self.found.append((ids, len(self.attempts)))

    def show_shrinking(self, requirement_id: str, attempts: int) -> None:
        self.attempts.append(requirement_id)

    def show_choosing(self, examples: int) -> None:
        self.chosen_after = examples


class Nobody:
    """A subject that only has a manifest: judging is made up."""

    def initialize(self) -> Manifest:
        return MANIFEST.model_copy(update={"dialects": RICH.dialects, "capabilities": RICH.capabilities})


Judging = Callable[[Episode], list[str]]


@pytest.fixture
def fuzzed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Campaign]:
    """A campaign in which an episode violates what a function says."""

    def make(
        judging: Judging,
        budget: Budget | None = None,
        scope: SearchScope | None = None,
        accused: tuple[str, ...] = (),
    ) -> Campaign:
        def examine(_: object, episode: Episode, *, again: bool) -> tuple[Evidence, dict[str, Violation]]:
            violated = {id_: Violation("right", "wrong") for id_ in judging(episode)}
            return Evidence(episode, MANIFEST, Record(case_id="")), violated

        monkeypatch.setattr(playing, "examine_episode", examine)
        monkeypatch.setattr(playing, "find_tested_requirements", lambda _: frozenset({"ERR-008"}))
        source, hunted = GivenSubject(Nobody()), scope or SearchScope(("robustness",))  # type: ignore[arg-type]
        return Campaign(
            source, budget or Budget(EXAMPLES, attempts=FEW), Watcher(), hunted, find_accused=lambda _: accused
        )

    return make


def calls(episode: Episode) -> list[CallTool]:
    return [step for step in episode.script.steps if isinstance(step, CallTool)]


def test_nothing_is_found_where_nothing_is(fuzzed: Callable[..., Campaign]) -> None:
    searched = fuzzed(lambda _: [])
    assert list(searched.find_violations()) == []
    assert searched.examples == EXAMPLES


def test_a_finding_is_made_small(fuzzed: Callable[..., Campaign]) -> None:
    (found,) = fuzzed(lambda e: ["SAN-003"] if len(calls(e)) > 1 else [], Budget(EXAMPLES, None, 3)).find_violations()
    assert len(found.sighting.episode.script.steps) == 3
    assert len(found.sighting.episode.case.tools) <= 1
    assert len(found.sighting.episode.case.invocations) == 1
    assert found.sighting.episode.behaviours == {}


def test_each_requirement_is_found_once_and_what_a_finding_covers_is_not_told_again(
    fuzzed: Callable[..., Campaign],
) -> None:
    def judging(episode: Episode) -> list[str]:
        if calls(episode):
            return ["SAN-003", "SAN-004"]
        return ["SAN-007"] if len(episode.case.invocations) > 1 else []

    found = [set(finding.sighting.breaches) for finding in fuzzed(judging).find_violations()]
    assert found == [{"SAN-003", "SAN-004"}, {"SAN-007"}]


def test_ctrl_c_ends_the_search_with_what_was_found(fuzzed: Callable[..., Campaign]) -> None:
    seen = count(1)

    def judging(episode: Episode) -> list[str]:
        if next(seen) == EXAMPLES // 2:
            raise KeyboardInterrupt
        return ["SAN-003"] if calls(episode) else []

    searched = fuzzed(judging)
    (found,) = searched.find_violations()
    assert searched.is_interrupted
    assert calls(found.sighting.episode)
    assert searched.examples == EXAMPLES // 2


def test_a_broken_harness_ends_the_search_after_what_was_found(fuzzed: Callable[..., Campaign]) -> None:
    seen = count(1)

    def judging(episode: Episode) -> list[str]:
        if next(seen) == EXAMPLES // 2:
            raise HarnessBroken("it fell over")
        return ["SAN-003"] if calls(episode) else []

    searched = fuzzed(judging).find_violations()
    assert calls(next(searched).sighting.episode)
    with pytest.raises(HarnessBrokenIn, match="it fell over") as broken:
        next(searched)
    assert broken.value.episode.case.invocations


@pytest.mark.parametrize("question", ["2+3", "half a pair \ud83d", "nul \x00 inside"])
def test_a_finding_is_kept_under_a_name_of_its_own(tmp_path: Path, question: str) -> None:
    episode, _ = played(returned(), inputs={"question": question})
    finding = make_finding(MANIFEST, episode, [DETERMINISM])
    path = write_finding(finding, tmp_path)
    assert path == write_finding(finding, tmp_path)
    assert path.name == f"{finding.name}.json"
    assert read_finding(path) == finding
    assert finding.requirements == (DETERMINISM,)
    other = finding.model_copy(update={"episode": episode.model_copy(update={"script": Script(steps=(Finish(),))})})
    assert other.name != finding.name


@given(st.sampled_from(["", "{", "[]", '{"episode": {}}', "\x00"]))
def test_what_is_no_finding_is_refused_in_a_sentence(text: str) -> None:
    path = Path("case.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(findings, "read_file", lambda _: text)
        with pytest.raises(UnreadableFinding, match=r"case\.json is not a case that `react-tck fuzz` has written"):
            read_finding(path)


def test_a_missing_finding_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFinding, match=r"none\.json can't be read: No such file"):
        read_finding(tmp_path / "none.json")


def test_what_agents_that_are_right_are_accused_of_is_not_told(fuzzed: Callable[..., Campaign]) -> None:
    campaign = fuzzed(lambda _: ["SAN-003", "SAN-004"], accused=("SAN-003",))

    assert [each.requirement_id for each in campaign.find_violations()] == ["SAN-004"]
    assert campaign.acquitted == {"SAN-003"}


def test_a_right_agent_with_native_calls_is_accused_of_nothing() -> None:
    native = GivenSubject(resolve("python:react_tck.fuzz.witnesses:Native"))

    assert not list(Campaign(native, Budget(700), SilentSearchListener()).find_violations())
