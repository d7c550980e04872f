"""Operators on what the LM is asked that several tables share: signatures of ReAct, states of a conversation."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import dspy

from react_tck.prove.mutants.operators.runs import in_a, when
from react_tck.prove.mutants.operators.views import Messages, inputs, said_before, writing
from react_tck.reference.adapters.strict_reading import make_strict
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.loop.views import conversation as view
from react_tck.reference.react import ReAct
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.signatures.conversation import HISTORY
from react_tck.reference.signatures.react import SignatureType

Exchange = view.Exchange

conversing = partial(in_a, ConversationReAct)


def by_trajectory(operator: Any) -> Any:
    """Return the operator, in agents that show the LM their trajectory."""
    return when(lambda s: isinstance(s.agent, ReAct) and not isinstance(s.agent, ConversationReAct), operator)


def asked_of(predictor: str, edit: Edit[Any]) -> Edit[Any]:
    """Edit prompts or adapters where the predictor of this name is asked: in a conversation, a machine state."""

    def edited(site: Site, value: Any) -> Any:
        asked = value if isinstance(value, Prompt) else site.prompt
        return edit(site, value) if asked.predictor == predictor else value

    return edited


def using(choose: Callable[[Site], dspy.Adapter | None]) -> Any:
    """Another adapter of the module's; None leaves it to the global one, or to dspy's default."""

    def edited(site: Site, adapter: Any) -> Any:
        if site.prompt.predictor == "native":
            return adapter
        return make_strict(choose(site) or dspy.settings.adapter or dspy.ChatAdapter(), site.agent.policy)

    return by_trajectory(edited)


def shared(site: Site) -> dict[str, Any]:
    """Return what all agents of a mutant remember: it stands for global settings, and doesn't outlive the mutant."""
    kind = type(site.agent)
    if "shared" not in vars(kind):
        kind.shared = {}
    made: dict[str, Any] = kind.shared
    return made


# What the predictors of ReAct ask for


def signed(predictor: str, change: Callable[[Site, SignatureType], SignatureType]) -> Any:
    """Another signature of the predictor of this name."""

    def edited(site: Site, program: dict[str, Any]) -> dict[str, Any]:
        asked = program[predictor].predictors()[0]
        asked.signature = change(site, asked.signature)
        return program

    return by_trajectory(edited)


def first_input_only(site: Site, signature: SignatureType) -> SignatureType:
    """Return a signature without any of the user's inputs but the first."""
    for name in list(site.agent.signature.input_fields)[1:]:
        signature = signature.delete(name)
    return signature


def inputs_become(text: str) -> Edit[Prompt]:
    """Return the same text for each of the user's inputs, unless it is a history."""
    return inputs(
        lambda site, shown: (
            shown | {name: text for name in site.state.inputs if not isinstance(shown[name], dspy.History)}
        )
    )


def _with_args(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    asked = site.state.inputs
    return shown | {name: value for step in site.state.steps for name, value in step.args.items() if name in asked}


#: The tools' args take the place of inputs of the same name.
args_overwrite_inputs: Edit[Prompt] = inputs(_with_args)


# The machine states and the messages of a conversation


def question(site: Site, prompt: Prompt) -> Exchange:
    """Return what the user asked last."""
    exchanges = [*prompt.inputs[HISTORY].messages, prompt.inputs]
    last = next(each for each in reversed(exchanges) if each.get(view.MACHINE_STATE) == "user_query")
    names = site.agent.signature.input_fields
    return {name: last[name] for name in names if name in last and not isinstance(last[name], dspy.History)}


def entered(change: Callable[[Site, str], str]) -> Any:
    """Another machine state is entered, and its fields are shown."""

    def changed(site: Site, prompt: Prompt) -> Prompt:
        now: Any = change(site, prompt.predictor)
        if now == prompt.predictor:
            return prompt
        asked = view.make_user_fields(now, site.state, question(site, prompt))
        return prompt._replace(predictor=now, inputs={**asked, HISTORY: prompt.inputs[HISTORY]})

    return conversing(changed)


def finish_instead(_site: Site, now: str) -> str:
    """Return the state `finish` in the place of the interrupted one."""
    return "finish" if now == "interrupted" else now


def parted(site: Site, exchanges: list[Exchange]) -> tuple[list[Exchange], list[Exchange]]:
    """Return the exchanges of earlier calls, and those of the call under way."""
    own = len(exchanges) - len(site.state.steps)
    return exchanges[:own], exchanges[own:]


def this_call(change: Callable[[Site, list[Exchange]], list[Exchange]]) -> Any:
    """Other exchanges of the call under way."""

    def changed(site: Site, exchanges: list[Exchange]) -> list[Exchange]:
        earlier, own = parted(site, exchanges)
        return [*earlier, *change(site, own)]

    return conversing(said_before(changed))


def said_by(role: str, change: Callable[[str], str]) -> Any:
    """Other messages of this role, earlier ones too; none where there is nothing left to say."""

    def changed(_site: Site, messages: Messages) -> Messages:
        said = [m | {"content": change(m["content"])} if m["role"] == role else m for m in messages]
        return [message for message in said if message["content"]]

    return conversing(writing(changed))


def unreadable(change: Callable[[str], str]) -> Any:
    """Another message in the place of a reply that couldn't be read."""
    told = f"[[ ## {view.TOOL_NAME} ## ]]\n{view.UNREADABLE}"
    return said_by("assistant", lambda content: change(content) if told in content else content)


class FieldsAsked(NamedTuple):
    """The fields that a message asks for, in order, and those that it forbids."""

    required: tuple[str, ...]
    forbidden: tuple[str, ...]


_STATE = re.compile(r"\[\[ ## machine_state ## \]\]\n(\w+)")
_REQUIRED, _FORBIDDEN = "Required fields in order: ", " Do NOT generate the following fields for this state: "
_ENDING = ", ending with `[[ ## completed ## ]]`."
_REQUEST = re.compile(rf"{_REQUIRED}(.*){re.escape(_ENDING)}(?:{_FORBIDDEN}(.*)\.)?$")


def asking_for(change: Callable[[str, FieldsAsked], FieldsAsked]) -> Any:
    """Other fields asked for and forbidden; the change is given the machine state of the message too."""

    def rewritten(content: str) -> str:
        named = _STATE.search(content)
        state = named[1] if named else "user_query"

        def again(found: re.Match[str]) -> str:
            asked = FieldsAsked(*(tuple(re.findall(r"\[\[ ## (\w+) ## \]\]", part or "")) for part in found.groups()))
            required, forbidden = ([f"`[[ ## {name} ## ]]`" for name in names] for names in change(state, asked))
            request = f"{_REQUIRED}{', then '.join(required)}{_ENDING}"
            return f"{request}{_FORBIDDEN}{', '.join(forbidden)}." if forbidden else request

        return _REQUEST.sub(again, content)

    return said_by("user", rewritten)
