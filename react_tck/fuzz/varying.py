"""Drawn episodes, played under up to three of the changes that rows of scenarios are played under.

What a change makes of an episode is drawn with it. What it does while it is played is left to whoever plays it: the
episode has its name.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from hypothesis import strategies as st

from react_tck.fakes.strategies import Reach, episodes
from react_tck.fakes.strategies.draws import among
from react_tck.fuzz.gherkin import SYSTEMS
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.variations.change import Change, Combination
from react_tck.variations.table import VARIATIONS

#: How many changes are drawn at once; what fits together and changes something is played.
_TIMES = (0, 0, 1, 1, 2, 3)
#: Changes that no drawn episode is played under, and why.
NOT_DRAWN: Mapping[str, str] = {
    "more args": "drawn tools take lists and nulls by themselves",
    "other marks": "texts of drawn episodes hold such marks by themselves",
}


@st.composite
def varied_episodes(draw: st.DrawFn, manifest: Manifest, profiles: tuple[str, ...]) -> Episode:
    """Episodes of these profiles that the subject can play; some of them under variations."""
    episode = draw(episodes(Reach.of(manifest), profiles))
    fitting = tuple(each.name for each in list_fitting(episode, manifest))
    times = draw(among(_TIMES)) if fitting else 0
    return vary_episode(episode, [draw(among(fitting)) for _ in range(times)])


def list_fitting(episode: Episode, manifest: Manifest) -> Iterator[Change]:
    """Yield the changes that the subject can play and the judges of a drawn episode can hold it against."""
    system = f"{SYSTEMS[episode.case.options.system]} over"
    for each in VARIATIONS if episode.case.invocations else ():
        is_meant = any(re.search(each.only, sentence) for sentence in (system, "it is called"))
        if is_meant and each.name not in NOT_DRAWN and not each.find_lack(manifest) and _is_open_to(each, episode):
            yield each


def _is_open_to(change: Change, episode: Episode) -> bool:
    """Tell whether nobody is asked anything in the episode, or the change leaves it as it is who is asked what.

    Nobody says which adapter a call is resumed under, and a history is the instance's own that gave it: that of the
    call of a number, among which a concurrent one would be counted; another instance has none of them, and its
    callbacks hear of its own calls alone.
    """
    case = episode.case
    is_resumed_elsewhere = change.name == "agreed elsewhere"
    if case.options.callbacks and is_resumed_elsewhere:
        return False
    counts_otherwise = is_resumed_elsewhere or change.name in ("concurrent call", "called while waiting")
    if counts_otherwise and any(call.follows is not None for call in case.invocations):
        return False
    is_asked = case.options.clarification is not None or any(call.resumptions for call in case.invocations)
    return not is_asked or not {"person", "concurrent"} & {*change.settles}


def vary_episode(episode: Episode, names: Collection[str]) -> Episode:
    """Return the episode under those of the changes of these names that fit with the ones before."""
    chosen: list[Change] = []
    for name in names:
        drawn = next(each for each in VARIATIONS if each.name == name)
        if drawn not in chosen and all(drawn.fits_with(other) for other in chosen):
            chosen.append(drawn)
    return Combination(tuple(sorted(chosen, key=VARIATIONS.index))).change(episode)
