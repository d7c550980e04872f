"""Violations in the messages of a conversation, and in how they grow (CNV-001, CNV-002, CNV-003)."""

import json
from collections.abc import Callable
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import conversing, parted, this_call
from react_tck.prove.mutants.operators.views import Messages, inputs, writing
from react_tck.reference.loop.views.conversation import INSTRUCTIONS, MACHINE_STATE, TOOL_RESULT, Exchange
from react_tck.reference.seams import Edit, Prompt, Site

_RULE = "\n\n---\n\n"


def _earlier_as_json(site: Site, prompt: Prompt) -> Prompt:
    earlier, own = parted(site, prompt.inputs["history"].messages)

    def queried(exchange: Exchange) -> Exchange:
        if exchange[MACHINE_STATE] != "user_query":
            return exchange
        first = next(name for name in exchange if name != MACHINE_STATE)
        return {**exchange, first: f"{json.dumps(earlier)}\n{exchange[first]}"}

    history = type(prompt.inputs["history"])(messages=[queried(exchange) for exchange in own])
    return prompt._replace(inputs=queried(prompt.inputs) | {"history": history})


def _without_the_users(_site: Site, messages: Messages) -> Messages:
    *earlier, last = messages
    return [message for message in earlier if message["role"] != "user"] + [last]


def _results_again(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    results = "\n".join(str(step.observation) for step in site.state.steps)
    return {**shown, TOOL_RESULT: results} if site.state.steps else shown


def _without_requests(_site: Site, messages: Messages) -> Messages:
    *earlier, last = messages
    return [
        {**message, "content": message["content"].rpartition("\n\n")[0]} if message["role"] == "user" else message
        for message in earlier
    ] + [last]


def _system(change: Callable[[Site, str], str]) -> Edit[Any]:
    """Changes the system message of every request."""

    def changed(site: Site, messages: Messages) -> Messages:
        system, *others = messages
        return [{**system, "content": change(site, system["content"])}, *others]

    return conversing(writing(changed))  # type: ignore[no-any-return]


def _documenting(is_documented: Callable[[Site, str], bool]) -> Edit[Any]:
    """The structure of some states left out of the system message."""

    def changed(site: Site, content: str) -> str:
        parts = content.split(_RULE)
        return _RULE.join(p for p in parts if not p.startswith("For the `") or is_documented(site, p.split("`")[1]))

    return _system(changed)


def _says_interrupted(site: Site, content: str) -> str:
    return f"{content}\n\nYou were interrupted." if INSTRUCTIONS in site.prompt.inputs else content


def _counts_turns(site: Site, content: str) -> str:
    turns = sum(exchange[MACHINE_STATE] == "finish" for exchange in site.prompt.inputs["history"].messages)
    return f"{content}\n\nThis is turn {turns + 1}."


MUTANTS = (
    mutant(
        "earlier-turns-as-json-in-the-user-message",
        "CNV-001",
        "Keeps earlier turns as a JSON object inside the message with the question.",
        prompt=conversing(_earlier_as_json),
    ),
    mutant(
        "reply-without-the-users-message",
        "CNV-001",
        "Keeps what the LM said, and not what it was asked.",
        adapter=conversing(writing(_without_the_users)),
    ),
    mutant(
        "results-told-again",
        "CNV-001",
        "Shows the results of all steps in each user message.",
        prompt=conversing(inputs(_results_again)),
    ),
    mutant(
        "earlier-messages-without-their-request",
        "CNV-002",
        "Takes what was asked for out of a user message as soon as it is an earlier one.",
        adapter=conversing(writing(_without_requests)),
    ),
    mutant(
        "system-prompt-by-state",
        "CNV-003",
        "Documents the state that asks, and no other.",
        adapter=_documenting(lambda site, state: state == site.prompt.predictor),
    ),
    mutant(
        "system-prompt-says-interrupted",
        "CNV-003",
        "Says in the system prompt that the steps have run out.",
        adapter=_system(_says_interrupted),
    ),
    mutant(
        "system-prompt-counts-turns",
        "CNV-003",
        "Says in the system prompt which turn it is.",
        adapter=_system(_counts_turns),
    ),
    mutant(
        "steps-bundled-in-one-pair",
        "CNV-002",
        "Makes one pair of messages of two steps.",
        prompt=this_call(lambda _, own: own[::2]),
    ),
)
