"""What a person says to calls that wait."""

from collections.abc import Callable

from react_tck.model.base import JsonObject
from react_tck.model.episode import Episode
from react_tck.model.manifest import Capability
from react_tck.model.tool import Reports
from react_tck.variations import changes, earlier
from react_tck.variations.exclusions import CALLED, EVERYWHERE, NO_CONVERSATION, RESPONDED_TO, TOOLS_SAID
from react_tck.variations.spare import add_spare
from react_tck.variations.variation import Exclusion, Variation

#: Who hands no state over may begin a call anew that waits, which asks for its steps again: that is CNF-009's affair.
_RESUMES: tuple[Capability, ...] = ("confirmation", "portable-state")


def _respond(
    name: str, sentence: str, respond: Callable[[JsonObject], str], *exclusions: Exclusion, is_elsewhere: bool = False
) -> Variation:
    return Variation(
        name,
        f"Every tool requires confirmation; {sentence}.",
        only=CALLED,
        exclusions=(*EVERYWHERE, *RESPONDED_TO, *exclusions),
        settles=("person",),
        needs=_RESUMES,
        change_episode=changes.confirm_tools,
        respond=respond,
        is_resumed_elsewhere=is_elsewhere,
    )


def _confirm_all(episode: Episode) -> Episode:
    """Have every tool require confirmation, the spare one too, which the call aside waits for."""
    return changes.confirm_tools(add_spare(episode, Reports()))


VARIATIONS: tuple[Variation, ...] = (
    _respond("agreed", "the instance resumes the call, to which a person agrees", lambda _: "yes"),
    _respond(
        "agreed elsewhere",
        "another instance resumes the call from its JSON, to which a person agrees",
        lambda _: "yes",
        Exclusion("a history is the instance's own that gave it", sentence="history"),
        is_elsewhere=True,
    ),
    _respond(
        "edited", "the instance resumes the call, whose args a person puts in their own place", changes.edit_nothing
    ),
    Variation(
        "rejected before",
        "Every tool requires confirmation; the instance was called before, and a person rejected the call of a tool.",
        only=NO_CONVERSATION,
        exclusions=(
            *EVERYWHERE,
            *RESPONDED_TO,
            Exclusion("the call before takes two steps", sentence="max_steps"),
        ),
        # It takes two steps, which a limit may not allow.
        settles=("person", "beginning", "limit"),
        needs=_RESUMES,
        change_episode=changes.confirm_tools,
        begin_script=earlier.call_before,
        make_call_before=earlier.make_earlier_call,
        change_call=earlier.shift_follows,
        respond=lambda _: "yes",
    ),
    Variation(
        "called while waiting",
        "Every tool requires confirmation; before a person agrees, the instance is called about something else, which "
        "waits, too.",
        only=NO_CONVERSATION,
        exclusions=(
            *EVERYWHERE,
            *RESPONDED_TO,
            *TOOLS_SAID,
            Exclusion("a history is that of the call of a number", sentence="the history of the .* call"),
        ),
        settles=("person", "company", "step"),
        needs=_RESUMES,
        change_episode=_confirm_all,
        respond=lambda _: "yes",
        is_called_while_waiting=True,
    ),
)
