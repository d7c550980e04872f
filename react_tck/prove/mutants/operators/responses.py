"""Operators on calls that wait for a person: on how they are suspended, and on what is made of responses (S3)."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, uuid5

from react_tck.prove.mutants.operators.runs import Proceed, after, earlier_of, then
from react_tck.reference import loop
from react_tck.reference.confirmation import CLARIFY, CONFIRMATIONS, ConfirmationRequired, Decision, ResponseRefused
from react_tck.reference.drive import Episode
from react_tck.reference.effects import UseTool
from react_tck.reference.seams import Around, Beginning, Edit, Site

# Which calls wait


def awaiting(choose: Callable[[loop.State], tuple[str, ...]]) -> Around[dict[str, Any], Beginning]:
    """Return a run in which other tools wait for a person."""

    def changed(_site: Site, beginning: Beginning) -> Beginning:
        awaited = choose(beginning.state)
        return beginning._replace(state=beginning.state.model_copy(update={"awaited": awaited}))

    return after(changed)


#: A run in which the agent goes on without the user when it has a question.
unasked = awaiting(lambda state: tuple(name for name in state.awaited if name != CLARIFY))


def is_confirmed(site: Site) -> bool:
    """Tell whether what is due is a run of a tool that a person has agreed to."""
    action = site.state.action
    return isinstance(action, loop.RunTool) and action.call.name in site.state.awaited


# The seam `suspension`, and what was saved, in the seam `resume`


def suspended(change: Callable[[Site, ConfirmationRequired], dict[str, Any]]) -> Edit[ConfirmationRequired]:
    """Return a suspended call with other parts; the change gives those that are others."""
    return lambda site, waiting: ConfirmationRequired(**vars(waiting) | change(site, waiting))


def asking(question: Callable[[loop.Call], str]) -> Edit[ConfirmationRequired]:
    """Another question than the one there is."""
    return suspended(lambda site, _: {"question": question(call_that_waits(site))})


def identified(name: Callable[[Site], str]) -> Edit[ConfirmationRequired]:
    """Return an id of its own making: the same name gives the same id."""

    def parts(site: Site, waiting: ConfirmationRequired) -> dict[str, Any]:
        made = str(uuid5(NAMESPACE_OID, name(site)))
        CONFIRMATIONS.record_question(made)
        saved = waiting.context["state"] | {"confirmation_id": made}
        return {"confirmation_id": made, "context": waiting.context | {"state": saved}}

    return suspended(parts)


def saved_with(change: Callable[[loop.State], loop.State]) -> Edit[ConfirmationRequired]:
    """Return a suspended call with another state of the loop to resume from."""

    def parts(_site: Site, waiting: ConfirmationRequired) -> dict[str, Any]:
        saved = waiting.context["state"]
        changed = change(loop.State.model_validate(saved["loop"])).model_dump(mode="json")
        return {"context": waiting.context | {"state": saved | {"loop": changed}}}

    return suspended(parts)


def this_turn_only(state: loop.State) -> loop.State:
    """Return the state as if the turn under way were the first of its run."""
    turn = max(index for index, entry in enumerate(state.taken) if isinstance(entry, loop.AssistantTurn))
    taken = (state.taken[0], *state.taken[turn:])
    return state.model_copy(update={"history": (*earlier_of(state), *taken), "taken": taken})


def this_call_only(state: loop.State) -> loop.State:
    """Return the state without the calls of the turn that come after the one that waits."""
    return state.model_copy(update={"pending": state.pending[:1]})


def asked_anew(_site: Site, waiting: ConfirmationRequired) -> ConfirmationRequired:
    """Return the suspended call as if nobody had responded."""
    CONFIRMATIONS.record_question(waiting.confirmation_id)
    return waiting


# The seam `response`


class Heard(NamedTuple):
    """What the user said to a call that waits, and how it is read rightly."""

    said: str
    call: loop.Call
    decision: Decision


def misread(
    meant: Callable[[Heard], bool], event: Callable[[Heard], loop.Approved | loop.Declined]
) -> Around[str, Decision]:
    """Another event than the response calls for, where it is one of those that are meant; the status stays."""

    def changed(site: Site, proceed: Proceed, said: str) -> Decision:
        heard = Heard(said, call_that_waits(site), proceed(said))
        return heard.decision._replace(event=event(heard)) if meant(heard) else heard.decision

    return changed


def saying(*words: str) -> Callable[[Heard], bool]:
    """Those responses that are one of these words."""
    return lambda heard: heard.said in words


def read_as(status: str) -> Callable[[Heard], bool]:
    """Those responses that give the confirmation this status."""
    return lambda heard: heard.decision.status == status


def is_answer(heard: Heard) -> bool:
    """Those responses that answer a question of the agent's."""
    return heard.call.name == CLARIFY


def approving(heard: Heard) -> loop.Approved:
    """Run the call as the LM made it."""
    return loop.Approved(tool=heard.call.name, args=heard.call.args)


def telling(observation: str) -> Callable[[Heard], loop.Declined]:
    """Tell the agent this, and don't run the call."""
    return lambda _: loop.Declined(observation=observation)


def lenient(instead: Callable[[Proceed, str], Decision]) -> Around[str, Decision]:
    """Something else than a refusal where a response is malformed."""

    def read(_site: Site, proceed: Proceed, said: str) -> Decision:
        try:
            made: Decision = proceed(said)
        except ResponseRefused:
            return instead(proceed, said)
        return made

    return read


#: Takes a malformed response for a yes.
yes_if_malformed = lenient(lambda proceed, _: proceed("yes"))


# How it goes on after a response


def responded(kind: Any, change: Callable[[loop.State], loop.State]) -> Around[loop.Event, loop.State]:
    """Another state than the one that follows a response of this kind: `Approved`, `Declined`, or either."""
    return then(lambda _, event, following: change(following) if isinstance(event, kind) else following)


#: Takes the approval of one call for that of all later ones.
approved_for_all = responded(loop.Approved, lambda following: following.model_copy(update={"awaited": ()}))


def running_first(
    calls: Callable[[loop.State, loop.State], Iterable[loop.Call]],
) -> Around[Beginning, Episode[Any]]:
    """Begin a resumed run with these calls, whatever comes of them.

    They are told the state in which the run was suspended, and the one that follows the response.
    """

    def run(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
        is_resumed = hasattr(site, "state")  # a call has none before its run begins
        for call in calls(site.state, beginning.state) if is_resumed else ():
            with suppress(Exception):
                tool = site.agent.tools[call.name]
                yield UseTool(tool, tool.bound.convert_args(call.args))
        return (yield from proceed(beginning))

    return run


def call_that_waits(site: Site) -> loop.Call:
    """Return the call that a person is asked about."""
    assert isinstance(site.state.action, loop.AwaitResponse)
    return site.state.action.call
