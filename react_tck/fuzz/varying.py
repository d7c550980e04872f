"""Drawn episodes, played under up to three of the variations that rows of scenarios are played under.

What a variation makes of case, script and calls is drawn with them. What it changes while they are played is left to
whoever plays them: the episode has its name.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce

from hypothesis import strategies as st

from react_tck.fakes.strategies import Reach, episodes
from react_tck.fakes.strategies.draws import among
from react_tck.fuzz.gherkin import SYSTEMS
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.variations.table import VARIATIONS
from react_tck.variations.variation import Combination, Unvaried, Variation

#: How many variations are drawn at once; what fits together and changes something is played.
_TIMES = (0, 0, 1, 1, 2, 3)
#: Variations that no drawn episode is played under, and why.
NOT_DRAWN: Mapping[str, str] = {
    "more args": "drawn tools take lists and nulls by themselves",
    "exhausted": "a drawn script has limits of its own, and says to whoever goes on that it ends",
    **dict.fromkeys(
        ("step before", "failed step before", "unknown tool before", "unfit args before"),
        "drawn episodes take such steps by themselves, up to as many as there may be by default",
    ),
    **dict.fromkeys(
        ("foreign marks", "other marks", "given marks", "long texts", "odd texts"),
        "texts of drawn episodes are long and odd, and hold such marks, by themselves",
    ),
}
_BY_NAME = {each.name: each for each in VARIATIONS}


@st.composite
def varied_episodes(draw: st.DrawFn, manifest: Manifest, profiles: tuple[str, ...]) -> Episode:
    """Episodes of these profiles that the subject can play; some of them under variations."""
    episode = draw(episodes(Reach.of(manifest), profiles))
    fitting = tuple(each.name for each in list_fitting(episode, manifest))
    times = draw(among(_TIMES)) if fitting else 0
    return vary_episode(episode, [_BY_NAME[draw(among(fitting))] for _ in range(times)])


def list_fitting(episode: Episode, manifest: Manifest) -> Iterator[Variation]:
    """The variations that the subject can play and the judges of a drawn episode can hold it against."""
    system = f"{SYSTEMS[episode.case.options.system]} over"
    for each in VARIATIONS:
        is_meant = any(re.search(each.only, sentence) for sentence in (system, "it is called"))
        if is_meant and each.name not in NOT_DRAWN and not each.find_lack(manifest) and _is_open_to(each, episode):
            yield each


def _is_open_to(variation: Variation, episode: Episode) -> bool:
    """Whether nobody is asked anything in the episode, or the variation leaves it as it is who is asked what.

    Nobody says which adapter a call is resumed under, and a history is the instance's own that gave it: that of the
    call of a number, among which one that is made aside would be counted; another instance has none of them, and its
    callbacks hear of its own calls alone.
    """
    case = episode.case
    if case.options.callbacks and variation.is_resumed_elsewhere:
        return False
    is_called_aside = variation.requests_before_aside is not None or variation.is_called_while_waiting
    counts_otherwise = is_called_aside or variation.is_resumed_elsewhere
    if counts_otherwise and any(call.follows is not None for call in case.invocations):
        return False
    is_asked = case.options.clarification is not None or any(call.resumptions for call in case.invocations)
    return not is_asked or not {"person", "company"} & {*variation.settles}


def vary_episode(episode: Episode, variations: Sequence[Variation]) -> Episode:
    """The episode under those of the variations that fit with the ones before, and change something in it."""
    chosen: list[Variation] = []
    for each in variations:
        if each not in chosen and all(each.fits_with(other) for other in chosen):
            chosen.append(each)
    settled = reduce(_settle_variation, (each for each in chosen if not _is_played(each)), episode)
    played = [each.name for each in chosen if _is_played(each) and not each.find_idleness(settled)]
    return settled.model_copy(update={"variations": tuple(played)})


def find_combination(names: Collection[str]) -> Combination:
    """The variations of these names, at once."""
    return Combination(tuple(each for each in VARIATIONS if each.name in names))


def _is_played(variation: Variation) -> bool:
    """Whether it changes something while an episode is played."""
    is_changed = variation.respond is not None or variation.is_loaded or variation.is_replaced
    return is_changed or variation.has_company or variation.requests_before_aside is not None


def _settle_variation(episode: Episode, variation: Variation) -> Episode:
    """The episode with all that the variation makes of case, script and calls; without it where it changes nothing."""
    try:
        changed = variation.change_episode(episode)
        calls = [variation.change_call(changed, call) for call in episode.case.invocations]
        before = _make_calls_before(changed, calls, variation)
        varied = variation.begin_script(changed)
    except Unvaried:
        return episode
    if sum(field.history for field in changed.case.signature.inputs) > 1:
        return episode  # which has a history of its own
    case = varied.case.model_copy(update={"invocations": (*before, *calls)})
    return varied.model_copy(update={"case": case})


def _make_calls_before(episode: Episode, calls: Sequence[Invocation], variation: Variation) -> tuple[Invocation, ...]:
    if not variation.make_call_before or not calls:
        return ()
    return (variation.make_call_before(episode, calls[0]),) * variation.calls_before
