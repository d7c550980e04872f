"""Violations in the messages of a conversation, and around its signatures (CNV-001 to CNV-003, CNV-008 to CNV-013)."""

import json
from collections.abc import Callable
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import (
    Exchange,
    asked_of,
    conversing,
    entered,
    finish_instead,
    parted,
    this_call,
    unreadable,
)
from react_tck.prove.mutants.operators.replies import every_output
from react_tck.prove.mutants.operators.runs import Perform, at_once, before, finishes, on, then, when
from react_tck.prove.mutants.operators.views import Messages, inputs, outputs_changed, said_before, without_key, writing
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.views.conversation import (
    INSTRUCTIONS,
    MACHINE_STATE,
    REASONING,
    STATES,
    TOOL_RESULT,
    MachineState,
)
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.signatures.conversation import HISTORY, state_signature

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
    """Change the system message of every request."""

    def changed(site: Site, messages: Messages) -> Messages:
        system, *others = messages
        return [{**system, "content": change(site, system["content"])}, *others]

    return conversing(writing(changed))  # type: ignore[no-any-return]


def _documenting(is_documented: Callable[[Site, str], bool]) -> Edit[Any]:
    """Return the structure of some states left out of the system message."""

    def changed(site: Site, content: str) -> str:
        parts = content.split(_RULE)
        return _RULE.join(p for p in parts if not p.startswith("For the `") or is_documented(site, p.split("`")[1]))

    return _system(changed)


def _says_interrupted(site: Site, content: str) -> str:
    return f"{content}\n\nYou were interrupted." if INSTRUCTIONS in site.prompt.inputs else content


def _counts_turns(site: Site, content: str) -> str:
    turns = sum(exchange[MACHINE_STATE] == "finish" for exchange in site.prompt.inputs["history"].messages)
    return f"{content}\n\nThis is turn {turns + 1}."


def _predicting(predictor: Callable[[Any], Any], *states: MachineState) -> Any:
    """Ask for these states by a predictor of this class, whatever the conversation is given."""

    def made(site: Site, program: dict[str, Any]) -> dict[str, Any]:
        signature, tools = site.agent.signature, site.agent.bound
        return program | {state: predictor(state_signature(state, signature, tools)) for state in states}

    return conversing(made)


def _without_reasoning(site: Site) -> bool:
    return site.agent.predictor_class is dspy.Predict


def _first_input_kept(site: Site, exchanges: list[Exchange]) -> list[Exchange]:
    others = [name for name, field in site.agent.signature.input_fields.items() if field.annotation is not dspy.History]
    return [{name: value for name, value in each.items() if name not in others[1:]} for each in exchanges]


def _has_a_question(_site: Site, given: dict[str, Any]) -> dict[str, Any]:
    if "question" not in given:
        raise ValueError("missing input 'question'")
    return given


def _is_arrow(_site: Site, signature: Any) -> Any:
    if not isinstance(signature, str):
        raise TypeError("the signature must be a string")
    return signature


def _has_finished(site: Site) -> bool:
    return site.state.finished


def _response_for_all(site: Site, _perform: Perform, _action: loop.Action) -> Episode[loop.Event]:
    return at_once(every_output(site, site.state.steps[-1].response))


def _interrupted_at_the_limit(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    is_last = len(following.steps) == following.max_steps > 1
    return following.model_copy(update={"finished": False}) if finishes(event) and is_last else following


MUTANTS = {
    "earlier-turns-as-json-in-the-user-message": mutant(
        "CNV-001",
        "Keeps earlier turns as a JSON object inside the message with the question.",
        prompt=conversing(_earlier_as_json),
    ),
    "reply-without-the-users-message": mutant(
        "CNV-001", "Keeps what the LM said, and not what it was asked.", adapter=conversing(writing(_without_the_users))
    ),
    "results-told-again": mutant(
        "CNV-001", "Shows the results of all steps in each user message.", prompt=conversing(inputs(_results_again))
    ),
    "earlier-messages-without-their-request": mutant(
        "CNV-002",
        "Takes what was asked for out of a user message as soon as it is an earlier one.",
        adapter=conversing(writing(_without_requests)),
    ),
    "system-prompt-by-state": mutant(
        "CNV-003",
        "Documents the state that asks, and no other.",
        adapter=_documenting(lambda site, state: state == site.prompt.predictor),
    ),
    "system-prompt-says-interrupted": mutant(
        "CNV-003", "Says in the system prompt that the steps have run out.", adapter=_system(_says_interrupted)
    ),
    "system-prompt-counts-turns": mutant(
        "CNV-003", "Says in the system prompt which turn it is.", adapter=_system(_counts_turns)
    ),
    "always-chain-of-thought": mutant(
        "CNV-008", "Uses ChainOfThought, whatever it is given.", program=_predicting(dspy.ChainOfThought, *STATES)
    ),
    "always-predict": mutant(
        "CNV-008", "Uses Predict, whatever it is given.", program=_predicting(dspy.Predict, *STATES)
    ),
    "no-interruption-under-predict": mutant(
        "CNV-008",
        "With Predict, enters the state `finish` when the steps have run out.",
        prompt=conversing(when(_without_reasoning, entered(finish_instead))),
    ),
    "reasoning-kept-under-predict": mutant(
        "CNV-008",
        "Writes reasoning into the exchange of a malformed reply, whatever the predictor.",
        adapter=unreadable(lambda content: f"[[ ## {REASONING} ## ]]\n(lost)\n\n{content}"),
    ),
    "only-the-first-input-kept": mutant(
        "CNV-011",
        "Keeps the first input of the user's query in the conversation, and drops the others.",
        prompt=conversing(said_before(_first_input_kept)),
    ),
    "fields-by-their-usual-names-only": mutant(
        "CNV-011",
        "Takes a `question`, and nothing that is called otherwise.",
        begin=conversing(before(_has_a_question)),
    ),
    "typed-outputs-as-text": mutant(
        "CNV-011",
        "Returns every output as text.",
        prediction=conversing(outputs_changed(lambda _, outputs: {name: str(v) for name, v in outputs.items()})),
    ),
    "arrow-strings-only": mutant(
        "CNV-011", "Takes no signature but an arrow string.", signature=conversing(before(_is_arrow))
    ),
    "finish-answers-with-the-response": mutant(
        "CNV-013",
        "Takes what the LM said when it finished for every output, and doesn't ask.",
        perform=conversing(when(_has_finished, on(loop.AskExtraction, _response_for_all))),
        prediction=conversing(when(_has_finished, without_key(HISTORY))),
    ),
    "finish-at-the-last-step-interrupts": mutant(
        "CNV-013",
        "Is interrupted when it finishes with the last step it may take.",
        advance=conversing(then(_interrupted_at_the_limit)),
    ),
    "finish-says-nothing": mutant(
        "CNV-013",
        "Enters the state `finish` without a tool result.",
        prompt=asked_of("finish", inputs(lambda _, shown: {**shown, TOOL_RESULT: ""})),
    ),
    "finishes-when-interrupted-with-reasoning": mutant(
        "CNV-008",
        "With ChainOfThought, enters the state `finish` when the steps have run out.",
        prompt=conversing(when(lambda site: not _without_reasoning(site), entered(finish_instead))),
    ),
    "steps-bundled-in-one-pair": mutant(
        "CNV-002", "Makes one pair of messages of two steps.", prompt=this_call(lambda _, own: own[::2])
    ),
}
