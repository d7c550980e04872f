"""Whoever speaks natively alone is asked for several calls at once by the fuzzer, too."""

from react_tck.fakes.strategies.cases import Reach
from react_tck.fakes.strategies.episodes import episodes
from react_tck.fuzz.engine import generate_examples
from react_tck.model.episode import Episode
from react_tck.model.intent import Calls
from react_tck.subjects.catalogue import resolve


def test_the_fuzzer_asks_a_native_agent_for_several_calls_at_once() -> None:
    seen: list[Episode] = []
    manifest = resolve("python:tests.world.twin:Twin").initialize()
    native = manifest.model_copy(update={"dialects": ("native",)})
    generate_examples(episodes(Reach.of(native)), 0, 60, seen.append)
    assert any(isinstance(step, Calls) for episode in seen for step in episode.script.steps)
